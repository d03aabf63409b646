"""How a roll came about, as commands for `openssl`, `sha256sum` and `printf` that anybody can run."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.app.reading import RollSource
from pbem.log import dice
from pbem.log.hashing import lp


def script(source: RollSource) -> str:
    """A shell script that recomputes a roll from what the log holds; it prints each value it checks."""
    return "\n".join(_lines(source)) + "\n"


def key_of(source: RollSource) -> bytes:
    """The dice key of the roll's step."""
    return dice.dice_key([link for _, _, link, _ in source.links], source.closing, source.game)


def bytes_used(source: RollSource) -> list[tuple[int, int | None]]:
    """The bytes that the roll read, in order, each with its face or None where it was thrown away."""
    record, key = source.record, key_of(source)
    found: list[tuple[int, int | None]] = []
    faces = 0
    for byte in dice.stream(key, record.label):
        face = dice.face_of(byte, record.sides)
        found.append((byte, face))
        faces += face is not None
        if faces == record.count:
            return found
    raise AssertionError("the stream has no end")


def _lines(source: RollSource) -> Iterator[str]:
    record = source.record
    yield f"# roll {record.id}: {record.count} of {record.sides} sides"
    yield "# 1. each opened link hashes to the link before it, in the end to the anchor that was agreed"
    for role, index, link, previous in source.links:
        message = lp(b"pbem/chain/v1", source.nonce, role.encode(), (index - 1).to_bytes(4, "big"), link)
        yield f"# {role}: link {index} = {link.hex()}"
        yield f"printf '{octal(message)}' | sha256sum    # {previous.hex()}"
    yield "# 2. the dice key: HKDF-SHA256 over the links in role order, salted with the digest of the step before"
    yield _hkdf(source)
    yield f"# {key_of(source).hex()}"
    used = bytes_used(source)
    yield "# 3. the blocks: HMAC-SHA256 under the roll's label"
    for block in range((len(used) - 1) // 32 + 1):
        yield f"printf '{octal(dice.block_message(record.label, block))}' | {_hmac(key_of(source))}"
        yield f"# first bytes used: {bytes(byte for byte, _ in used[32 * block : 32 * block + 32]).hex()}"
    yield from _faces(source, used)


def _faces(source: RollSource, used: list[tuple[int, int | None]]) -> Iterator[str]:
    record = source.record
    share = 256 // record.sides
    yield f"# 4. face = byte / {share} + 1, rounded down; a byte of {share * record.sides} or more is thrown away"
    for byte, face in used:
        yield f"# byte {byte:3} {'-> face ' + str(face) if face else 'is thrown away'}"
    if record.items:
        yield f"# 5. drawn from {len(record.items)}, in this order: {', '.join(record.items)}"
        yield f"# number {record.faces[0]} of them is {record.items[record.faces[0] - 1]}"


def _hkdf(source: RollSource) -> str:
    links = "".join(link.hex() for _, _, link, _ in source.links)
    info = dice.dice_info(source.game).hex()
    return (
        "openssl kdf -binary -keylen 32 -kdfopt digest:SHA2-256 "
        f"-kdfopt hexkey:{links} -kdfopt hexsalt:{source.closing.hex()} -kdfopt hexinfo:{info} HKDF | od -An -v -tx1"
    )


def _hmac(key: bytes) -> str:
    return f"openssl mac -digest SHA256 -macopt hexkey:{key.hex()} HMAC"


def octal(data: bytes) -> str:
    """Bytes as escapes that every `printf` of POSIX reads."""
    return "".join(f"\\{byte:03o}" for byte in data)

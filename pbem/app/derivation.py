"""How a roll came about, as a shell script that checks itself with `sha256sum`, `openssl`, `od`, `tr` and `cut`.

Every value stands in the script once, as the log has it, and is carried on from there: a link that is changed is
another hash, another key, other blocks and most likely another face. Left out: signatures, which `pbem verify` checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

from pbem.app.reading import RollSource
from pbem.engine.driver import RollRecord
from pbem.log import dice
from pbem.log.chain import previous_link
from pbem.log.enumeration import counted
from pbem.log.hashing import lp

_FUNCTIONS = r"""for tool in sha256sum openssl od tr cut; do
  command -v "$tool" >/dev/null || { echo "$tool is missing here: this check needs it" >&2; exit 2; }
done
wrong=0
hex() { od -An -v -tx1 | tr -d ' \n'; }
check() {
  if [ "$2" = "$3" ]; then printf '%s: as logged\n' "$1"
  else printf '%s: NOT AS LOGGED: expected %s, got %s\n' "$1" "$3" "${2:-nothing}"; wrong=1; fi
}"""
_VERDICT = r"""[ "$wrong" = 0 ] || echo 'Something here is NOT as it was logged: do not trust this roll.'
exit $wrong"""


def script(source: RollSource) -> str:
    """A shell script that works a roll out from what the log holds.

    It says of every value whether it is as logged, last the result; its exit status is 1 when something is not,
    2 when a tool is missing.
    """
    return "\n".join(_lines(source)) + "\n"


def key_of(source: RollSource) -> bytes:
    """The dice key of the roll's step."""
    return dice.dice_key([link for _, _, link, _ in source.links], source.closing, source.game)


def noun(record: RollRecord) -> str:
    """What a drawn item is called, from a label that ends with it and a number (`card-7`); else ''."""
    found = re.search(r"([a-z]+)-\d+$", record.label)
    return found[1] if record.items and found else ""


def kind(record: RollRecord) -> str:
    """`one of the 49 cards that are left`, `2 dice of 6 sides`."""
    if not record.items:
        return f"{counted(record.count, 'die', 'dice')} of {counted(record.sides, 'side')}"
    named = noun(record)
    few = len(record.items) == 1
    what = f" {named}{'' if few else 's'}" if named else ""
    return f"the one{what} that is left" if few else f"one of the {len(record.items)}{what} that are left"


def blocks_used(source: RollSource) -> int:
    """How many blocks of 32 bytes the roll read."""
    record, faces = source.record, 0
    for number, byte in enumerate(dice.stream(key_of(source), record.label), 1):
        faces += dice.face_of(byte, record.sides) is not None
        if faces == record.count:
            return (number - 1) // 32 + 1
    raise AssertionError("the stream has no end")


def _lines(source: RollSource) -> Iterator[str]:
    yield f"# roll {source.record.id}: {kind(source.record)}"
    yield "# Pipe this into `sh`, and it checks itself; it needs openssl 3.0 or newer."
    yield _FUNCTIONS
    yield from _links(source)
    yield from _key(source)
    yield from _blocks(source)
    yield from _result(source.record)
    yield _VERDICT


def _links(source: RollSource) -> Iterator[str]:
    yield "# 1. The SHA-256 of each link is the link that its role opened before, at first the anchor that was agreed."
    for number, (role, index, link, previous) in enumerate(source.links, 1):
        yield f"# in the log: {link.hex()}"
        yield f"link{number}='{octal(link)}'"
        yield from _hashed(source.nonce, (role, index, link, previous), f"$link{number}")


def _hashed(nonce: bytes, opened: tuple[str, int, bytes, bytes], name: str) -> Iterator[str]:
    """The check that a link hashes to the one that was opened before it, down through those that were withheld."""
    role, index, link, previous = opened
    before = previous_link(nonce, role, index - 1, link)
    prefix = lp(b"pbem/chain/v1", nonce, role.encode(), (index - 1).to_bytes(4, "big"), link)[: -len(link)]
    yield f"hash=$(printf '{octal(prefix)}'\"{name}\" | sha256sum | cut -c1-64)"
    yield f'check {quote(f"link {index} of {role}")} "$hash" {before.hex()}'
    if before != previous and index > 1:
        yield f"# link {index - 1} of {role} did not come in time and stays closed: it served no roll."
        yield f"closed='{octal(before)}'"
        yield from _hashed(nonce, (role, index - 1, before, previous), "$closed")


def _key(source: RollSource) -> Iterator[str]:
    """The key is in no log, since it follows from it; it is compared with the one that the game was played by."""
    links = "".join(f"$link{number}" for number in range(1, len(source.links) + 1))
    salt = "what the players said at the step before" if source.hosted else "the step before"
    yield f"# 2. The key: HKDF-SHA256 over the links in role order; the salt is the digest of {salt}."
    yield f'links=$(printf "{links}" | hex)'
    yield f"salt={source.closing.hex()}"
    yield f"info={dice.dice_info(source.game).hex()}"
    yield (
        "key=$(openssl kdf -binary -keylen 32 -kdfopt digest:SHA2-256 "
        '-kdfopt "hexkey:$links" -kdfopt "hexsalt:$salt" -kdfopt "hexinfo:$info" HKDF | hex)'
    )
    yield f'check key "$key" {key_of(source).hex()}'


def _blocks(source: RollSource) -> Iterator[str]:
    yield "# 3. The blocks: HMAC-SHA256 of the roll's label and the block's number under the key."
    yield "blocks=''"
    stream = dice.stream(key_of(source), source.record.label)
    for number in range(blocks_used(source)):
        message = octal(dice.block_message(source.record.label, number))
        block = bytes(next(stream) for _ in range(32))
        yield f"block=$(printf '{message}' | openssl mac -digest SHA256 -macopt \"hexkey:$key\" -binary HMAC | hex)"
        yield "blocks=$blocks$block"
        yield f'check "block {number}" "$block" {block.hex()}'


def _result(record: RollRecord) -> Iterator[str]:
    share = 256 // record.sides
    limit = share * record.sides
    yield f"# 4. The faces: byte / {share} + 1, rounded down; a byte of {limit} or more is thrown away."
    yield _faces(record.count, share, limit)
    name, result = "faces", " ".join(map(str, record.faces))
    if record.items:
        yield f"# 5. The face counts them in this order: {', '.join(record.items)}".replace("\n", " ")
        yield f"set -- {' '.join(map(quote, record.items))}"
        yield 'if [ -n "$faces" ]; then shift "$((faces - 1))"; found=$1; else found=\'\'; fi'
        name, result = noun(record) or "drawn", record.items[record.faces[0] - 1]
    else:
        yield "found=$faces"
    yield f'check result "$found" {quote(result)}'
    yield f"printf '{name}: %s\\n' \"$found\""


def _faces(count: int, share: int, limit: int) -> str:
    return f"""faces='' bytes=$blocks left={count}
while [ "$left" -gt 0 ] && [ -n "$bytes" ]; do
  byte=$((0x$(printf %s "$bytes" | cut -c1-2))) bytes=${{bytes#??}}
  if [ "$byte" -lt {limit} ]; then faces="$faces${{faces:+ }}$((byte / {share} + 1))" left=$((left - 1)); fi
done"""


def octal(data: bytes) -> str:
    """Bytes as escapes that every `printf` of POSIX reads."""
    return "".join(f"\\{byte:03o}" for byte in data)

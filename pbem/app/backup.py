"""A backup: the whole home in one file, encrypted as its vault is, and what is read back from such a file.

    pbem-backup 1 LF                14 bytes
    when it was made                8 bytes, seconds since 1970
    length of the database          8 bytes, at most 512 MiB
    random                          16 bytes
    length of the vault's header    2 bytes, at most 256
    the vault's header              as in the home (`pbem.keys.vault`): the passphrase opens it
    the database                    in parts of 1 MiB, each sealed as a vault entry, so 28 bytes longer

Numbers are big-endian. The name of a part binds the digest of all that stands before the first one, its number and
how many there are: parts of two backups, swapped or missing ones do not open. The length of the file follows from
what stands before the parts and is checked first. No name of a file is in it, and nothing is packed, so that nothing
in it can lead out of a folder or swell.

A home is its database alone: keys and secrets, games, events, standing orders and drafts. Left out: a player's own
transcription of a game's data (`--data`), which lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from pbem.app.desk import Desk
from pbem.app.outputs import OTHER, Loss, check_output
from pbem.errors import BadDisk, BadEvidence, BadRequest
from pbem.keys.vault import Vault, is_protected
from pbem.log.enumeration import counted
from pbem.store.faults import damaged, disk_spoken
from pbem.store.files import PRIVATE, write_atomically
from pbem.store.sqlite.image import MAX_IMAGE, holds_more

TAG = b"pbem-backup 1\n"
_FAMILY = b"pbem-backup "
PART = 1 << 20
LONGER = 28
"""By how many bytes a sealed part is longer."""
MAX_VAULT_HEADER = 256
_RANDOM = 16
_ANOTHER = "get the file again from where it is kept, or use another backup; nothing was restored"
_FIXED = len(TAG) + 8 + 8 + _RANDOM + 2


@dataclass(frozen=True, slots=True)
class Backup:
    """What stands before the parts of a backup; `made` is in Unix seconds, `length` in bytes of the database."""

    made: int
    length: int
    random: bytes
    vault_header: bytes

    def written(self) -> bytes:
        """Return the bytes that a file begins with."""
        numbers = self.made.to_bytes(8, "big") + self.length.to_bytes(8, "big")
        return TAG + numbers + self.random + len(self.vault_header).to_bytes(2, "big") + self.vault_header

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return -(-self.length // PART)

    @property
    def size(self) -> int:
        """The length of the whole file in bytes."""
        return len(self.written()) + self.length + self.parts * LONGER

    def name(self, number: int) -> str:
        """The name under which part `number`, from 0 on, is sealed."""
        return f"backup/{sha256(self.written()).hexdigest()}/{number}/{self.parts}"


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What was written: bytes of the file, games in it, and whether a passphrase stands before it."""

    size: int
    games: int
    protected: bool


def back_up(desk: Desk, output: Path, *, plain: bool = False, force: bool = False) -> BackedUp:
    """Write the whole home into one file that its owner alone may read.

    BadRequest when the home has no passphrase, unless `plain`, and when the file would be written over something;
    BadDisk when the home is damaged: its last good backup must not be replaced by a bad one.
    """
    vault = desk.vault()
    if not (vault.protected or plain):
        raise BadRequest(
            "backup.no_passphrase",
            "expected a home with a passphrase, got one without: whoever reads the backup could sign in your name",
            "give the home one with `pbem passphrase`; --plain writes a backup that is not encrypted",
        )
    for damage in desk.home.damages():
        raise damaged(damage, desk.home.folder)
    contents = sealed(desk, desk.home.image())
    check_output(output, _loss(desk), force=force)
    write_atomically(output, contents, PRIVATE)
    return BackedUp(len(contents), len(desk.home.games()), vault.protected)


def sealed(desk: Desk, image: bytes) -> bytes:
    """The content of a backup of this home at this moment."""
    vault = desk.vault()
    head = Backup(desk.clock(), len(image), desk.random(_RANDOM), vault.header)
    parts = (image[start : start + PART] for start in range(0, len(image), PART))
    return b"".join([head.written(), *(vault.seal(head.name(number), part) for number, part in enumerate(parts))])


def _loss(desk: Desk) -> Loss:
    """For a backup: an older one of the same home may go, unless it knows what the home does not."""

    def loss(old: bytes) -> str:
        from io import BytesIO

        if not old.startswith(TAG):
            return OTHER
        try:
            file = BytesIO(old)
            image = b"".join(parts_of(file, read_head(file, len(old)), desk.vault()))
        except BadEvidence:
            return "a backup of another home, or a damaged one"
        return "a backup with something that this home does not have" if holds_more(image, desk.home) else ""

    return loss


def read_head(file: BinaryIO, size: int) -> Backup:
    """Read what stands before the parts of a file of `size` bytes; BadEvidence for a foreign, cut or longer one."""
    fixed = file.read(_FIXED)
    _check_tag(fixed)
    if len(fixed) < _FIXED:
        raise cut(size)
    numbers = fixed[len(TAG) :]
    made, length = int.from_bytes(numbers[:8], "big"), int.from_bytes(numbers[8:16], "big")
    of_vault = int.from_bytes(fixed[-2:], "big")
    if not 0 < length <= MAX_IMAGE or of_vault > MAX_VAULT_HEADER or made > 1 << 40:
        raise damage("the lengths that it begins with are out of bounds")
    head = Backup(made, length, numbers[16 : 16 + _RANDOM], file.read(of_vault))
    if len(head.vault_header) < of_vault or size < head.size:
        raise cut(size)
    if size > head.size:
        raise damage(f"{counted(size - head.size, 'byte stands', 'bytes stand')} behind its end")
    return head


def _check_tag(fixed: bytes) -> None:
    if fixed.startswith(TAG):
        return
    if fixed.startswith(_FAMILY):
        raise BadEvidence(
            "backup.version",
            "expected a backup of version 1, got one of another version",
            "it was made by a newer pbem: install that (`pip install --upgrade pbem`)",
        )
    got = "something else" if fixed else "an empty file"
    raise BadEvidence(
        "backup.form",
        f"expected a backup, which begins with 'pbem-backup', got {got}",
        "`pbem backup -o FILE` writes one; a turn file or an archive is taken in with `pbem import`",
    )


def parts_of(file: BinaryIO, head: Backup, vault: Vault) -> Iterator[bytes]:
    """Open one part after the other; BadEvidence at the first one that does not hold."""
    left = head.length
    for number in range(head.parts):
        length = min(PART, left)
        left -= length
        try:
            part = vault.open(head.name(number), file.read(length + LONGER))
        except BadDisk:
            raise damage(f"part {number + 1} of {head.parts} does not open") from None
        yield part


def unlocked(head: Backup, passphrase: Callable[[], str | None]) -> Vault:
    """Open the vault of a backup; `passphrase` is called only when it has one.

    BadRequest when that is missing or wrong, BadEvidence when the vault is damaged.
    """
    phrase = None
    try:
        phrase = passphrase() if is_protected(head.vault_header) else None
        return Vault.unlock(head.vault_header, phrase)
    except BadDisk as error:
        raise damage("the header of its vault does not hold") from error
    except BadRequest as error:
        got = "none" if phrase is None else "another one"
        raise BadRequest(
            error.code,
            f"expected the passphrase that the home had when the backup was made, got {got}",
            "give the command again with the right one (asked for, or PBEM_PASSPHRASE); mind capitals and the "
            "keyboard layout",
        ) from None


def cut(size: int) -> BadEvidence:
    """Return the error for a backup of `size` bytes whose end is missing."""
    return BadEvidence("backup.cut", f"expected a whole backup, got one that was cut at byte {size}", _ANOTHER)


def damage(found: str) -> BadEvidence:
    """Return the error for a backup that is not as it was written; `found` says what does not hold."""
    return BadEvidence("backup.damaged", f"expected a backup as it was written, but {found}", _ANOTHER)


def open_backup(path: Path) -> BinaryIO:
    """Open a file to read; BadRequest when there is none."""
    with disk_spoken("read", path):
        if not path.is_file():
            found = "a folder" if path.is_dir() else "nothing"
            raise BadRequest("file.missing", f"expected a file, got {found} at {str(path)!r}", "check the path")
        return path.open("rb")


def size_of(file: BinaryIO) -> int:
    """The length of an open file in bytes."""
    size = file.seek(0, 2)
    file.seek(0)
    return size

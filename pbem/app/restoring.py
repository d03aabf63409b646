"""Restoring: a home out of a backup, and a person's word that nothing is missing in one of its games.

A backup comes from outside, wherever it was kept: it makes a home whole or not at all, only where nothing is, and
with nothing of it believed that this program can compute itself. In every game of the new home nothing is signed until
it is known to be current (`pbem.app.current`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem.app.backup import damage, open_backup, parts_of, read_head, size_of, unlocked
from pbem.app.catalogue import for_proposal
from pbem.app.current import doubt, mark_restored, settle_by_person
from pbem.app.desk import IDENTITY, VAULT, Desk, Profile, read_profile, system_clock
from pbem.app.opened import OpenGame, open_game, signed_ahead
from pbem.app.signing import answer_by_itself, finish, keep
from pbem.app.summary import summarise
from pbem.errors import BadDisk, BadRequest
from pbem.keys.identity import Identity
from pbem.keys.vault import Vault
from pbem.store.database import Home, check_vacant
from pbem.store.faults import disk_spoken
from pbem.store.writing import Writer


@dataclass(frozen=True, slots=True)
class Restored:
    """Whose home was restored, the names of its games, and when the backup was made (Unix seconds)."""

    profile: Profile
    games: tuple[str, ...]
    made: int
    protected: bool


def restore(
    backup: Path, folder: Path, passphrase: Callable[[], str | None], clock: Callable[[], int] = system_clock
) -> Restored:
    """Make a home in `folder`, which is empty or missing, out of a backup file.

    `passphrase` is called only when the backup has one. BadRequest for a folder in use, a file that is missing, a
    wrong passphrase, or a home of a newer program; BadEvidence for a file that is no backup or not as it was written.
    Nothing is left behind then.
    """
    with open_backup(backup) as file, disk_spoken("read", backup):
        head = read_head(file, size_of(file))
        check_vacant(folder)
        vault = unlocked(head, passphrase)

        def fill(writer: Writer) -> None:
            _check_owner(writer, vault)
            at = max(clock(), head.made)  # a machine whose clock was never set must not take old mails for new ones
            for game in writer.games():
                mark_restored(writer, game.game_id, game.role, at, head.made)
                writer.drop_snapshots(game.game_id)
                _compute(writer, game.game_id)

        try:
            home = Home.restore(folder, parts_of(file, head, vault), fill, str(backup))
        except BadDisk as error:
            if not error.code.startswith("database.damaged"):
                raise
            raise damage("what is in it is no home that holds") from error
    with home:
        names = tuple(game.name for game in home.games())
        return Restored(read_profile(home), names, head.made, vault.protected)


def _check_owner(writer: Writer, vault: Vault) -> None:
    """Raise BadEvidence unless the keys in the home are those that its vault opens and its profile names."""
    try:
        identity = Identity.from_bytes(vault.open(IDENTITY, writer.secret(IDENTITY) or b""))
        fits = writer.meta(VAULT) == vault.header and read_profile(writer).key == identity.public_key
    except (BadDisk, KeyError, ValueError) as error:
        raise damage("its keys do not belong to it") from error
    if not fits:
        raise damage("its keys do not belong to it")


def _compute(writer: Writer, game: str) -> None:
    """Make the caches of a game anew; one whose rules are not at hand here, or break, is told when it is asked for."""
    try:
        opened = open_game(writer, game, for_proposal())
        status = summarise(writer, opened)
    except MemoryError:
        raise
    except Exception:  # the rules of one game, or data that a player made, must not lose the others
        return
    keep(writer, opened, status)


def confirm_current(desk: Desk, name: str) -> tuple[OpenGame, list[str]]:
    """Take the person's word that nothing is missing in a restored game; what is answered by itself at once, in words.

    BadRequest for a game of which that is known already, or of which it is known that something is missing.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        if doubt(writer, opened) is None:
            raise BadRequest(
                "current.known",
                f"expected a restored game that may lack something, got {opened.row.name}, which is current",
                f"`pbem status {opened.row.name}` says what to do now",
            )
        ahead = signed_ahead(writer, opened)
        if ahead:
            raise BadRequest(
                "current.behind",
                f"expected a game in which nothing is missing, got {opened.row.name}: {opened.role} has signed at step "
                f"{ahead}, and the log here ends before step {opened.campaign.place.step}",
                "ask the other side for `pbem export --all` and import that",
            )
        settle_by_person(writer, opened)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return opened, answered

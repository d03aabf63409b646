"""Games put aside: no longer listed, with everything that belongs to them kept; the next event that comes lists them.

Reading the list loads nothing but the store, since `pbem status` lives on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.app.opened import OpenGame
    from pbem.store.reading import Reader
    from pbem.store.rows import StoredGame
    from pbem.store.writing import Writer


ASIDE = "aside/"
"""Before the id of a game, where the home notes that it is put aside."""


def is_aside(reader: Reader, game: str) -> bool:
    """Whether the game of that id is put aside."""
    return bool(reader.meta(_key(game)))


def listed(reader: Reader) -> tuple[StoredGame, ...]:
    """The games that are not put aside, oldest first."""
    return tuple(game for game in reader.games() if not is_aside(reader, game.game_id))


def list_again(writer: Writer, game: str) -> None:
    """List the game of that id, if it was put aside, and have it looked at."""
    if is_aside(writer, game):
        writer.put_meta(_key(game), b"")
        writer.look_at(game)


def put_aside(desk: Desk, name: str, *, anyway: bool = False) -> OpenGame:
    """No longer list a game that nobody accepted, that is over, or that a fork has stopped; any other one `anyway`."""
    from pbem.app.opened import open_game

    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        if opened.campaign.started and not (anyway or opened.campaign.finished or opened.fork):
            raise BadRequest(
                "forget.in_play",
                f"expected a game that nobody accepted, that is over, or that is stopped, got {opened.row.name}, which "
                "is in play",
                f"`pbem forget {opened.row.name} --anyway` puts it aside; the next turn file that comes lists it again",
            )
        writer.put_meta(_key(opened.row.game_id), b"1")
    return opened


def recall(desk: Desk, name: str) -> StoredGame:
    """List a game again."""
    with desk.home.writing(name) as writer:
        row = writer.game(name)
        list_again(writer, row.game_id)
    return row


def _key(game: str) -> str:
    return ASIDE + game

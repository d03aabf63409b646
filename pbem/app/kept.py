"""The summary of a game as its last change left it, or a fresh one where none is kept that this program can use.

What is kept is read with nothing loaded but the store, since `pbem status` lives on it. A game that cannot be
summarised, whose data are not at hand or whose rules break, raises a `PbemError` and nothing else, so that whoever
goes through all games can tell of that one and go on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pbem.errors import BadEvidence, PbemError

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.app.catalogue import Games
    from pbem.store.database import Home
    from pbem.store.reading import Reader
    from pbem.store.rows import Status, StoredGame

LATEST = "hosted"
"""The latest field of a summary: one without it was kept by an older program."""


def kept_summary(reader: Reader, game_id: str) -> dict[str, Any] | None:
    """The summary that was kept; None where that is damaged, missing, or an older program's."""
    stored = reader.status(game_id)
    found: dict[str, Any] = json.loads(stored.json) if stored else {}
    return found if LATEST in found else None


def summary_of(reader: Reader, row: StoredGame, games: Games | None = None) -> dict[str, Any]:
    """The summary of a game, kept or fresh; `games` finds rules for a fresh one, with this program's data if not given.

    PbemError when it cannot be made.
    """
    found = kept_summary(reader, row.game_id)
    if found is None:
        found = json.loads(fresh_status(reader, row, games).json)
    return found


def fresh_status(reader: Reader, row: StoredGame, games: Games | None = None) -> Status:
    """A summary made anew, as the row that keeps it; PbemError when it cannot be made."""
    from pbem.app.catalogue import for_proposal
    from pbem.app.opened import open_game
    from pbem.app.summary import summarise

    try:
        return summarise(reader, open_game(reader, row.game_id, games or for_proposal()))
    except (PbemError, MemoryError):
        raise
    except Exception as error:  # the rules of one game, or data that a player made, must not hide the others
        raise broken(row.name, error) from error


def broken(name: str, error: Exception) -> BadEvidence:
    """What is told of a game whose rules broke over what is stored of it."""
    text = f"expected the rules of game {name} to follow what is stored of it, got {type(error).__name__} ({error})"
    hint = "nothing of it was changed; this is a fault of the program or of the game's data: report it"
    return BadEvidence("game.broken", text, hint)


def keep_missing(home: Home, row: StoredGame, folder: Path) -> None:
    """Make and keep the summary of a game that has none, with the data of a folder or this program's own."""
    from pbem.app.catalogue import Known

    if kept_summary(home, row.game_id) is None:
        status = fresh_status(home, row, Known((folder,), ours_too=True))
        with home.writing(row.game_id) as writer:
            if kept_summary(writer, row.game_id) is None:
                writer.put_status(status)

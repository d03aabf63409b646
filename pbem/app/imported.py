"""What an import did, game by game."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.errors import BadRequest, PbemError
from pbem.log.verify import Verified


@dataclass(slots=True)
class Imported:
    """What became of one game's events, and what the program answered by itself.

    `beside` tells of what is wrong nowhere and no part of the narrative: withdrawals, and what mails brought too late.
    `fork` says who has signed twice, `rivals` both events, one line each; `settled` what was settled by this import,
    and `cut_off` counts events that stand behind an overruled one; `missing` says what has to come first.
    """

    game: str
    taken: int = 0
    known: int = 0
    early: int = 0
    refused: list[PbemError] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    missing: str = ""
    fork: str = ""
    rivals: list[str] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    cut_off: int = 0
    joined: dict[str, str] = field(default_factory=dict)
    game_id: str = ""


@dataclass(slots=True)
class ImportResult:
    """Everything that one `pbem import` did."""

    games: list[Imported] = field(default_factory=list)
    proposals: list[Verified] = field(default_factory=list)
    failed: list[PbemError] = field(default_factory=list)


def took_something(result: ImportResult) -> bool:
    """Whether anything new came: events for the log or to be kept, or a proposal."""
    return any(game.taken or game.early or game.cut_off for game in result.games) or bool(result.proposals)


def require_something(result: ImportResult) -> None:
    """Raise the first failure when nothing at all was taken in, nor was there anything known."""
    taken = took_something(result) or any(game.known or game.beside for game in result.games)
    failures = [*result.failed, *(reason for game in result.games for reason in game.refused)]
    if failures and not taken:
        raise failures[0]
    if not taken and not failures:
        raise BadRequest("import.nothing", "expected a turn file, got none", "look whether it is the file you mean")

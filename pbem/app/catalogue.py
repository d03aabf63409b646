"""The games that this installation has: ours, and those of other packages (entry points `pbem.games`).

A game's data files are read here, since the games themselves do no input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module, metadata, resources
from pathlib import Path
from typing import Any

from pbem.errors import BadDisk, BadEvidence, BadRequest
from pbem.log.event import RulesetName
from pbem.rules.ruleset import Ruleset

GROUP = "pbem.games"
OURS: Mapping[str, str] = {
    "polska1939": "pbem.games.polska1939.ruleset:Polska1939",
    "westerplatte": "pbem.games.westerplatte.ruleset:Westerplatte",
    "white_eagle": "pbem.games.white_eagle.ruleset:WhiteEagle",
}
MAX_DATA_BYTES = 16 * 2**20

Games = Callable[[RulesetName], Ruleset[Any]]


@cache
def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(sorted({*OURS, *(point.name for point in metadata.entry_points(group=GROUP))}))


@cache
def ruleset(name: str, folder: Path | None = None) -> Ruleset[Any]:
    """A game by name, with its own data or those of `folder`; BadRequest when there is none."""
    kind = _class(name)
    built_in = kind(_files_of(kind))
    if folder is None:
        return built_in
    own = kind(_files_in(folder))
    own.check_data(built_in)
    return own


def for_proposal(folder: Path | None = None) -> Games:
    """A function from the ruleset that a proposal names to the one that is here."""

    def find(wanted: RulesetName) -> Ruleset[Any]:
        if wanted.name not in names():
            raise BadEvidence(
                "campaign.game",
                f"expected one of {', '.join(names())}, got a game of '{wanted.name}'",
                "install the package that brings this game",
            )
        return ruleset(wanted.name, folder)

    return find


def _class(name: str) -> type[Ruleset[Any]]:
    if name in OURS:
        module, attribute = OURS[name].split(":")
        found: type[Ruleset[Any]] = getattr(import_module(module), attribute)
        return found
    for point in metadata.entry_points(group=GROUP, name=name):
        plugin: type[Ruleset[Any]] = point.load()
        return plugin
    raise BadRequest("game.ruleset", f"expected one of {', '.join(names())}, got '{name}'", "see `pbem games`")


def _files_of(kind: type[Ruleset[Any]]) -> dict[str, bytes]:
    folder = resources.files(kind.__module__.rpartition(".")[0]) / "data"
    if not folder.is_dir():
        return {}
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


def _files_in(folder: Path) -> dict[str, bytes]:
    try:
        files = {entry.name: entry.read_bytes() for entry in sorted(folder.iterdir()) if entry.is_file()}
    except OSError as error:
        raise BadDisk(
            "data.folder", f"expected a readable folder of data files, got {folder} ({error.strerror})"
        ) from None
    if sum(map(len, files.values())) > MAX_DATA_BYTES:
        raise BadRequest(
            "data.too_large", f"expected at most {MAX_DATA_BYTES} bytes of data files in {folder}, got more"
        )
    return files

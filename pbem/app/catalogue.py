"""The games that this installation has: ours, and those of other packages (entry points `pbem.games`).

A game is found by its name; its class is the version that new games are proposed with, and names the others that can
still, or already, be played (`Ruleset.versions`). A game's data files are read here, since the games themselves do no
input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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
def ruleset(name: str, folder: Path | None = None, version: int | None = None) -> Ruleset[Any]:
    """A game by name, with its own data or those of `folder`, at its present version or another one.

    BadRequest when there is none.
    """
    kind = _version(name, version)
    built_in = kind(_files_of(kind))
    if folder is None:
        return built_in
    own = kind(_files_in(folder))
    own.check_data(built_in)
    return own


def versions(name: str) -> tuple[Ruleset[Any], ...]:
    """Every version of a game that can be played, with its own data, the oldest first."""
    return tuple(ruleset(name, None, version) for version in sorted(_kinds(name)))


@dataclass(frozen=True, slots=True)
class Known:
    """Finds the rules that a proposal or a motion names.

    With `folders` of data, only those in them, and in the folders that they hold, are found; with `ours_too` the game's
    own as well.
    """

    folders: tuple[Path, ...] = ()
    ours_too: bool = False

    def __call__(self, wanted: RulesetName) -> Ruleset[Any]:
        """The rules of that name, version and digest, else the nearest here; BadEvidence for an unknown game."""
        if wanted.name not in names():
            raise BadEvidence(
                "campaign.game",
                f"expected one of {', '.join(names())}, got a game of '{wanted.name}'",
                "install the package that brings this game",
            )
        version = wanted.version if wanted.version in _kinds(wanted.name) else None
        kind = _version(wanted.name, version)
        for folder in self._data():
            if _digest_in(folder, kind) == wanted.digest:
                return ruleset(wanted.name, folder, version)
        ours = ruleset(wanted.name, None, version)
        is_ours = not self.folders or (self.ours_too and ours.digest == wanted.digest)
        return ours if is_ours else ruleset(wanted.name, self._folder_with(kind), version)

    def where_named(self, name: str, lines: Iterable[bytes]) -> Known:
        """These, with the game's own data too where lines of a log name data of the folders.

        A game may have been changed to them, or may be, and was played with others before.
        """
        digests = {
            _digest_in(folder, kind).encode("ascii")
            for folder in self._data()
            for kind in (_kinds(name).values() if name in names() else ())
        }
        is_named = any(digest in line for line in lines for digest in digests)
        return replace(self, ours_too=True) if is_named else self

    def _folder_with(self, kind: type[Ruleset[Any]]) -> Path:
        """The first folder that has any data of a game, or the first of all."""
        found = (folder for folder in self._data() if any((folder / name).is_file() for name in kind.data_names))
        return next(found, self.folders[0])

    def _data(self) -> Iterator[Path]:
        for folder in self.folders:
            yield folder
            yield from sorted(entry for entry in folder.iterdir() if entry.is_dir())


def for_proposal(folder: Path | None = None) -> Known:
    """A function from the ruleset that a proposal or a motion names to the one that is here."""
    return Known((folder,) if folder else ())


def for_log(games: Games, name: str, lines: Iterable[bytes]) -> Games:
    """The same for a whole log of a game of that name, which may name several rulesets."""
    return games.where_named(name, lines) if isinstance(games, Known) and games.folders else games


def _class(name: str) -> type[Ruleset[Any]]:
    if name in OURS:
        return _loaded(OURS[name])
    for point in metadata.entry_points(group=GROUP, name=name):
        plugin: type[Ruleset[Any]] = point.load()
        return plugin
    raise BadRequest("game.ruleset", f"expected one of {', '.join(names())}, got '{name}'", "see `pbem games`")


def _loaded(place: str) -> type[Ruleset[Any]]:
    module, attribute = place.split(":")
    found: type[Ruleset[Any]] = getattr(import_module(module), attribute)
    return found


@cache
def _kinds(name: str) -> Mapping[int, type[Ruleset[Any]]]:
    """Every version of a game by its number."""
    present = _class(name)
    return {kind.version: kind for kind in (*map(_loaded, present.versions), present)}


def _version(name: str, version: int | None) -> type[Ruleset[Any]]:
    if version is None:
        return _class(name)
    kinds = _kinds(name)
    if version not in kinds:
        here = ", ".join(map(str, sorted(kinds)))
        text = f"expected a version of {name} that is here ({here}), got version {version}"
        raise BadRequest("game.version", text, "`pbem games` lists them; a newer package may bring others")
    return kinds[version]


def _files_of(kind: type[Ruleset[Any]]) -> dict[str, bytes]:
    folder = resources.files(kind.__module__.rpartition(".")[0]) / "data"
    if not folder.is_dir():
        return {}
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


def _digest_in(folder: Path, kind: type[Ruleset[Any]]) -> str:
    """Digest of a version with the data files that a folder has for it."""
    paths = {name: folder / name for name in kind.data_names}
    small = {name: path for name, path in paths.items() if path.is_file() and path.stat().st_size <= MAX_DATA_BYTES}
    return kind.digest_of({name: path.read_bytes() for name, path in small.items()})


def _files_in(folder: Path) -> dict[str, bytes]:
    try:
        files = {entry.name: entry.read_bytes() for entry in sorted(folder.iterdir()) if entry.is_file()}
    except OSError as error:
        raise BadDisk(
            "data.folder",
            f"expected a readable folder of data files, got {folder} ({error.strerror})",
            "name the folder that holds them with --data",
        ) from None
    if sum(map(len, files.values())) > MAX_DATA_BYTES:
        raise BadRequest(
            "data.too_large",
            f"expected at most {MAX_DATA_BYTES} bytes of data files in {folder}, got more",
            "keep nothing else in that folder",
        )
    return files

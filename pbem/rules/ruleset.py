"""What a game package hands to the rest of the program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import orjson

from pbem.errors import BadRequest
from pbem.log.enumeration import cut
from pbem.log.event import Role
from pbem.log.hashing import digest
from pbem.rules.picture import Picture
from pbem.rules.play import Answer, Disclosed, Outcome, Question, Report, Rules
from pbem.rules.tables import Table

S = TypeVar("S")
Choose: TypeAlias = Callable[[int], int]
"""A number from 0 below its argument, from whatever source the caller has."""
Bot: TypeAlias = Callable[[Question[Any], Any, Choose], Answer]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that a result has, of which the mean is told; with `is_chance` it is 1 or 0, and told in percent."""

    name: str
    value: Callable[[Any], int]
    unit: str = ""
    is_chance: bool = False


@dataclass(frozen=True, slots=True)
class Experiment:
    """Something that could be ordered, as a rule that asks nothing, and how its result is named.

    `measures` sum all results up, where a game has many.
    """

    title: str
    rule: Callable[[], Rules[Any]]
    result: Callable[[Any], str]
    measures: tuple[Measure, ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """What the author of a legal order should know before he signs it; `vain` when it cannot succeed.

    `order` is empty for what no order says. What `warns` is told again behind the signature: it may be a mistake.
    """

    order: str
    text: str
    vain: bool = False
    warns: bool = False


@dataclass(frozen=True, slots=True)
class GuideLine:
    """A rule in the program's own words: its number (`combat.8`), the heading that it stands under, one line."""

    rule: str
    heading: str
    text: str


class Ruleset(ABC, Generic[S]):
    """One game at one version, with its data. Pure: whoever makes one has read the data files."""

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    roles: ClassVar[tuple[Role, ...]]
    scenarios: ClassVar[tuple[str, ...]]
    turns: ClassVar[int]
    data_names: ClassVar[tuple[str, ...]]
    """Names of the files that the game's data are in; whatever else lies in a folder is not read."""
    versions: ClassVar[tuple[str, ...]] = ()
    """Other versions that can be played, each as `package.module:Class` with data of its own; new games are of this."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = {name: files[name] for name in sorted(self.data_names) if name in files}
        self.digest = self.digest_of(files)

    @classmethod
    def digest_of(cls, files: Mapping[str, bytes]) -> str:
        """Digest of this version with these data (64 hex digits); nothing of them is read."""
        parts = [part for name in sorted(cls.data_names) if name in files for part in (name.encode(), files[name])]
        return digest("pbem/ruleset/v1", cls.name.encode(), cls.version.to_bytes(4, "big"), *parts).hex()

    def check_data(self, built_in: Ruleset[S]) -> None:
        """Raise BadRequest when these data, a player's own transcription, could stop a game played with them."""

    def refuse_unknown(self, scenario: str, options: Mapping[str, int | str | bool]) -> None:
        """Raise BadRequest for a scenario that the game does not have, and for any option, in a game without them."""
        if scenario not in self.scenarios:
            raise BadRequest("game.scenario", f"expected one of {', '.join(self.scenarios)}, got '{scenario}'")
        if options:
            raise BadRequest("game.options", f"expected no options for {self.name}, got {cut(sorted(options))}")

    @abstractmethod
    def begin(self, scenario: str, options: Mapping[str, int | str | bool]) -> S:
        """The state before the first decision; BadRequest for options that the game does not know."""

    @abstractmethod
    def play(self, state: S) -> Rules[Outcome]:
        """The rules from any state that `begin`, a checkpoint or `read_position` gave."""

    def encode(self, state: S) -> bytes:
        """A state's bytes: equal states give equal bytes, and `decode` reads them."""
        return orjson.dumps(state, option=orjson.OPT_SORT_KEYS)

    @abstractmethod
    def decode(self, data: bytes) -> S:
        """The state of `encode`."""

    @abstractmethod
    def turn_of(self, state: S) -> int:
        """The game turn (from 1), for subjects and summaries."""

    @abstractmethod
    def position_lines(self, state: S) -> Sequence[str]:
        """The position as text: what `read_position` reads back."""

    @abstractmethod
    def read_position(self, text: str) -> S:
        """The state of a position text; BadRequest with line and column."""

    def upgrade(self, state: bytes, position: str, version: int) -> S:  # noqa: ARG002 - for versions that need them
        """The state in which these rules go on with a game that `version` of them has played up to here.

        `state` is what that version's `encode` gives, `position` its text; seals in it must stay in it. BadRequest for
        a position that cannot be carried over. Given by this very version, both must give that state itself.
        """
        return self.read_position(position)

    @abstractmethod
    def picture(self, state: S | None) -> Picture:
        """The map, with the counters of `state` on it."""

    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """Every table and printed figure of the game, with its source."""

    @abstractmethod
    def guide(self) -> Sequence[GuideLine]:
        """The rules in short, in the order in which one reads them; no part of the digest."""

    @abstractmethod
    def question_text(self, question: Question[Any], state: S) -> str:
        """What is asked, in one line: `card S7: order up to 4 units`."""

    @abstractmethod
    def order_sheet(self, question: Question[Any], state: S) -> Sequence[str]:
        """The lines of a sheet: what is asked, how orders are written, the legal choices as comments."""

    @abstractmethod
    def read_orders(self, question: Question[Any], state: S, text: str) -> Answer:
        """The answer that a sheet gives, checked by the question; Refused with line and column of every reason."""

    @abstractmethod
    def write_orders(self, answer: Answer) -> str:
        """An answer in the order language, one order a line."""

    def remarks(self, answer: Answer, state: S) -> Sequence[Remark]:  # noqa: ARG002 - for games with something to say
        """What can be said of the orders of a legal answer as things stand, each order as `write_orders` has it."""
        return ()

    def audit(self, state: S, openings: Sequence[Disclosed]) -> Sequence[Report]:  # noqa: ARG002 - as above
        """What is to be told of what was left sealed until the end, when `state` was the last position.

        For games in which hidden counters must be exactly an order of battle; a report under the rule `breach` goes
        on the record as one. It is asked once in every game that all have closed, and changes no digest.
        """
        return ()

    @abstractmethod
    def check_standing(self, role: Role, text: str) -> None:
        """Refused for standing orders that this game does not know or that could never answer for `role`.

        Blank text is right: it takes standing orders back.
        """

    @abstractmethod
    def standing_forms(self) -> Sequence[str]:
        """Every form of a standing order with a comment that explains it: `pass always   # on every card`."""

    @abstractmethod
    def standing_answer(self, question: Question[Any], state: S, text: str) -> Answer | None:
        """What standing orders answer, None when they leave the question to the player; Refused for bad text."""

    def routine(self, role: Role) -> str:
        """Standing orders that leave what is routine to the program: what a demo gives both sides. None by default."""
        del role
        return ""

    @abstractmethod
    def experiments(self, state: S, text: str) -> Sequence[Experiment]:
        """What `text` would order in `state`, each with chances of its own; Refused for what nobody could order."""

    @abstractmethod
    def bots(self) -> Mapping[str, Bot]:
        """Programs that answer every question; `random` and `good` at least."""

"""The second version as a ruleset."""

from __future__ import annotations

from typing import ClassVar

from pbem.rules.play import Outcome, Rules
from toy import rules
from toy.ruleset import Toy
from toy.state import State


class SecondToy(Toy):
    """The toy with a mended rule 2.4 and a mended figure."""

    version: ClassVar[int] = 2
    versions: ClassVar[tuple[str, ...]] = ()

    def play(self, state: State) -> Rules[Outcome]:
        return rules.play(self.data, state, holding=1)

"""The second version as a ruleset."""

from __future__ import annotations

from typing import ClassVar

from pbem.errors import BadRequest
from pbem.rules.play import Outcome, Rules
from toy import rules
from toy.ruleset import Toy
from toy.state import State


class SecondToy(Toy):
    """The toy with a mended rule 2.4 and a mended figure."""

    version: ClassVar[int] = 2
    versions: ClassVar[tuple[str, ...]] = ()

    def upgrade(self, state: bytes, position: str, version: int) -> State:  # noqa: ARG002
        """From the encoded state; no later turn than the first is taken over while rain falls, so that there is one."""
        carried = self.decode(state)
        if version == 1 and carried.weather == "rain" and carried.turn > 1:
            raise BadRequest("toy.rain", "expected a turn without rain, got one with it", "wait for the next turn")
        return carried

    def play(self, state: State) -> Rules[Outcome]:
        return rules.play(self.data, state, holding=1)

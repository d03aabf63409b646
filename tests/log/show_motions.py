"""What motions do to a show game: where in its script it stands, and which motion waits for its consent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pbem.log.event import UNILATERAL, Change, Consent, Registration, Role
from pbem.log.verify import Verified

C = TypeVar("C", bound=Change)
EMPTY: dict[str, Any] = {"step": 0, "days": 0, "seat": None}
"""What a field says in a motion that does not need it; all others are empty texts."""


def changing(model: type[C], what: str, **fields: Any) -> C:
    """A motion or a request of this matter."""
    nothing = {name: EMPTY.get(name, "") for name, field in model.model_fields.items() if field.is_required()}
    return model(**{**nothing, "what": what, **fields})


class Motions:
    """The show game from its proposal on; `at` counts what the script has been given."""

    def __init__(self, result: Mapping[str, str], closing: int) -> None:
        self.at = 0
        self.moved: Verified | None = None
        self.paused = self.refused = False
        self.extra_days = 0
        self.result = result
        self._closing = closing
        self.seated: tuple[Role, Registration, str] | None = None
        self._were: list[int] = []

    def close(self, step: int, events: Sequence[Verified]) -> int | None:
        """Go on behind a step; the step that was gone back to, if one was."""
        self._were.append(self.at)
        motion = next((one for one in events if isinstance(one.event.body, Change)), None)
        if self.moved is not None:
            moved, self.moved = self.moved, None
            agreed = all(isinstance(one.event.body, Consent) and one.event.body.agree for one in events)
            self.refused = not agreed
            return self._carried_out(moved, step) if agreed else None
        if motion is None:
            self.at, self.extra_days, self.refused = self.at + 1, 0, False
            return None
        assert isinstance(motion.event.body, Change)
        if motion.event.kind == "motion" and motion.event.body.what not in UNILATERAL:
            self.moved = motion
            return None
        return self._carried_out(motion, step)

    def _carried_out(self, moved: Verified, step: int) -> int | None:
        body = moved.event.body
        assert isinstance(body, Change)
        self.extra_days, self.refused = body.days, False
        if body.what in ("pause", "resume"):
            self.paused = body.what == "pause"
        elif body.what in ("draw", "concede"):
            self.at, self.result = self._closing, ended(body.what, moved.event.role, step)
        elif body.seat is not None:
            self.seated = (moved.event.role, body.seat, body.address)
        elif body.what == "take_back":
            self.at = self._were[body.step]
            return body.step
        return None


def ended(what: str, author: str, step: int) -> dict[str, str]:
    """The result of a show game that a motion ended."""
    if what == "draw":
        return {"winner": "", "rule": "motion", "text": f"a draw was agreed at step {step}"}
    winner = {"german": "polish", "polish": "german"}[author]
    return {"winner": winner, "rule": "motion", "text": f"{author} conceded at step {step}"}

"""What the log waits for while the rules wait: one demand for each role that they need something from."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.driver import NeedsEntropy
from pbem.log.chain import Tip
from pbem.log.event import Kind, Role
from pbem.log.verify import Demand
from pbem.rules.play import Asking, Opening, Sealed


def demands_of(waiting: object, tips: Mapping[Role, Tip]) -> dict[Role, Demand]:
    """The demands of what a driver waits for, by role; none for an outcome."""
    if isinstance(waiting, NeedsEntropy):
        return dict.fromkeys(tips, Demand("entropy"))
    if isinstance(waiting, Asking):
        kind: Kind = "seal" if waiting.sealed else "answer"
        asked = sorted(waiting.questions, key=lambda question: question.role)
        # a game may name its sides by an enumeration of strings: an event carries plain text
        return {Role(str(question.role)): Demand(kind, question.kind) for question in asked}
    if isinstance(waiting, Opening):
        sealed = sorted(waiting.sealed, key=lambda one: one.role)
        return {one.role: _opening(one) for one in sealed}
    return {}


def _opening(sealed: Sealed) -> Demand:
    return Demand("open", sealed.kind, opens=(bytes.fromhex(sealed.commitment), sealed.step))

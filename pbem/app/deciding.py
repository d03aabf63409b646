"""Deciding: what a sheet is understood as, and its answer signed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.sheets import read_orders
from pbem.app.signing import answer_by_itself, check_may_sign, finish, give_answer
from pbem.app.tenure import check_holds_seat
from pbem.rules import play
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Remark


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was understood, what the program answered by itself afterwards, and what is known to have happened."""

    orders: str
    answered: list[str]
    told: list[str]
    opened: OpenGame
    warnings: Sequence[Remark] = ()


@dataclass(frozen=True, slots=True)
class Understood:
    """What a sheet says, one order a line, and what its author should know of it before he signs."""

    orders: str
    remarks: Sequence[Remark]

    @property
    def vain(self) -> list[Remark]:
        """Orders that cannot succeed as things stand."""
        return [remark for remark in self.remarks if remark.vain]


def check_orders(desk: Desk, name: str, text: str) -> Understood:
    """What would be understood of a sheet; nothing is changed."""
    opened = open_game(desk.home, name, desk.games)
    check_holds_seat(desk.home, opened)
    return understood_in(opened, text)


def understood_in(opened: OpenGame, text: str) -> Understood:
    """The same for an open game, whose role need not be this home's."""
    return _understood(opened, read_orders(opened, text))


def _understood(opened: OpenGame, answer: play.Answer) -> Understood:
    campaign = opened.campaign
    return Understood(campaign.ruleset.write_orders(answer), campaign.ruleset.remarks(answer, campaign.state))


def submit_orders(desk: Desk, name: str, text: str, *, anyway: bool = True) -> Submitted:
    """Sign and store the answer of a sheet, then answer what needs no human.

    Unless `anyway`, Refused for orders that cannot succeed as things stand: they are legal, and cannot be taken back.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        check_holds_seat(writer, opened)
        check_may_sign(writer, opened)
        before = len(opened.campaign.lines)
        answer = read_orders(opened, text)
        understood = _understood(opened, answer)
        if not anyway:
            _refuse_vain(opened, understood)
        give_answer(desk, writer, opened, answer)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    told = [line.text for line in opened.campaign.lines[before:]]
    return Submitted(understood.orders, answered, told, opened, [one for one in understood.remarks if one.warns])


def _refuse_vain(opened: OpenGame, understood: Understood) -> None:
    hint = f"change the sheet, or sign it as it is: `pbem orders {opened.row.name} --submit FILE --anyway`"
    vain = understood.vain
    texts = [f"expected an order that can succeed, got '{one.order}': {one.text}" for one in vain]
    if texts:
        hints = [""] * (len(texts) - 1) + [hint]
        raise Refused([Refusal("orders.vain", text, "", why) for text, why in zip(texts, hints, strict=True)])

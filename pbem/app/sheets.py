"""Order sheets: what a role is asked now, written for whoever decides it, and what a filled-in sheet answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.proposed import motion_lines, waits_for_take_back
from pbem.app.signing import check_not_stopped
from pbem.app.summary import owed
from pbem.app.tenure import check_holds_seat
from pbem.errors import BadRequest
from pbem.log.event import Role
from pbem.rules import play
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.sheet import Sheet, frame, read_sheet

FEWEST_FOREIGN = 3
"""Lines that are no orders before a text is taken for another file."""
MOVING = ("motion", "request", "withdraw", "consent")
"""Kinds that change no orders: who has signed only these at a step gives its orders at a later one."""
TURN_FILE = "BEGIN PBEM TURN FILE"
"""How an armour begins, as it is when nothing has damaged it."""


def present_question(opened: OpenGame) -> play.Question[Any]:
    """What this home's role is asked now; BadRequest that says what the game waits for instead."""
    question = opened.campaign.question(opened.role)
    if question is not None:
        return question
    if opened.campaign.finished or opened.campaign.outcome:
        raise BadRequest("orders.finished", "expected a game in play, got one that is over", "see `pbem log`")
    raise BadRequest(
        "orders.not_asked",
        f"expected a question to {opened.role}, got none: the game waits for {owed(opened.campaign) or 'nobody'}",
        _instead_of_orders(opened),
    )


def _instead_of_orders(opened: OpenGame) -> str:
    """What there is to do where no orders are asked for: a motion is answered first."""
    name, demand = opened.row.name, opened.campaign.awaited().get(opened.role)
    if demand and demand.kind == "consent":
        return f"answer the motion: `pbem motion agree {name}` or `pbem motion refuse {name}`; orders come after it"
    return f"`pbem status {name}` says what to do now"


@dataclass(frozen=True, slots=True)
class Written:
    """A sheet with the game and the step that it is for."""

    game: str
    step: int
    text: str


def order_sheet(desk: Desk, name: str) -> str:
    """The sheet for the present question, framed with game and step."""
    return written_sheet(desk, name).text


def written_sheet(desk: Desk, name: str) -> Written:
    """The same, with the game and the step."""
    opened = open_game(desk.home, name, desk.games)
    if waits_for_take_back(opened.campaign):  # the sheet shows what would be undone
        opened = open_game(desk.home, name, desk.games, whole=True)
    check_holds_seat(desk.home, opened)
    return sheet_of(opened)


def sheet_of(opened: OpenGame) -> Written:
    """The sheet of an open game for its role."""
    check_not_stopped(opened)
    campaign = opened.campaign
    lines = motion_lines(campaign, opened.role)
    if not (campaign.moved and lines):
        question = present_question(opened)
        lines += campaign.ruleset.order_sheet(question, campaign.state)
    sheet = frame(opened.row.name, campaign.place.step, lines)
    return Written(opened.row.name, campaign.place.step, sheet)


def game_of_sheet(text: str) -> str:
    """The game that a sheet names in its frame, empty for one without."""
    return read_sheet(text).game


def read_orders(opened: OpenGame, text: str) -> play.Answer:
    """The answer that a sheet gives to the present question; Refused with every reason."""
    sheet = read_sheet(text)
    _refuse_answered(opened, sheet)
    check_not_stopped(opened)
    question = present_question(opened)
    _refuse_foreign(opened, sheet, text)
    try:
        answer: play.Answer = opened.campaign.ruleset.read_orders(question, opened.campaign.state, text)
    except Refused as refused:
        raise (_no_sheet(opened, sheet) if _is_no_sheet(sheet, refused) else refused) from None
    return answer


def check_sheet(opened: OpenGame, text: str) -> None:
    """Raise Refused when a sheet is of another game or of another step than the present one."""
    sheet = read_sheet(text)
    _refuse_answered(opened, sheet)
    _refuse_foreign(opened, sheet, text)


def _is_no_sheet(sheet: Sheet, refused: Refused) -> bool:
    """Whether a text without a frame is most likely another file: it has lines, and most of them are no orders."""
    unreadable = sum(one.code == "orders.unreadable" for one in refused.refusals)
    return not sheet.game and unreadable >= FEWEST_FOREIGN and 2 * unreadable > len(sheet.lines)


def _no_sheet(opened: OpenGame, sheet: Sheet) -> Refused:
    text = f"expected an order sheet, got a text of {len(sheet.lines)} lines, most of which are no orders"
    hint = f"`pbem orders {opened.row.name} -o orders.txt` writes a sheet to edit"
    return Refused((Refusal("orders.no_sheet", text, "", hint),))


def _refuse_answered(opened: OpenGame, sheet: Sheet) -> None:
    """Refused when the sheet is of a step where this role has answered: most likely it was submitted before."""
    name = opened.row.name
    asked_there = opened.role in opened.campaign.awaited() and sheet.step == opened.campaign.place.step
    signed_there = any(role == opened.role and step == sheet.step for role, step, _ in opened.placed())
    if sheet.step in _moved_at(opened):
        return
    if sheet.game.casefold() == name.casefold() and signed_there and not asked_there:
        text = f"expected orders for a step without any, got a sheet for step {sheet.step}, where yours are signed"
        hint = f"signed orders stay; `pbem status {name}` says what to do now"
        raise Refused((Refusal("orders.answered", text, "", hint),))


def _moved_at(opened: OpenGame) -> set[int]:
    """The steps at which this role has moved or asked for something and signed no orders: their sheets are old ones."""
    said = [(row.step, row.kind in MOVING) for row in opened.rows if row.role == opened.role]
    return {step for step, moves in said if moves} - {step for step, moves in said if not moves}


def _instead(opened: OpenGame, step: int) -> str:
    """What happened at another step instead of orders of this role; empty where that is not known."""
    there = {(row.role == opened.role, row.kind) for row in opened.rows if row.step == step}
    if (True, "motion") in there:
        return ", where you have moved something instead of giving orders"
    if (True, "consent") in there:
        return ", where you have answered what the other side moved or asked for"
    if (False, "motion") in there:
        return ", where the other side has moved something"
    return ", where you have asked for something and the other side had to decide" if (True, "request") in there else ""


def _refuse_foreign(opened: OpenGame, sheet: Sheet, text: str) -> None:
    """Refused when the sheet is of another game or step, or when the text is a turn file instead of a sheet."""
    name, step = opened.row.name, opened.campaign.place.step
    if sheet.game and (sheet.game.casefold(), sheet.step) != (name.casefold(), step):
        why = _instead(opened, sheet.step) if sheet.game.casefold() == name.casefold() else ""
        reason = f"expected a sheet for game {name}, step {step}, got one for {sheet.game}, step {sheet.step}{why}"
        hint = f"write a new one with `pbem orders {name} -o orders.txt`"
        raise Refused((Refusal("orders.old_sheet", reason, "", hint),))
    if not sheet.game and TURN_FILE in text:
        reason = "expected an order sheet, got a turn file"
        hint = f"take it in with `pbem import FILE`; `pbem orders {name} -o orders.txt` writes a sheet"
        raise Refused((Refusal("orders.turn_file", reason, "", hint),))


def seen_by(opened: OpenGame, role: Role, name: str = "") -> OpenGame:
    """The game as the home of another role has it, under a name of that home: for sheets, and to read them."""
    return replace(opened, row=replace(opened.row, role=role, name=name or opened.row.name))

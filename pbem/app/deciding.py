"""Deciding: order sheets out, orders in; standing orders; settling a fork; claiming what has lapsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.app.beside import opened_behind
from pbem.app.claiming import claim_of, dictates, told_of
from pbem.app.current import check_is_current
from pbem.app.delivery import time_left
from pbem.app.desk import Desk
from pbem.app.forks import NAMING_DIGITS, fork_data, fork_sentence, rival_lines, settled_sentence, settlements
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.proposed import motion_lines, waits_for_take_back
from pbem.app.signing import (
    SPARED,
    STANDING,
    answer_by_itself,
    check_may_sign,
    check_not_stopped,
    finish,
    give,
    give_answer,
    identity_at,
    signed,
    standing_orders_of,
    statement_at,
    store,
)
from pbem.app.summary import owed
from pbem.app.tenure import check_holds_seat
from pbem.errors import BadRequest
from pbem.log.event import ADJUDICATOR, Resolve, Role
from pbem.log.fork import Fork
from pbem.log.verify import DAY, Verified, verify_event
from pbem.rules import play
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Remark
from pbem.rules.sheet import Sheet, frame, read_sheet
from pbem.store.reading import Reader
from pbem.store.rows import Draft
from pbem.store.writing import Writer

FEWEST_FOREIGN = 3
"""Lines that are no orders before a text is taken for another file."""
MOVING = ("motion", "request")
"""Kinds that change no orders: who has signed only these at a step gives its orders at a later one."""
TURN_FILE = "BEGIN PBEM TURN FILE"
"""How an armour begins, as it is when nothing has damaged it."""


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


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of standing orders: their text, what they have answered, and what they would answer now."""

    kept: str
    answered: list[str]
    would_answer: str
    opened: OpenGame


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
        f"`pbem status {opened.row.name}` says what to do now",
    )


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


def _refuse_foreign(opened: OpenGame, sheet: Sheet, text: str) -> None:
    """Refused when the sheet is of another game or step, or when the text is a turn file instead of a sheet."""
    name, step = opened.row.name, opened.campaign.place.step
    if sheet.game and (sheet.game.casefold(), sheet.step) != (name.casefold(), step):
        moved = sheet.game.casefold() == name.casefold() and sheet.step in _moved_at(opened)
        why = ", where you have moved something instead of giving orders" if moved else ""
        reason = f"expected a sheet for game {name}, step {step}, got one for {sheet.game}, step {sheet.step}{why}"
        hint = f"write a new one with `pbem orders {name} -o orders.txt`"
        raise Refused((Refusal("orders.old_sheet", reason, "", hint),))
    if not sheet.game and TURN_FILE in text:
        reason = "expected an order sheet, got a turn file"
        hint = f"take it in with `pbem import FILE`; `pbem orders {name} -o orders.txt` writes a sheet"
        raise Refused((Refusal("orders.turn_file", reason, "", hint),))


def check_orders(desk: Desk, name: str, text: str) -> Understood:
    """What would be understood of a sheet; nothing is changed."""
    opened = open_game(desk.home, name, desk.games)
    check_holds_seat(desk.home, opened)
    return understood_in(opened, text)


def understood_in(opened: OpenGame, text: str) -> Understood:
    """The same for an open game, whose role need not be this home's."""
    return _understood(opened, read_orders(opened, text))


def seen_by(opened: OpenGame, role: Role, name: str = "") -> OpenGame:
    """The game as the home of another role has it, under a name of that home: for sheets, and to read them."""
    return replace(opened, row=replace(opened.row, role=role, name=name or opened.row.name))


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


def set_standing_orders(desk: Desk, name: str, text: str, *, now: bool = False) -> Standing:
    """Check and keep standing orders, empty text to forget them.

    A question that is open already was read by the player: they answer it only if that is wanted `now`.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        _check_standing(opened, text)
        if text.strip():
            writer.put_draft(Draft(opened.row.game_id, STANDING, text))
        else:
            writer.drop_draft(opened.row.game_id, STANDING)
        would_answer = "" if now else _spare(writer, opened)
        if now:
            writer.drop_draft(opened.row.game_id, SPARED)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return Standing(text, answered, would_answer, opened)


def _spare(writer: Writer, opened: OpenGame) -> str:
    """Leave the question that is open to the player; what standing orders would answer to it, one order a line."""
    question = None if opened.fork else opened.campaign.question(opened.role)
    writer.drop_draft(opened.row.game_id, SPARED)
    if question is None or opened.campaign.awaited()[opened.role].kind != "answer":
        return ""
    answer = standing_orders_of(writer, opened)(question)
    writer.put_draft(Draft(opened.row.game_id, SPARED, opened.campaign.place.prev))
    if answer is None or question.check(answer):
        return ""
    return str(opened.campaign.ruleset.write_orders(answer))


def _check_standing(opened: OpenGame, text: str) -> None:
    campaign = opened.campaign
    campaign.ruleset.check_standing(opened.role, text)


def standing_orders(desk: Desk, name: str) -> str:
    """The standing orders of a game as they were written."""
    return desk.home.draft(desk.home.game(name).game_id, STANDING) or ""


def resolve_fork(desk: Desk, name: str, keep: str = "") -> OpenGame:
    """Name the event of another role that survives a fork; `keep` is its id or the beginning of it.

    Without `keep` it is the only one that can stand, if dice behind one are known; else BadRequest names both.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        if opened.fork is None:
            text = f"expected a game that is stopped by a fork, got {opened.row.name}, which is not"
            raise BadRequest("resolve.none", text, f"`pbem status {opened.row.name}` says what to do now")
        _check_is_theirs(opened, opened.fork)
        check_is_current(writer, opened)
        rivals = (opened.fork.first, opened.fork.second)
        keep = keep or (fork_data(opened) or {})["binding"]
        chosen = [rival for rival in rivals if len(keep) >= 8 and rival.id.startswith(keep)]
        if len(chosen) != 1:
            raise _no_rival(opened, keep)
        (dropped,) = (rival for rival in rivals if rival is not chosen[0])
        if opened_behind(dropped, signed_events(writer, opened.row.game_id)):
            raise BadRequest(
                "resolve.dice_known",
                f"expected the event to stand behind which dice are known, {dropped.id[:16]}, got the other one",
                "with the other one the same links would roll again, and its author could have chosen the result: "
                f"`pbem motion resolve {opened.row.name} --keep {dropped.id[:16]}`",
            )
        body = Resolve(role=chosen[0].event.role, keep=chosen[0].id, drop=dropped.id)
        statement = statement_at(opened.campaign.place, opened.role, body, desk.clock())
        verified = verify_event(signed(identity_at(desk, writer, opened), statement), opened.campaign.roster)
        store(writer, opened, verified, desk.clock(), "aside")
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, name, desk.games)
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
        opened.news = _news(desk, writer, opened, verified)
    return opened


def _check_is_theirs(opened: OpenGame, fork: Fork) -> None:
    """Raise BadRequest for a fork of this home's own role, whichever event it would keep."""
    if fork.first.event.role == opened.role:
        raise BadRequest(
            "resolve.own",
            f"expected a fork of another role, got one of {opened.role}'s own",
            f"the other side settles it: send both events with `pbem export {opened.row.name} -o turn.eml --eml`",
        )


def _news(desk: Desk, reader: Reader, opened: OpenGame, resolution: Verified) -> list[str]:
    """What a settlement of this home's means, and what is known to have happened from an event that did not count."""
    whole = open_game(reader, opened.row.game_id, desk.games, whole=True)
    news = []
    for settled in (one for one in settlements(whole) if one.resolution == resolution.id):
        lines = [line.text for line in whole.campaign.lines if line.step >= settled.step] if settled.stood else []
        news += [settled_sentence(settled, opened.role), *(f"  > {line}" for line in lines)]
    return news


def _no_rival(opened: OpenGame, keep: str) -> BadRequest:
    """What to say instead of a name that is none of the two: both events in words, and how each is named."""
    found = fork_data(opened)
    assert found is not None
    who, first, second = fork_sentence(found, opened.role), *rival_lines(found)
    stands = found["binding"] or found["rivals"][0]["event"]
    got = f"'{keep}'" if keep else "none"
    return BadRequest(
        "resolve.event",
        f"expected the first digits (8 or more) of one of two events, got {got}: {who}; {first}; {second}",
        f"for example `pbem motion resolve {opened.row.name} --keep {stands[:NAMING_DIGITS]}`",
    )


def claim_lapse(desk: Desk, name: str, dice: Sequence[str] = ()) -> OpenGame:
    """State that another role owes what the game waits for beyond the agreed deadline (the remedy of the proposal).

    `dice` are the results of every roll, as a player spells them, where the claim dictates them.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        owing = _owing(opened, desk.clock())
        if dictates(opened.campaign, owing):
            answer_by_itself(desk, writer, opened)
        before = len(opened.campaign.lines)
        give(desk, writer, opened, claim_of(opened, owing, dice))
        opened.news = told_of(opened.campaign, before)
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return opened


def _owing(opened: OpenGame, now: int) -> Role:
    place = opened.campaign.place
    if place.refereed:
        judge, article = place.judge, "an" if place.judge == ADJUDICATOR else "a"
        hint = f"ask the {judge} to rule: what is owed is opened from what was deposited, or becomes its default"
        raise BadRequest(
            "lapse.referee", f"expected a game without {article} {judge}, got one whose {judge} rules", hint
        )
    owing = [role for role in sorted(opened.campaign.awaited()) if role != opened.role]
    if not owing or opened.campaign.outcome:
        hint = f"`pbem status {opened.row.name}` says what to do now"
        raise BadRequest("lapse.nobody", "expected somebody else to owe something, got nobody", hint)
    if not place.deadline_days:
        raise BadRequest(
            "lapse.no_deadline",
            "expected a game with a deadline, got one that was agreed without",
            "a deadline is agreed on when a game is proposed: `pbem new … --deadline-days 7`; `pbem forget "
            f"{opened.row.name} --anyway` puts this game aside",
        )
    if place.runs_since is None:
        hint = (
            f"`pbem motion resume {opened.row.name}` lets it run again, or a deadline run for whoever does not let it"
        )
        raise BadRequest("lapse.paused", "expected a game whose clock runs, got one that is paused", hint)
    due = place.runs_since + place.deadline_days * DAY
    if now < due:
        left = time_left(due - now, place.deadline_days)
        hint = f"`pbem status {opened.row.name}` says until when"
        raise BadRequest("lapse.too_early", f"expected the deadline to be over, got {left}", hint)
    return owing[0]

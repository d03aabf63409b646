"""Deciding: order sheets out, orders in; standing orders; settling a fork; claiming what has lapsed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.app.beside import opened_behind
from pbem.app.desk import Desk
from pbem.app.forks import NAMING_DIGITS, fork_data, fork_sentence, rival_lines, settled_sentence, settlements
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.app.signing import STANDING, answer_by_itself, finish, give, give_answer, signed, statement_at, store
from pbem.app.summary import owed
from pbem.errors import BadRequest
from pbem.log.event import Lapse, Resolve, Role
from pbem.log.verify import DAY, Verified, verify_event
from pbem.rules import play
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.sheet import Sheet, frame, read_sheet
from pbem.store.reading import Reader
from pbem.store.rows import Draft

TURN_FILE = "BEGIN PBEM TURN FILE"
"""How an armour begins, as it is when nothing has damaged it."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was understood, what the program answered by itself afterwards, and what is known to have happened."""

    orders: str
    answered: list[str]
    told: list[str]
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


def order_sheet(desk: Desk, name: str) -> str:
    """The sheet for the present question, framed with game and step."""
    opened = open_game(desk.home, name, desk.games)
    question = present_question(opened)
    campaign = opened.campaign
    return frame(opened.row.name, campaign.place.step, campaign.ruleset.order_sheet(question, campaign.state))


def read_orders(opened: OpenGame, text: str) -> play.Answer:
    """The answer that a sheet gives to the present question; Refused with every reason."""
    sheet = read_sheet(text)
    _refuse_answered(opened, sheet)
    question = present_question(opened)
    _refuse_foreign(opened, sheet, text)
    answer: play.Answer = opened.campaign.ruleset.read_orders(question, opened.campaign.state, text)
    return answer


def _refuse_answered(opened: OpenGame, sheet: Sheet) -> None:
    """Refused when the sheet is of a step where this role has answered: most likely it was submitted before."""
    name = opened.row.name
    signed_there = any(role == opened.role and step == sheet.step for role, step, _ in opened.placed())
    if sheet.game.casefold() == name.casefold() and signed_there:
        text = f"expected orders for a step without any, got a sheet for step {sheet.step}, where yours are signed"
        hint = f"signed orders stay; `pbem status {name}` says what to do now"
        raise Refused((Refusal("orders.answered", text, "", hint),))


def _refuse_foreign(opened: OpenGame, sheet: Sheet, text: str) -> None:
    """Refused when the sheet is of another game or step, or when the text is a turn file instead of a sheet."""
    name, step = opened.row.name, opened.campaign.place.step
    if sheet.game and (sheet.game.casefold(), sheet.step) != (name.casefold(), step):
        reason = f"expected a sheet for game {name}, step {step}, got one for {sheet.game}, step {sheet.step}"
        hint = f"write a new one with `pbem orders {name} -o orders.txt`"
        raise Refused((Refusal("orders.old_sheet", reason, "", hint),))
    if not sheet.game and TURN_FILE in text:
        reason = "expected an order sheet, got a turn file"
        hint = f"take it in with `pbem import FILE`; `pbem orders {name} -o orders.txt` writes a sheet"
        raise Refused((Refusal("orders.turn_file", reason, "", hint),))


def check_orders(desk: Desk, name: str, text: str) -> str:
    """What would be understood of a sheet; nothing is changed."""
    opened = open_game(desk.home, name, desk.games)
    written: str = opened.campaign.ruleset.write_orders(read_orders(opened, text))
    return written


def submit_orders(desk: Desk, name: str, text: str) -> Submitted:
    """Sign and store the answer of a sheet, then answer what needs no human."""
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games)
        before = len(opened.campaign.lines)
        answer = read_orders(opened, text)
        give_answer(desk, writer, opened, answer)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    told = [line.text for line in opened.campaign.lines[before:]]
    return Submitted(opened.campaign.ruleset.write_orders(answer), answered, told, opened)


def set_standing_orders(desk: Desk, name: str, text: str) -> list[str]:
    """Check and keep standing orders, empty text to forget them; what they answer at once."""
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games)
        _check_standing(opened, text)
        if text.strip():
            writer.put_draft(Draft(opened.row.game_id, STANDING, text))
        else:
            writer.drop_draft(opened.row.game_id, STANDING)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return answered


def _check_standing(opened: OpenGame, text: str) -> None:
    campaign = opened.campaign
    campaign.ruleset.check_standing(opened.role, text)


def standing_orders(desk: Desk, name: str) -> str:
    """The standing orders of a game as they were written."""
    return desk.home.draft(desk.home.game(name).game_id, STANDING) or ""


def resolve_fork(desk: Desk, name: str, keep: str) -> OpenGame:
    """Name the event of another role that survives a fork; `keep` is its id or the beginning of it."""
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games)
        if opened.fork is None:
            raise BadRequest("resolve.none", f"expected a game that is stopped by a fork, got {opened.row.name}")
        rivals = (opened.fork.first, opened.fork.second)
        chosen = [rival for rival in rivals if len(keep) >= 8 and rival.id.startswith(keep)]
        if len(chosen) != 1:
            raise _no_rival(opened, keep)
        role = chosen[0].event.role
        if role == opened.role:
            raise BadRequest(
                "resolve.own", f"expected a fork of another role, got one of {role}'s own", "the other side settles it"
            )
        (dropped,) = (rival for rival in rivals if rival is not chosen[0])
        if opened_behind(dropped, signed_events(writer, opened.row.game_id)):
            raise BadRequest(
                "resolve.dice_known",
                f"expected the event to stand behind which dice are known, {dropped.id[:16]}, got the other one",
                "with the other one the same links would roll again, and its author could have chosen the result: "
                f"`pbem motion resolve {opened.row.name} --keep {dropped.id[:16]}`",
            )
        body = Resolve(role=role, keep=chosen[0].id, drop=dropped.id)
        statement = statement_at(opened.campaign.place, opened.role, body, desk.clock())
        verified = verify_event(signed(desk.identity(), statement), opened.campaign.roster)
        store(writer, opened, verified, desk.clock(), "aside")
        writer.drop_snapshots(opened.row.game_id)
        opened = open_game(writer, name, desk.games)
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
        opened.news = _news(desk, writer, opened, verified)
    return opened


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
    return BadRequest(
        "resolve.event",
        f"expected the first digits (8 or more) of one of two events, got '{keep}': {who}; {first}; {second}",
        f"for example `pbem motion resolve {opened.row.name} --keep {stands[:NAMING_DIGITS]}`",
    )


def claim_lapse(desk: Desk, name: str) -> OpenGame:
    """State that another role owes what the game waits for beyond the agreed deadline (the remedy of the proposal)."""
    desk.vault()
    with desk.home.writing() as writer:
        opened = open_game(writer, name, desk.games)
        owing = _owing(opened, desk.clock())
        demand = opened.campaign.awaited()[owing]
        give(desk, writer, opened, Lapse(role=owing, demand=demand.kind))
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return opened


def _owing(opened: OpenGame, now: int) -> Role:
    place = opened.campaign.place
    owing = [role for role in sorted(opened.campaign.awaited()) if role != opened.role]
    if not owing or opened.campaign.outcome:
        raise BadRequest("lapse.nobody", "expected somebody else to owe something, got nobody")
    if not place.deadline_days:
        raise BadRequest("lapse.no_deadline", "expected a game with a deadline, got one that was agreed without")
    due = place.since + place.deadline_days * DAY
    if now < due:
        hours = -(-(due - now) // 3600)
        raise BadRequest("lapse.too_early", f"expected the deadline to be over, got {hours} hours left")
    return owing[0]

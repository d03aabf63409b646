"""Standing orders: what answers for the player until he says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import SPARED, STANDING, answer_by_itself, finish, standing_orders_of
from pbem.store.rows import Draft
from pbem.store.writing import Writer


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of standing orders: their text, what they have answered, and what they would answer now."""

    kept: str
    answered: list[str]
    would_answer: str
    opened: OpenGame


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

"""Answers to commands: what a party may know of its game, in lines of text. None of them changes anything.

All of it follows from the log, which both sides have, but for sheets, which are those of the side that asks. What was
deposited with this home is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.app.board import board_text
from pbem.app.deciding import understood_in
from pbem.app.desk import Desk
from pbem.app.moving import reply_in
from pbem.app.opened import OpenGame, open_game
from pbem.app.proposed import waits_for_take_back
from pbem.app.reading import narrative
from pbem.app.sheets import seen_by, sheet_of
from pbem.app.summary import owed
from pbem.errors import PbemError
from pbem.log.enumeration import enumerated
from pbem.rules.refusal import reasons
from pbem.rules.sheet import read_sheet
from pbem.service.bench import DIGITS, MOST_DIGITS, Seat, is_named, named, seat_meant
from pbem.service.commands import RESEND, Asked
from pbem.service.deadlines import RULE, due_at, missing, present, silent
from pbem.service.times import in_words, zone_of

MOST_HISTORY = 40
HELP = (
    "Write one of these words as the subject of a mail or as its first line; behind it the game, if there are several:",
    "by the first digits of its id, six or more, as they stand below. Your own name for a game is not known here.",
    "  status     what the game waits for",
    "  history    the last lines of the story; `history GAME 12` tells it from step 12 on",
    "  map        the board in words, and drawn in a file",
    "  orders     a sheet for your side, as `pbem orders` writes it",
    "  check      with a sheet below it: what would be understood of it; this machine reads what you write there",
    "  who        the parties of the game",
    "  deadline   what is owed, by when, and what happens then",
    "  resend     a turn file that was lost, once more; `resend GAME 12` has everything from step 12 on",
    "  help       this",
    "No command changes a game: what counts comes in a turn file, which `pbem export` writes.",
)
DRAWN = "The attached drawing shows the same on the whole map: open it in a browser."
NOT_DRAWN = "The drawing is left out, since you have had it often enough for one day."


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: a subject, lines, and the `drawing` of a `game` as SVG, empty for none."""

    subject: str
    lines: tuple[str, ...]
    game: str = ""
    drawing: str = ""


def answer(desk: Desk, seats: Sequence[Seat], asked: Asked, *, draw: bool = True) -> Answer:
    """What whoever has these seats is answered; unless `draw`, in words alone."""
    if asked.word in ("", "help"):
        unknown = () if asked.word or not asked.rest else (f"Not understood: {' '.join(asked.rest)}", "")
        return Answer("help", (*unknown, *HELP, "", *_games(seats)))
    seat = seat_meant(seats, asked)
    if seat is None:
        return Answer(f"{asked.word}: which game?", (*_which(seats, asked), *_games(seats)))
    opened = open_game(desk.home, seat.game.game_id, desk.games)
    try:
        told = _ANSWERS[asked.word](desk, opened, seat, asked)
    except PbemError as error:
        told = [line for sentence, hint in reasons(error) for line in (sentence, *_hint(hint))]
    name, digits = opened.row.name, opened.row.game_id[:DIGITS]
    head = f"{opened.campaign.ruleset.title}, game {digits} (here: {name})"
    found = Answer(f"{asked.word} {digits} ({name})", (head, "", *told), name)
    return found if asked.word != "map" else _with_drawing(found, opened, draw)


def _with_drawing(found: Answer, opened: OpenGame, draw: bool) -> Answer:
    said = DRAWN if draw else NOT_DRAWN
    return replace(found, lines=(*found.lines, "", said), drawing=_drawing(opened) if draw else "")


def _drawing(opened: OpenGame) -> str:
    """The board as it stands for everybody: a state holds nothing that only one side may know."""
    from pbem.viewer import svg

    return svg.draw(opened.campaign.ruleset.picture(opened.campaign.state))


def _hint(hint: str) -> list[str]:
    return [f"Hint: {hint}"] if hint else []


def _games(seats: Sequence[Seat]) -> list[str]:
    games = [f"  {seat.game.game_id[:DIGITS]} (here: {seat.game.name}), as {seat.role}" for seat in seats]
    return ["Your games here:", *games]


def _which(seats: Sequence[Seat], asked: Asked) -> list[str]:
    """That it is not known which game is meant, and how it is said."""
    example = f"`{asked.word} {seats[0].game.game_id[:DIGITS]}`"
    wanted = named(seats, asked)
    if wanted and not any(is_named(seat, wanted) for seat in seats):
        return [
            f"Unknown: '{wanted}' is no game of yours here. Your own name for a game is not known here:",
            f"write the first digits of its id, for example {example}.",
        ]
    return [f"Say which game you mean, by the first digits of its id: for example {example}."]


def _status(desk: Desk, opened: OpenGame, seat: Seat, asked: Asked) -> list[str]:
    summary = seat.summary
    lines = [f"Turn {summary['turn']}, step {summary['step']}."]
    if summary["fork"]:
        lines.append("The game is stopped: somebody has signed twice at one place.")
    lines += [f"Waiting for {one['role']}: {one['text']}" for one in summary["waiting"]]
    lines += [f"Proposed: {one['text']}" for one in summary["proposed"]]
    if summary["result"]:
        lines.append(f"Result: {summary['result']['text']} ({summary['result']['rule']})")
    return [*lines, *_deadline(desk, opened, seat, asked)]


def _deadline(desk: Desk, opened: OpenGame, seat: Seat, _: Asked) -> list[str]:
    now, zone = desk.clock(), zone_of(desk.home, seat.mailbox.address)
    if opened.campaign.place.paused:
        return ["The game is paused: no deadline runs."]
    due = due_at(opened)
    if missing(opened):
        return [f"The game has not begun: it waits for {owed(opened.campaign)}, in whose place nobody rules."]
    if not due:
        return ["No deadline runs now."]
    who = enumerated(silent(opened))
    rows = present(desk.home, opened)
    lines = [f"{who} is to answer by {in_words(due, now, zone)}."]
    if RULE in rows and rows[RULE].state == "waiting":
        lines.append(
            f"After that somebody may rule in the place of what is owed, from {in_words(rows[RULE].due, now, zone)}."
        )
    return lines


def _history(desk: Desk, opened: OpenGame, seat: Seat, asked: Asked) -> list[str]:
    said = asked.rest[bool(named([seat], asked)) :]
    steps = [int(word) for word in said if word.isdecimal() and len(word) <= MOST_DIGITS]
    lines = narrative(desk, opened.row.game_id, steps[0] if steps else 0)
    lines = lines[:MOST_HISTORY] if steps else lines[-MOST_HISTORY:]
    return [f"{line.step:5}  {line.text} ({line.rule})" for line in lines] or ["Nothing has happened on the board yet."]


def _map(_: Desk, opened: OpenGame, __: Seat, ___: Asked) -> list[str]:
    return board_text(opened.campaign).splitlines()


def _orders(desk: Desk, opened: OpenGame, seat: Seat, _: Asked) -> list[str]:
    if waits_for_take_back(opened.campaign):  # the sheet shows what would be undone
        opened = open_game(desk.home, opened.row.game_id, desk.games, whole=True)
    return sheet_of(seen_by(opened, seat.role)).text.splitlines()


def _check(_: Desk, opened: OpenGame, seat: Seat, asked: Asked) -> list[str]:
    """What would be understood; a sheet bears the name that the asker's home has for the game."""
    seen = seen_by(opened, seat.role, read_sheet(asked.text).game)
    if reply := reply_in(seen, asked.text):
        return [f"Understood: {reply}.", "Nothing was changed."]
    understood = understood_in(seen, asked.text)
    remarks = [f"  # {one.order}: {one.text}" for one in understood.remarks]
    orders = [f"  {line}" for line in understood.orders.splitlines()]
    return ["Understood, and legal as things stand:", *orders, *remarks, "Nothing was changed."]


def _who(_: Desk, opened: OpenGame, __: Seat, ___: Asked) -> list[str]:
    parties = sorted(opened.campaign.roster.parties.items())
    return [
        f"{role}: {party.name} <{party.address}>{'' if party.key else ' (has not joined yet)'}"
        for role, party in parties
    ]


def _resend(_: Desk, opened: OpenGame, __: Seat, ___: Asked) -> list[str]:
    """What was asked so that it is not understood; everything else is sent, and not answered in words."""
    return [f"Write `resend {opened.row.game_id[:DIGITS]} STEP`, with the number of a step."]


_ANSWERS: Mapping[str, Callable[[Desk, OpenGame, Seat, Asked], list[str]]] = {
    "status": _status,
    "history": _history,
    "map": _map,
    "orders": _orders,
    "check": _check,
    "who": _who,
    "deadline": _deadline,
    RESEND: _resend,
}

"""Deadlines: what is due in a game at which time, set when a step begins and cancelled when it is over.

A step begins when what closed the one before it has come to this home. Of what is due the last is the ruling, all
others are reminders that rise; each belongs to one head of the log, so that what a settled fork has cut off is void.
Nobody rules before play begins, in a pause, and in a game without a deadline; but whoever keeps a game from beginning
is reminded, as if the time for an answer ran.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.ruling import begun_at
from pbem.log.event import Role
from pbem.log.verify import DAY
from pbem.service.bench import BENCH, changed, look_anew
from pbem.store.reading import Reader
from pbem.store.rows import Deadline
from pbem.store.writing import Writer

HALF, LAST_DAY, LATE, RULE = "half", "day", "late", "rule"
RISING = (HALF, LAST_DAY, LATE, RULE)
"""What becomes due in a step, in its order."""
NEVER = frozenset(("accept", "deposit", "close", "vouch"))
"""What nobody can rule in the place of."""
_GRACE = "serve/grace"


def keep_deadlines(desk: Desk, grace: int, worker: str = "") -> None:
    """Set and cancel the deadlines of the games over which this home presides, where the log has gone on."""
    look_anew(desk, "watch", _GRACE, grace)
    for seen, row, summary in changed(desk, worker):
        state = "stopped" if summary["fork"] else "" if summary["turn"] else "preparing"
        mark = f"{summary['head']}/{grace}/{state}".encode("ascii")
        with desk.home.writing(row.game_id) as writer:
            if writer.looked_at(seen, "watch") and writer.meta(_key(row.game_id)) != mark:
                _set(writer, open_game(writer, row.game_id, desk.games), grace)
                writer.put_meta(_key(row.game_id), mark)


def due_at(opened: OpenGame) -> int:
    """When what is owed is late, 0 where it never is: without a deadline, in a pause or a fork, or if none can rule."""
    place, campaign = opened.campaign.place, opened.campaign
    if not place.deadline_days or place.paused or opened.fork or campaign.outcome or not campaign.started:
        return 0
    return begun_at(opened) + place.deadline_days * DAY if silent(opened) else 0


def expected_at(opened: OpenGame) -> int:
    """When a game that has not begun is expected to, 0 where nobody else keeps it from that."""
    days = opened.campaign.place.deadline_days
    return begun_at(opened) + days * DAY if days and missing(opened) else 0


def missing(opened: OpenGame) -> list[Role]:
    """Who keeps a game from beginning, beside this home, in role order."""
    campaign = opened.campaign
    owed = {} if campaign.started or opened.fork else campaign.awaited()
    return sorted(role for role, demand in owed.items() if role != opened.role and demand.kind in NEVER)


def awaited(opened: OpenGame) -> list[Role]:
    """Who is reminded at the present step."""
    return silent(opened) if opened.campaign.started else missing(opened)


def next_due(opened: OpenGame) -> int:
    """Until when they have time, 0 where it never ends."""
    return due_at(opened) or expected_at(opened)


def silent(opened: OpenGame) -> list[Role]:
    """The players who owe something that can be ruled on, in role order."""
    owed = opened.campaign.awaited()
    return sorted(role for role, demand in owed.items() if role not in BENCH and demand.kind not in NEVER)


def named(what: str, opened: OpenGame) -> str:
    """What is due at the present head of a log, as the home's table names it."""
    return f"{what}/{opened.campaign.place.prev[:12]}"


def present(reader: Reader, opened: OpenGame) -> dict[str, Deadline]:
    """The deadlines of the present step by what is due."""
    rows = {row.what: row for row in reader.deadlines(opened.row.game_id) if row.step == opened.campaign.place.step}
    return {what: rows[named(what, opened)] for what in RISING if named(what, opened) in rows}


def rising(begun: int, due: int, grace: int) -> Iterator[tuple[str, int]]:
    """What is due when; there is no reminder a day before where that is in the first half of the time."""
    half = begun + (due - begun) // 2
    yield HALF, half
    if due - DAY > half:
        yield LAST_DAY, due - DAY
    yield LATE, due
    yield RULE, due + grace


def _set(writer: Writer, opened: OpenGame, grace: int) -> None:
    game_id, step, due = opened.row.game_id, opened.campaign.place.step, next_due(opened)
    writer.cancel_deadlines(game_id, step if due else step + 1)
    if due:
        late = present(writer, opened).get(LATE)
        reminded = late.fired if late else 0
        dues = dict(rising(begun_at(opened), due, grace))
        dues[RULE] = max(dues[RULE], reminded + grace)
        if not due_at(opened):
            del dues[RULE]
        writer.set_deadlines(game_id, step, {named(what, opened): at for what, at in dues.items()})


def _key(game_id: str) -> str:
    return f"watched/{game_id}"

"""What `pbem serve --status` and `--health` tell of a service that works, or does not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pbem.cli.frame import as_json, complain, say
from pbem.log.enumeration import counted

if TYPE_CHECKING:
    from pbem.app.desk import Desk


MOST_NAMED = 10
"""Letters left to a person that are named, the last ones."""


def tell_health(desk: Desk, within: int) -> int:
    from pbem.service.condition import why_unwell

    found = why_unwell(desk, within)
    for line in found:
        complain(line)
    if not found:
        say("well")
    return 1 if found else 0


def show_condition(desk: Desk, *, in_json: bool) -> None:
    from pbem.service.condition import condition

    found = condition(desk)
    if in_json:
        as_json(found)
        return
    last, games = found["round"], found["games"]
    _say_workers(found["workers"])
    if last:
        say(
            f"last round: {_time(last['at'])}, {counted(last['letters'], 'letter')}, "
            f"{counted(last['posted'], 'turn file')}, {counted(last['sent'], 'mail')}, "
            f"{counted(last['due'], 'deadline')}"
        )
        if last["closed"]:
            say(f"the mailbox is out of reach since {_time(last['closed'])}")
    say(f"outbox: {', '.join(f'{count} {state}' for state, count in found['outbox'].items()) or 'empty'}")
    say(f"games: {games['all']}, of which {games['running']} run; proposals of {_allowed(found)} are accepted")
    _say_left(found["left"])
    for one in found["deadlines"]:
        say(f"  due {_time(one['due'])}: {one['what']} in {one['game']}, step {one['step']}")
    for one in found["alarms"]:
        say(f"  ALARM {_time(one['at'])} {one['code']}: {one['text']}")


def _say_workers(found: list[dict[str, Any]]) -> None:
    if not found:
        say("service: does not work now")
    for one in found:
        say(f"worker {one['name']}: {', '.join(one['holds']) or 'nothing in hand'}")


def _say_left(found: list[dict[str, Any]]) -> None:
    if found:
        say(f"letters left to a person: {len(found)}")
    for one in found[-MOST_NAMED:]:
        say(f"  {_time(one['at'])}: {one['text']}")


def _allowed(found: dict[str, Any]) -> str:
    return ", ".join(found["allowed"]) or "nobody"


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")

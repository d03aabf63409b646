"""Times in words, for a receiver: the day and the hour in UTC, in the zone of the receiver where it is known, and how
far away that is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import orjson

from pbem.app.delays import span
from pbem.errors import BadRequest
from pbem.rules.refusal import shown
from pbem.store.queue import Queue
from pbem.store.reading import Reader

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_KEY = "serve/zones"


def in_words(at: int, now: int, zone: str = "") -> str:
    """`Friday 8 May 2026, 10:00 UTC (12:00 in Europe/Warsaw), in 2 days`."""
    utc = datetime.fromtimestamp(at, UTC)
    there = "" if not zone else f" ({_there(utc, zone)})"
    far = f"in {span(at - now)}" if at > now else f"{span(now - at)} ago"
    return f"{_day(utc)} {utc.year}, {utc:%H:%M} UTC{there}, {far}"


def _there(utc: datetime, zone: str) -> str:
    """The hour there; with the offset, since in one night of the year an hour comes twice."""
    local = utc.astimezone(ZoneInfo(zone))
    day = "" if local.date() == utc.date() else f"{_day(local)}, "
    return f"{day}{local:%H:%M} in {zone}, UTC{local:%z}"


def _day(when: datetime) -> str:
    return f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"


def zones(reader: Reader) -> dict[str, str]:
    """The zones that are known, by address in lower case."""
    found: dict[str, str] = orjson.loads(reader.meta(_KEY) or b"{}")
    return found


def zone_of(reader: Reader, address: str) -> str:
    """The zone of an address, empty where it is not known."""
    return zones(reader).get(address.casefold(), "")


def keep_zones(queue: Queue, given: Mapping[str, str]) -> None:
    """Remember zones, and forget the empty ones; BadRequest for one that is none."""
    for zone in filter(None, given.values()):
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError):
            raise BadRequest(
                "zone.unknown", f"expected a time zone such as Europe/Warsaw, got '{shown(zone)}'"
            ) from None
    kept = zones(queue) | {address.casefold(): zone for address, zone in given.items()}
    queue.put_meta(_KEY, orjson.dumps({address: zone for address, zone in kept.items() if zone}))

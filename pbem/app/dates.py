"""Times in words, for a receiver: the day and the hour in UTC, in the zone of the receiver where it is known, and how
far away that is where it is read at once."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import orjson

from pbem.app.delays import span
from pbem.store.reading import Reader

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
ZONES = "serve/zones"
"""Where the home keeps the zones that are known, by address in lower case."""


def in_words(at: int, now: int, zone: str = "") -> str:
    """`Friday 8 May 2026, 10:00 UTC (12:00 in Europe/Warsaw, UTC+0200), in 2 days`."""
    return f"{date_in_words(at, zone)}, {f'in {span(at - now)}' if at > now else f'{span(now - at)} ago'}"


def date_in_words(at: int, zone: str = "") -> str:
    """The same without how far away it is, for what is read later."""
    utc = datetime.fromtimestamp(at, UTC)
    there = "" if not zone else f" ({_there(utc, zone)})"
    return f"{_day(utc)} {utc.year}, {utc:%H:%M} UTC{there}"


def _there(utc: datetime, zone: str) -> str:
    """The hour there; with the offset, since in one night of the year an hour comes twice."""
    local = utc.astimezone(ZoneInfo(zone))
    day = "" if local.date() == utc.date() else f"{_day(local)}, "
    return f"{day}{local:%H:%M} in {zone}, UTC{local:%z}"


def _day(when: datetime) -> str:
    return f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"


def zones(reader: Reader) -> dict[str, str]:
    """The zones that are known, by address in lower case."""
    found: dict[str, str] = orjson.loads(reader.meta(ZONES) or b"{}")
    return found


def zone_of(reader: Reader, address: str) -> str:
    """The zone of an address, empty where it is not known."""
    return zones(reader).get(address.casefold(), "")

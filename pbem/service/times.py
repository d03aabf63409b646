"""Times in words, as `pbem.app.dates` has them, and the zones of the parties, which a person tells the home."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

import orjson

from pbem.app.dates import ZONES, in_words, zone_of, zones
from pbem.errors import BadRequest
from pbem.rules.refusal import shown
from pbem.store.queue import Queue

__all__ = ["in_words", "keep_zones", "zone_of"]


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
    queue.put_meta(ZONES, orjson.dumps({address: zone for address, zone in kept.items() if zone}))

"""The board in words, as the commands show it and mails carry it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.engine.campaign import Campaign
from pbem.viewer import text


def board_text(campaign: Campaign[Any], *, whole: bool = False) -> str:
    """The board as text: the units by their places first; if `whole`, then the empty places, and a sketch."""
    picture = campaign.ruleset.picture(campaign.state)
    held = [place for place in picture.places if picture.counters_at(place.id)]
    if whole:
        return text.draw(replace(picture, places=(*held, *(one for one in picture.places if one not in held))))
    return text.draw(replace(picture, places=tuple(replace(place, neighbours=()) for place in held)), sketch=False)

"""Succession of rules: moving that a running game is played on by another version of its rules, or with other data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pbem.app.catalogue import ruleset, versions
from pbem.app.desk import Desk
from pbem.app.foreseen import foreseen
from pbem.app.moving import Moved, move
from pbem.app.opened import OpenGame, open_game
from pbem.engine.new_rules import in_words, named
from pbem.errors import BadRequest
from pbem.log.event import Change, RulesetName


def show_rules(desk: Desk, name: str, version: int | None = None, folder: Path | None = None) -> list[str]:
    """What playing on by other rules would change, in lines; nothing is signed.

    Without a version and data it is what somebody has moved or asked for, where that waits; else the newest version
    that is here. BadRequest for rules that are not here, or by which the game is played already.
    """
    opened = _opened(desk, name, folder)
    waiting = _waiting(opened) if version is None and folder is None else None
    return foreseen(opened.campaign, waiting or _wanted(opened, version, folder))


def move_rules(desk: Desk, name: str, version: int | None = None, folder: Path | None = None, why: str = "") -> Moved:
    """Move or ask that the game is played on by other rules; Refused where they cannot take play up here."""
    wanted = _wanted(_opened(desk, name, folder), version, folder)
    return move(_with(desk, folder), name, {"what": "ruleset", "ruleset": wanted, "why": why})


def _opened(desk: Desk, name: str, folder: Path | None) -> OpenGame:
    return open_game(desk.home, name, _with(desk, folder).games, whole=True)


def _with(desk: Desk, folder: Path | None) -> Desk:
    """The desk with new data beside those that the game has been played with."""
    if folder is None:
        return desk
    return replace(desk, data=folder, also=(*([desk.data] if desk.data else []), *desk.also), ours_too=True)


def _waiting(opened: OpenGame) -> RulesetName | None:
    """The rules that somebody has moved or asked for."""
    campaign = opened.campaign
    bodies = [one.event.body for one in (*([campaign.moved] if campaign.moved else []), *campaign.requests)]
    return next((body.ruleset for body in bodies if isinstance(body, Change) and body.ruleset), None)


def _wanted(opened: OpenGame, version: int | None, folder: Path | None) -> RulesetName:
    present = opened.campaign.ruleset
    newest = versions(present.name)[-1].version if folder is None else present.version
    wanted = named(ruleset(present.name, folder, newest if version is None else version))
    if wanted == named(present):
        raise BadRequest(
            "ruleset.same",
            f"expected other rules than the game is played by, got {in_words(wanted)}, which it is",
            "`pbem games` lists the versions that are here; `--to` names one, `--data` a folder of other data",
        )
    return wanted

"""Lacking: where a mail was lost and no other one brought what was in it, this home asks another party for it.

That can be a referee, who signs nothing by which the players would see what it has, or a home that was restored. It is
asked once the mail is late by the time after which anything is sent again, of one party after the other, and more and
more seldom. The answer is the other side's (`resending`); whoever has no program that gives it reads what to do.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from pbem.app.aside import is_aside
from pbem.app.desk import Desk
from pbem.app.lacking import lacking, who_is_ahead
from pbem.app.opened import OpenGame, open_game
from pbem.app.summary import holds_seat
from pbem.mail.message import Mailbox, Notice
from pbem.service.bench import DIGITS
from pbem.service.commands import RESEND
from pbem.service.notices import post_notice
from pbem.service.record import Tell
from pbem.store.reading import Reader
from pbem.store.rows import NEVER
from pbem.store.writing import Writer

MOST_TRIES = 8


@dataclass(frozen=True, slots=True)
class Lack:
    """Since which step something is missing, when that was seen or asked for last, and how often it was asked for."""

    step: int
    at: int
    tries: int


def ask(desk: Desk, writer: Writer, game_id: str, tell: Tell, again: int) -> bool:
    """Note what a game lacks, or ask for it when that is due; whether a mail was put into the outbox."""
    if not _is_due(_kept(writer, game_id), _lacks(writer, game_id), desk.clock(), again):
        return False
    opened = open_game(writer, game_id, desk.games)
    kept, step, now = _kept(writer, game_id), lacking(writer, opened), desk.clock()
    if not holds_seat(writer, opened) or not _is_due(kept, step, now, again):
        return False
    asks = kept is not None and kept.step == step
    tries = kept.tries + 1 if kept is not None and asks else 0
    writer.put_meta(_key(game_id), orjson.dumps(asdict(Lack(step, now, tries))))
    if asks:
        _ask(desk, writer, opened, tries, tell)
    return asks


def next_at(reader: Reader, game_id: str, again: int) -> int:
    """When something that a game lacks is to be asked for next, unless something changes."""
    kept = _kept(reader, game_id)
    if kept is None or kept.step != _lacks(reader, game_id) or kept.tries >= MOST_TRIES:
        return NEVER
    return kept.at + (again << kept.tries)


def _lacks(reader: Reader, game_id: str) -> int:
    """From which step on something is missing, by the summary of a game that is listed; 0 for nothing."""
    stored = None if is_aside(reader, game_id) else reader.status(game_id)
    lacks: int = orjson.loads(stored.json).get("lacks", 0) if stored else 0
    return lacks


def _is_due(kept: Lack | None, step: int, now: int, again: int) -> bool:
    """Whether something is missing that was not noted yet, or is to be asked for now."""
    if not step:
        return False
    return kept is None or kept.step != step or (kept.tries < MOST_TRIES and now >= kept.at + (again << kept.tries))


def _ask(desk: Desk, writer: Writer, opened: OpenGame, tries: int, tell: Tell) -> None:
    roles, campaign, game_id = who_is_ahead(writer, opened), opened.campaign, opened.row.game_id
    party = campaign.roster.parties[roles[(tries - 1) % len(roles)]]
    profile, step = desk.profile(), campaign.place.step
    request = f"{RESEND} {game_id[:DIGITS]} {step}"
    notice = Notice(
        Mailbox(profile.name, profile.address),
        Mailbox(party.name, party.address),
        request,
        (
            request,
            "",
            f"{campaign.ruleset.title}, game {game_id[:DIGITS]}: a mail has not come. Something of step {step}",
            "is missing here, and later events wait for it. A program that answers mails reads the first line",
            "and sends it again. If you have none, send all you have: `pbem export GAME --all -o all.eml --eml`.",
        ),
        f"<{RESEND}-{step}.{opened.role}.{tries}.{campaign.place.prev[:24]}.{game_id[:16]}@pbem.invalid>",
        desk.clock(),
        submitted="auto-generated",
    )
    post_notice(writer, notice, game_id)
    tell("lacking", game=opened.row.name, step=step, to=party.address, tries=tries)


def _kept(reader: Reader, game_id: str) -> Lack | None:
    kept = reader.meta(_key(game_id))
    return None if kept is None else Lack(**orjson.loads(kept))


def _key(game_id: str) -> str:
    return f"lacking/{game_id}"

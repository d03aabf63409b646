"""Lacking: where a mail was lost and no other one brought what was in it, this home asks another party for it.

That can be a referee, who signs nothing by which the players would see what it has, or a home that was restored. It is
asked once the mail is late by the time after which anything is sent again, of one party after the other, and more and
more seldom. The answer is the other side's (`resending`); whoever has no program that gives it reads what to do.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from pbem.app.aside import listed
from pbem.app.desk import Desk
from pbem.app.lacking import lacking, who_is_ahead
from pbem.app.opened import OpenGame, open_game
from pbem.app.summary import holds_seat
from pbem.errors import PbemError
from pbem.mail.message import Mailbox, Notice, compose_notice
from pbem.service.bench import summary_of
from pbem.service.commands import RESEND
from pbem.service.record import Tell
from pbem.store.reading import Reader
from pbem.store.rows import StoredGame
from pbem.store.writing import Writer

MOST_TRIES = 8
DIGITS = 12
"""Of a game's id, by which a party is asked."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Since which step something is missing, when that was seen or asked for last, and how often it was asked for."""

    step: int
    at: int
    tries: int


def ask_all(desk: Desk, tell: Tell, again: int) -> int:
    """Ask for what every listed game lacks; how many mails that were."""
    return sum(_asked(desk, row, tell, again) for row in listed(desk.home) if _may_ask(desk, row, again))


def _may_ask(desk: Desk, row: StoredGame, again: int) -> bool:
    return _is_due(_kept(desk.home, row.game_id), summary_of(desk, row).get("lacks", 0), desk.clock(), again)


def _is_due(kept: Lack | None, step: int, now: int, again: int) -> bool:
    """Whether something is missing that was not noted yet, or is to be asked for now."""
    if not step:
        return False
    return kept is None or kept.step != step or (kept.tries < MOST_TRIES and now >= kept.at + (again << kept.tries))


def _asked(desk: Desk, row: StoredGame, tell: Tell, again: int) -> bool:
    """Note what a game lacks, or ask for it; one that cannot be opened does not keep the others from going on."""
    try:
        with desk.home.writing(row.game_id) as writer:
            opened = open_game(writer, row.game_id, desk.games)
            kept, step, now = _kept(writer, row.game_id), lacking(writer, opened), desk.clock()
            if not holds_seat(writer, opened) or not _is_due(kept, step, now, again):
                return False
            asks = kept is not None and kept.step == step
            tries = kept.tries + 1 if kept is not None and asks else 0
            writer.put_meta(_key(row.game_id), orjson.dumps(asdict(Lack(step, now, tries))))
            if asks:
                _ask(desk, writer, opened, tries, tell)
        return asks
    except PbemError as error:
        tell("broken", game=row.name, code=error.code, text=error.text)
        return False


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
    writer.post(
        message_id=notice.message_id,
        game_id=game_id,
        receivers=[party.address],
        sender="",
        mail=compose_notice(notice),
        created=desk.clock(),
    )
    tell("lacking", game=opened.row.name, step=step, to=party.address, tries=tries)


def _kept(reader: Reader, game_id: str) -> Lack | None:
    kept = reader.meta(_key(game_id))
    return None if kept is None else Lack(**orjson.loads(kept))


def _key(game_id: str) -> str:
    return f"lacking/{game_id}"

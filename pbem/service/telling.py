"""What a player is told: that something is his to decide, in which game and until when, once for each question; and
once what stops or ends a game.

It is a line of the record, and if he wants a mail to an address of his, with what has happened since he was told last
and the order sheet. A reply to that mail gives no orders: no From proves who wrote it, and a word that stands in the
mail itself would be known to whoever carries it, and to the opponent as soon as somebody quotes it to him.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from pbem.app.aside import listed
from pbem.app.covering import NARRATIVE_LINES
from pbem.app.desk import Desk
from pbem.app.forks import fork_sentence
from pbem.app.reading import narrative
from pbem.app.sheets import written_sheet
from pbem.errors import PbemError
from pbem.log.enumeration import counted
from pbem.mail.message import Mailbox, Notice
from pbem.service.agent import Duties, NoDuties, Round
from pbem.service.bench import summary_of
from pbem.service.notices import post_notice
from pbem.service.record import Tell
from pbem.service.times import in_words, zone_of
from pbem.service.visitors import OURS, TOLD
from pbem.store.faults import is_away
from pbem.store.rows import StoredGame

DECISIONS = ("answer", "seal", "consent")
"""Kinds of what a role can owe that its player decides."""
NO_REPLY = "Your home does not read orders from a reply: no mail proves who wrote it."

Advice = Callable[[dict[str, Any]], str]
"""What the player of a game should do now, by its summary."""


@dataclass(frozen=True, slots=True)
class Herald:
    """Who tells the player of a home; `address` is where mails to him go, empty for none. `first` are the duties that
    come before, so that what they decide is not told as his to decide."""

    desk: Desk
    tell: Tell
    advice: Advice
    address: str = ""
    first: Duties = field(default_factory=NoDuties)

    def fulfil(self, read: bool) -> int:
        """Tell what is new in every listed game; how much was due before."""
        done = self.first.fulfil(read)
        for row in listed(self.desk.home):
            try:
                self._look(row)
            except PbemError as error:  # one game that cannot be opened does not hide the others
                if is_away(error):
                    raise
                self.tell("broken", game=row.name, code=error.code, text=error.text)
        return done

    def note(self, done: Round) -> None:
        self.first.note(done)

    def _look(self, row: StoredGame) -> None:
        summary = summary_of(self.desk, row)
        matters = matters_of(summary)
        kept = self._kept(row.game_id)
        mark = _mark(summary, matters)
        if not matters or kept.get("mark") == mark:
            return
        mail = self._mail(row, summary, matters, kept.get("step", 0)) if self.address else None
        with self.desk.home.writing(row.game_id) as writer:
            if self._kept(row.game_id).get("mark") == mark:
                return
            writer.put_meta(_key(row.game_id), orjson.dumps({"mark": mark, "step": summary["step"]}))
            if mail:
                post_notice(writer, mail, row.game_id)
            self.tell("owed", game=row.name, step=summary["step"], text=self._line(row, summary, matters))

    def _kept(self, game_id: str) -> dict[str, Any]:
        found: dict[str, Any] = orjson.loads(self.desk.home.meta(_key(game_id)) or b"{}")
        return found

    def _line(self, row: StoredGame, summary: dict[str, Any], matters: list[str]) -> str:
        until = self._until(summary)
        return f"{row.name}: {'; '.join(matters)}{until and f', {until}'}. Do now: {self._todo(summary)}"

    def _todo(self, summary: Mapping[str, Any]) -> str:
        """What he should do now: the agent itself sends what is not sent yet."""
        return self.advice({**summary, "unsent": False})

    def _until(self, summary: Mapping[str, Any]) -> str:
        """By when he is to decide, empty where he has for ever."""
        if not (_mine(summary) and summary["due"]) or summary["fork"]:
            return ""
        zone = zone_of(self.desk.home, self.desk.profile().address)
        now, due = self.desk.clock(), summary["due"]
        return f"{'by' if now < due else 'late since'} {in_words(due, now, zone)}"

    # ------------------------------------------------------------------ the mail to himself

    def _mail(self, row: StoredGame, summary: dict[str, Any], matters: list[str], since: int) -> Notice:
        profile, until = self.desk.profile(), self._until(summary)
        turn = f"turn {summary['turn']}, " if summary["turn"] else ""
        lines = (
            f"{summary['title']}, game {row.name} ({row.game_id[:12]}), {turn}step {summary['step']}.",
            "",
            *self._story(row.game_id, since),
            "",
            *(f"{one[:1].upper()}{one[1:]}." for one in matters),
            *([f"Answer {until}." if until.startswith("by") else f"Your answer is {until}."] if until else []),
            f"Do now: {self._todo(summary)}",
            *self._sheet(row.game_id, summary),
        )
        return Notice(
            Mailbox(profile.name, profile.address),
            Mailbox(profile.name, self.address),
            f"{row.name}: {_subject(summary)}",
            lines,
            f"{TOLD}{_mark(summary, matters)[:24]}.{row.game_id[:16]}{OURS}",
            self.desk.clock(),
            submitted="auto-generated",
        )

    def _story(self, game_id: str, since: int) -> list[str]:
        told = [line.text for line in narrative(self.desk, game_id) if line.step >= since]
        left = len(told) - NARRATIVE_LINES
        if left > 0:
            told = [f"({counted(left, 'earlier line')} left out: `pbem log` tells all.)", *told[left:]]
        return ["What happened:", *(f"  {line}" for line in told)] if told else ["Nothing new has happened."]

    def _sheet(self, game_id: str, summary: Mapping[str, Any]) -> list[str]:
        if not _mine(summary) or summary["fork"]:
            return []
        try:
            sheet = written_sheet(self.desk, game_id).text
        except PbemError:
            return []
        return ["", f"The sheet that `pbem orders` writes, to save and edit. {NO_REPLY}", "", *sheet.splitlines()]


def matters_of(summary: Mapping[str, Any]) -> list[str]:
    """What the player should know of a game now, in words; empty while it goes on without him."""
    if summary["given"]:
        return []
    if summary["fork"]:
        return [f"the game is stopped: {fork_sentence(summary['fork'], summary['role'])}"]
    if summary["result"]:
        return [f"the game is over: {summary['result']['text']}"]
    asked = [one["text"] for one in summary["proposed"] if one["role"] != summary["role"]]
    return [*asked, *(f"you are asked: {one['text']}" for one in _mine(summary))]


def _mine(summary: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in summary["waiting"] if one["role"] == summary["role"] and one["kind"] in DECISIONS]


def _mark(summary: Mapping[str, Any], matters: list[str]) -> str:
    """Stands for what is told, so that the same is told once, and a question of a later step anew."""
    step = summary["step"] if _mine(summary) else 0
    return hashlib.sha256(orjson.dumps([step, *matters])).hexdigest()


def _subject(summary: Mapping[str, Any]) -> str:
    if summary["fork"]:
        return "the game is stopped"
    if summary["result"]:
        return "the game is over"
    return "it is your turn" if _mine(summary) else "a motion waits for an answer"


def _key(game_id: str) -> str:
    return f"told/{game_id}"

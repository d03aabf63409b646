"""A bot in the place of the player of a home: what its player is asked, a bot of the rules answers.

Only while its player wants it, who names the bot each time an agent begins. To the player are left what the other side
moves or asks for, a game whose rules have no bot of that name, and a question to which the bot has no legal answer:
each is told once, and keeps no other game from going on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.app import catalogue
from pbem.app.aside import listed
from pbem.app.deciding import submit_orders
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.sheets import present_question
from pbem.errors import BadDisk, BadRequest, PbemError
from pbem.log.enumeration import enumerated
from pbem.rules.ruleset import Bot
from pbem.rules.sheet import frame
from pbem.service.agent import Round
from pbem.service.bench import summary_of
from pbem.service.record import Tell
from pbem.store.faults import is_away
from pbem.store.rows import StoredGame

DECISIONS = ("answer", "seal")
"""Kinds of what a role can owe that a player decides."""


def check_bot(name: str) -> None:
    """Raise BadRequest for a name that no game's bot has."""
    known = sorted({bot for game in catalogue.names() for bot in catalogue.ruleset(game).bots()})
    if name not in known:
        raise BadRequest(
            "agent.bot",
            f"expected a bot such as {enumerated(known, 'or')}, got '{name}'",
            "`pbem games` names the bots of each game",
        )


@dataclass(slots=True)
class Stand:
    """What an agent with a bot has to do in a round (`pbem.service.agent.Duties`): every decision that is asked for.

    `left` has for each game where the present question is the player's its head and what the other side asks for, so
    that it is told once, and taken up again when that is withdrawn.
    """

    desk: Desk
    bot: str
    tell: Tell
    left: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def fulfil(self, read: bool) -> int:
        """Decide in every listed game, once all letters were read; how many decisions that were."""
        return sum(self._played(row) for row in listed(self.desk.home)) if read else 0

    def _played(self, row: StoredGame) -> int:
        """One game that cannot be summarised does not keep the others from going on."""
        try:
            return self._play(row)
        except PbemError as error:
            if is_away(error):
                raise
            self.tell("broken", game=row.name, code=error.code, text=error.text)
            return 0

    def note(self, done: Round) -> None:
        """Nothing is kept of a round."""

    def _play(self, row: StoredGame) -> int:
        decided = 0
        while _is_asked(summary := summary_of(self.desk, row)) and self.left.get(row.game_id) != _asked_here(summary):
            try:
                self._decide(row.game_id, summary)
            except PbemError as error:
                if is_away(error):
                    raise
                self._give_up(row, _asked_here(summary), error)
                break
            decided += 1
        return decided

    def _decide(self, game_id: str, summary: Mapping[str, Any]) -> None:
        """Answer one question; PbemError says why its player has to."""
        _check_nothing_is_asked_for(summary)
        opened = open_game(self.desk.home, game_id, self.desk.games)
        campaign = opened.campaign
        orders = campaign.ruleset.write_orders(self._answer(opened, self._bot(opened)))
        sheet = frame(opened.row.name, campaign.place.step, orders.splitlines())
        done = submit_orders(self.desk, game_id, sheet)
        self.tell("decided", game=opened.row.name, step=campaign.place.step, bot=self.bot)
        for line in done.answered:
            self.tell("answered", game=opened.row.name, text=line)

    def _give_up(self, row: StoredGame, here: tuple[str, ...], error: PbemError) -> None:
        """Leave the present question to the player; what failed for the machine's fault is tried again."""
        if isinstance(error, BadDisk):
            self.tell("broken", game=row.name, code=error.code, text=error.text)
            return
        self.tell("undecided", game=row.name, bot=self.bot, code=error.code, text=error.text)
        self.left[row.game_id] = here

    def _bot(self, opened: OpenGame) -> Bot:
        ruleset = opened.campaign.ruleset
        bot = ruleset.bots().get(self.bot)
        if bot is None:
            text = f"expected a bot '{self.bot}' for {ruleset.name}, got {enumerated(sorted(ruleset.bots()))}"
            raise BadRequest("bot.unknown", text)
        return bot

    def _answer(self, opened: OpenGame, bot: Bot) -> Any:
        question = present_question(opened)
        try:
            return bot(question, opened.campaign.state, self._choose)
        except Exception as error:  # a bot may be anybody's, and must not stop the agent
            text = f"expected an answer of the bot '{self.bot}', got {type(error).__name__}"
            raise BadRequest("bot.failed", text) from error

    def _choose(self, count: int) -> int:
        return int.from_bytes(self.desk.random(8), "big") % count


def _is_asked(summary: Mapping[str, Any]) -> bool:
    """Whether the player of this home is to decide something, and may sign it."""
    owed = {one["kind"] for one in summary["waiting"] if one["role"] == summary["role"]}
    return bool(owed & set(DECISIONS)) and not summary["fork"] and not summary["given"]


def _check_nothing_is_asked_for(summary: Mapping[str, Any]) -> None:
    """Raise BadRequest while the other side asks for something beside the rules, which a decision would refuse."""
    if asked := _asked_for(summary):
        raise BadRequest("bot.asked", f"{asked[0]}; a decision of the bot would refuse that")


def _asked_for(summary: Mapping[str, Any]) -> list[str]:
    """What the other side asks for beside the rules, and has not withdrawn."""
    return [one["text"] for one in summary["proposed"] if one["role"] != summary["role"]]


def _asked_here(summary: Mapping[str, Any]) -> tuple[str, ...]:
    return (summary["head"], *_asked_for(summary))

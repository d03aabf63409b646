"""What the figures are measured on: a long game, a turn file of play, edits, a saved game of the package diplomacy."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from functools import cache
from typing import Any

from play import Match

from pbem.app import catalogue
from pbem.app.demo import Seeded
from pbem.log import bundle
from pbem.mail import armour
from pbem.mail.message import Mailbox, OutgoingTurn, compose


@cache
def long_archive(least: int) -> bytes:
    """The archive of the first seeded game with at least `least` events: one without a shot, ordered unit by unit."""
    for seed in range(7, 200):
        match = Match(catalogue.ruleset("westerplatte"), seed)
        for player in match.players.values():
            player.decide = one_order_at_a_time(Seeded(seed, player.role))
        match.play()
        if len(match.events) >= least:
            return match.archive()
    raise AssertionError("no game was long enough")


def one_order_at_a_time(source: Seeded) -> Any:
    """Moves while anything can move, one unit at a time and asking again."""
    bot = catalogue.ruleset("westerplatte").bots()["random"]

    def decide(question: Any, state: Any) -> Any:
        if question.kind != "activation":
            return bot(question, state, source.choose)
        options = [one for one in question.legal() if one.orders and one.orders[0].do == "move"]
        options = options or list(question.legal())
        return options[source.choose(len(options))]

    return decide


def turn_file_bytes() -> tuple[int, int, int, int]:
    """Events of an ordinary answer (the last twelve of play), and their bytes: compressed, in armour, as a mail."""
    lines = bundle.read(long_archive(1_000)).lines[-14:-2]
    payload = bundle.pack(bundle.write("turn", [], lines))
    anna, bruno = Mailbox("Anna", "anna@example.org"), Mailbox("Bruno", "bruno@example.org")
    turn = OutgoingTurn(
        sender=anna,
        receivers=(bruno,),
        game="westerplatte",
        turn=6,
        side="german",
        step=800,
        summary=(),
        payload=payload,
        message_id="<step-800@example.org>",
        date=datetime(1939, 9, 7, tzinfo=UTC),
    )
    return len(lines), len(payload), len(armour.encode(payload)), len(compose(turn))


def edits(data: bytes) -> list[bytes]:
    """Two hundred copies of an archive, each with one byte of its events changed."""
    source = random.Random(1)
    first = data.index(b"\n", data.rindex(b"\nkey ") + 1) + 1
    found = []
    for _ in range(200):
        at = source.randrange(first, len(data))
        changed = data[at] ^ source.randrange(1, 256)
        found.append(data[:at] + bytes([changed]) + data[at + 1 :])
    return found


def saved_diplomacy_game(orders: int) -> tuple[dict[str, Any], int]:
    """A saved game of random orders, at least as many as asked for, and their number."""
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    source, game, given = random.Random(1), Game(), 0
    while not game.is_game_done and given < orders:
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            chosen = [source.choice(possible[place]) for place in places if possible[place]]
            game.set_orders(power, chosen)
            given += len(chosen)
        game.process()
    return to_saved_game_format(game), given

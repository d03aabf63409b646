"""What a player is told of a fork and its settlement, and that one settlement does not make the next fork."""

from __future__ import annotations

import re
import time
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from attacks.sides import Pair, Side, packed, payload_of
from pbem.app import apart
from pbem.app.apart import MOST_APART
from pbem.app.forks import settlement_lines
from pbem.log.event import Resolve

PERHAPS = "perhaps from a backup or a second device"


def decided_twice(pair: Pair, backup: Path) -> Side:
    """The Pole's restored copy, which has answered otherwise than the home that it is a copy of."""
    copy = pair.polish.copy(backup)
    pair.polish.decide()
    pair.german.take(pair.polish.export())
    copy.chooser.choose(1000)
    copy.decide()
    return copy


def until_the_pole_decides(pair: Pair) -> None:
    """Play on until the Pole is asked and both homes have the same log."""
    german, polish = pair.sides()
    for _ in range(40):
        german.now = polish.now = max(german.now, polish.now) + 60
        polish.take(german.export())
        if polish.opened().campaign.question(polish.role):
            return
        polish.decide()
        german.take(polish.export())
        german.decide()
    raise AssertionError("the Pole is asked nothing")


def rivals_here(side: Side) -> list[str]:
    """Ids of both events of a fork, the one that came here first in front."""
    fork = side.opened().fork
    assert fork is not None
    places = {row.event_id: row.place for row in side.opened().rows}
    return sorted((fork.first.id, fork.second.id), key=lambda event: places[event])


def orders_of(side: Side, event: str) -> str:
    """What an event of the forked step says, in the order language on one line."""
    opened = side.opened()
    line = next(row.line for row in opened.rows if row.event_id == event)
    answer = opened.campaign.read_answer(side.role, payload_of(line)["body"]["value"])
    return "; ".join(opened.campaign.ruleset.write_orders(answer).splitlines())


@pytest.fixture
def bound(joined: Pair, tmp_path: Path) -> Pair:
    """A fork of the Pole behind whose first event dice are known; the restored copy and the German have both."""
    joined.play(8)
    until_the_pole_decides(joined)
    copy = decided_twice(joined, tmp_path / "bound")
    joined.german.take(copy.export())
    copy.take(joined.german.export())
    return Pair(joined.german, copy)


@pytest.fixture
def free(joined: Pair, tmp_path: Path) -> Pair:
    """A fork of the Pole's set-up: nothing has been rolled yet, so that either event can stand."""
    copy = decided_twice(joined, tmp_path / "free")
    joined.german.take(copy.export())
    copy.take(joined.german.export())
    return Pair(joined.german, copy)


@pytest.mark.plan("A18", "A19")
def test_a_fork_is_shown_with_both_events_in_words(free: Pair) -> None:
    german, polish = free.sides()
    first, second = rivals_here(german)
    lines = german("status").out.splitlines()
    told = [
        f"    came {order} here: {orders_of(polish, event)} (dated ?; named by --keep {event[:16]})"
        for order, event in (("first", first), ("second", second))
    ]
    assert [re.sub(r"dated 2023-11-14 22:\d\d:\d\d UTC", "dated ?", line) for line in lines[2:]] == [
        f"  THE GAME IS STOPPED: polish signed two different events at step 2, {PERHAPS}",
        *told,
        f"  do now: settle which one stands: `pbem motion resolve westerplatte --keep {first[:16]}` for the first, "
        f"`--keep {second[:16]}` for the second; the proof for a referee: "
        "`pbem export westerplatte --evidence -o proof.pbem`",
    ]


@pytest.mark.plan("A18", "A19")
def test_the_side_that_forked_is_told_what_to_send(free: Pair) -> None:
    lines = free.polish("status").out.splitlines()
    assert lines[2] == (f"  THE GAME IS STOPPED: your role signed two different events at step 2, {PERHAPS}")
    assert lines[-1] == (
        "  do now: send both with `pbem export westerplatte -o turn.eml --eml`; the other side settles which one stands"
    )


@pytest.mark.plan("A19")
def test_a_wrong_name_of_an_event_is_answered_with_both_in_words(bound: Pair) -> None:
    german = bound.german
    first, second = rivals_here(german)
    step = bound.polish.opened().campaign.place.step
    done = german("motion", "resolve", "--keep", "00")
    dated = re.findall(r"dated ([^;]+);", done.err)
    assert done.code == 1
    assert done.err == (
        "resolve.event: expected the first digits (8 or more) of one of two events, got '00': polish signed two "
        f"different events at step {step}, {PERHAPS}; came first here: {orders_of(bound.polish, first)} "
        f"(dated {dated[0]}; named by --keep {first[:16]}; dice behind it are known, so that it alone can stand); "
        f"came second here: {orders_of(bound.polish, second)} (dated {dated[1]}; named by "
        f"--keep {second[:16]})\n"
        f"hint: for example `pbem motion resolve westerplatte --keep {first[:16]}`\n"
    )


@pytest.mark.plan("A19")
def test_a_settlement_is_announced_at_both_homes(bound: Pair, joined: Pair) -> None:
    german, copy = bound.sides()
    first, _ = rivals_here(german)
    step, stands = german.opened().campaign.place.step, orders_of(copy, first)
    settled = german("motion", "resolve", "--keep", first).out.splitlines()
    assert settled[1] == (
        f"settled by you: of polish's orders of step {step} '{stands}' stands, the other one is overruled"
    )
    turn = german.export()
    assert copy.mail(turn).out.splitlines()[1] == (
        f"  your orders of step {step} were overruled by german: '{stands}' stands"
    )
    assert joined.polish.mail(turn).out.splitlines()[1] == (
        f"  settled by german: your orders of step {step} stand: '{stands}'"
    )
    lines = settlement_lines(german.opened(whole=True))
    assert [(line.step, line.rule, line.text) for line in lines] == [
        (step, "fork", f"polish signed two orders; settled by german: '{stands}' stands")
    ]
    assert f"{step:5}  polish signed two orders; settled by german: '{stands}' stands (fork)" in german("log").out


@pytest.mark.plan("A19")
def test_what_stood_behind_an_overruled_event_is_counted(joined: Pair, tmp_path: Path) -> None:
    german, polish = joined.sides()
    copy = decided_twice(joined, tmp_path / "copy")
    assert german("motion", "draw").code == 0
    german.take(copy.export())
    _, second = rivals_here(german)
    orders = german("motion", "resolve", "--keep", second).out.splitlines()[1].split("'")[-2]
    said = polish.mail(german.export(everything=True)).out.splitlines()
    assert said[:3] == [
        "westerplatte: 2 new events, 3 known already.",
        f"  your orders of step 2 were overruled by german: '{orders}' stands",
        "  1 event behind what was overruled: kept apart, no part of the game any more.",
    ]


@pytest.mark.plan("A19")
def test_what_is_told_after_a_settlement_begins_at_the_forked_step(bound: Pair) -> None:
    german, copy = bound.sides()
    step = german.opened().campaign.place.step
    first, _ = rivals_here(german)
    assert german("motion", "resolve", "--keep", first).code == 0
    told = [line.text for line in german.opened(whole=True).campaign.lines if line.step >= step]
    (game,) = copy.take(german.export()).games
    assert (game.told, len(told) < len(copy.opened(whole=True).campaign.lines)) == (told, True)


@pytest.mark.plan("A18")
def test_a_game_that_is_stopped_is_not_told_again(joined: Pair, tmp_path: Path) -> None:
    joined.play(8)
    until_the_pole_decides(joined)
    copy = decided_twice(joined, tmp_path / "copy")
    (game,) = joined.german.take(copy.export()).games
    assert (game.told, game.missing, bool(game.fork)) == ([], "", True)
    assert joined.german.mail(copy.export()).out.splitlines()[0].startswith("THE GAME IS STOPPED: polish signed two")


@pytest.mark.plan("A18", "A19", "A40")
@pytest.mark.soak
@pytest.mark.parametrize("kept", [0, 1])
def test_three_generations_of_a_home_end_the_game_without_a_further_fork(free: Pair, kept: int, tmp_path: Path) -> None:
    german, second = free.sides()
    assert german("motion", "resolve", "--keep", rivals_here(german)[kept]).code == 0
    second.take(german.export())
    free.play(20)
    until_the_pole_decides(free)
    third = second.copy(tmp_path / "third")
    free.play(german.opened().campaign.place.step + 7)
    third.chooser.choose(1000)
    third.decide()
    german.take(third.export())
    first, _ = rivals_here(german)
    assert german("motion", "resolve", "--keep", first).code == 0
    third.take(german.export())
    closed = min(len(german.heads()), len(third.heads()))
    assert third.heads()[:closed] == german.heads()[:closed]
    last = Pair(german, third)
    last.play(10_000)
    assert all(side.opened().fork is None and side.opened().campaign.finished for side in last.sides())
    verdict = [side.verified(running=False) for side in last.sides()]
    assert [(done.code, done.err) for done in verdict] == [(0, ""), (0, "")]
    assert all(len(re.findall(r"^  fork: .* was overruled by german$", done.out, re.M)) == 2 for done in verdict)


@pytest.mark.plan("A40")
def test_a_turn_file_after_a_settlement_holds_all_from_the_forked_step_on(bound: Pair) -> None:
    german, copy = bound.sides()
    step = german.opened().campaign.place.step
    assert german("motion", "resolve", "--keep", rivals_here(german)[0]).code == 0
    events = {one.id for found in german.opened(whole=True).campaign.steps[step:] for one in found.events}
    (game,) = copy.take(german.export()).games
    assert events <= copy.opened().ids()
    assert (game.missing, game.refused, copy.opened().campaign.place) == ("", [], german.opened().campaign.place)


# ---------------------------------------------------------------------- mails and turn files


def text_of(side: Side, path: Path) -> list[str]:
    """The lines of the mail that goes round a turn file, up to the turn file."""
    assert side("export", "--eml", "-o", path).code == 0
    body = message_from_bytes(path.read_bytes(), policy=policy.default).get_body()
    assert body is not None
    return str(body.get_content()).split("Import this mail")[0].splitlines()


def test_a_mail_tells_what_the_other_side_does_not_know_and_what_is_asked(joined: Pair, tmp_path: Path) -> None:
    joined.polish.decide()
    game = joined.german.opened().row.game_id[:12]
    assert text_of(joined.polish, tmp_path / "1.eml") == [
        f"The Battle of the Westerplatte, game westerplatte ({game}), step 3.",
        "",
        *(line.text for line in joined.polish.opened(whole=True).campaign.lines),
        "",
        "Waiting for german (Anna): place the ship in Wa, Wb, Wc, Wd. Answer by Tuesday 21 November 2023, 22:13 UTC.",
        "",
    ]


def test_a_mail_leaves_no_line_out_where_the_home_goes_on_from_a_later_snapshot(joined: Pair, tmp_path: Path) -> None:
    """Behind every turn there is a snapshot; what led to it must be in the mail all the same."""
    for step in range(6, 60, 6):
        joined.play(step)
        for side, other in (joined.sides(), joined.sides()[::-1]):
            before = max(row.step for row in side.opened().rows if row.role == other.role)
            told = [line.text for line in side.opened(whole=True).campaign.lines if line.step >= before]
            story = text_of(side, tmp_path / f"{side.role}.eml")[2 : 2 + len(told)]
            assert told
            assert story == told


def test_an_export_while_a_decision_is_owed_says_so(joined: Pair, tmp_path: Path) -> None:
    joined.polish("export", "-o", tmp_path / "turn.txt")
    done = joined.polish("export", "-o", tmp_path / "turn.txt")
    assert done.out.splitlines()[1:3] == [
        "Note: you still owe a decision (place every Polish unit on a land area, at most 2 in one); this file holds no "
        "move of yours, only your acceptance. To decide: `pbem orders westerplatte -o orders.txt`, edit it, then "
        "`pbem orders westerplatte --submit orders.txt`.",
        "Note: nothing in it is new: your last turn file held the same, or the other side has it all.",
    ]


def test_an_export_of_a_move_says_nothing_of_the_kind(joined: Pair, tmp_path: Path) -> None:
    joined.polish.decide()
    assert [line.split(" ")[0] for line in joined.polish("export", "-o", tmp_path / "t").out.splitlines()] == [
        "Wrote",
        "Do",
    ]


# ---------------------------------------------------------------------- floods


@pytest.mark.plan("A52")
def test_a_flood_of_early_events_is_kept_in_bounds(joined: Pair) -> None:
    joined.polish.decide()
    said = payload_of(joined.polish.lines()[-1])
    flood = packed([joined.polish.sign({**said, "step": 10 + number}) for number in range(MOST_APART + 150)])
    done = joined.german.mail(flood)
    assert done.code == 0
    assert done.out.splitlines()[0] == (
        f"westerplatte: 0 new events, 0 known already, {MOST_APART} kept until their turn comes."
    )
    assert done.err.splitlines() == [
        f"refused: import.too_many: expected at most {MOST_APART} events of polish to be kept beside the log, got 150 "
        "more",
        "hint: they are not kept, and nothing else changes: what belongs to the game can be sent again",
    ]
    assert len(joined.german.tables()["refused"]) == MOST_APART
    started = time.perf_counter()
    joined.german.mail(joined.polish.export())
    assert time.perf_counter() - started < 2
    assert joined.german.opened().campaign.place.step == 3


@pytest.mark.plan("A52")
def test_a_flood_of_refused_events_is_kept_in_bounds(joined: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MOST_APART", 5)
    joined.polish.decide()
    said = {**payload_of(joined.polish.lines()[-1]), "prev": "cd" * 32}
    joined.german.mail(packed([joined.polish.sign({**said, "at": said["at"] - n}) for n in range(20)]))
    assert len(joined.german.tables()["refused"]) == 5


@pytest.mark.plan("A52")
def test_settlements_of_nothing_and_repeated_ones_are_not_kept(free: Pair) -> None:
    german, copy = free.sides()
    one, other = rivals_here(german)
    before = copy.tables()
    strange = german.here(Resolve(role="polish", keep="ab" * 32, drop="cd" * 32), step=2)
    done = copy.mail(packed([german.sign(strange)]))
    assert (done.code, done.err) == (
        1,
        "resolve.unknown: expected a settlement of two events of polish that are known here, got german's settlement "
        "of step 2, which names others\nhint: it changes nothing\n",
    )
    assert copy.tables() == before
    same = [german.here(Resolve(role="polish", keep=one, drop=other), step=2, at=german.now + n) for n in range(200)]
    copy.mail(packed([german.sign(statement) for statement in same]))
    assert len([row for row in copy.opened().rows if row.kind_class == "aside"]) == 1

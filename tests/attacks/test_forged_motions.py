"""Motions as a cheater makes them, and as mails lose and cross them: nobody gains, and both homes keep one log."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from log.show_motions import changing

from attacks.sides import Pair, Side, new_side, packed, unpacked
from attacks.test_motions import deciding, exchange, heads, moved, replied
from pbem.app import catalogue
from pbem.errors import PbemError
from pbem.log.event import Consent, Motion, Request
from pbem.rules.refusal import Refused


def ids(side: Side, kind: str) -> list[str]:
    """The events of a kind at a side's present step."""
    return [one.id for one in side.opened().campaign.pending() if one.event.kind == kind]


def stopped(side: Side) -> bool:
    return side.opened().fork is not None


def same_log(pair: Pair) -> bool:
    german, polish = heads(pair)
    return german == polish


# ------------------------------------------------------------------------------------------ two statements at one step


def second_life(side: Side, folder: Path) -> Side:
    """The same home once more, which signs what it likes."""
    return side.copy(folder / "second-life")


@pytest.mark.plan("A18")
@pytest.mark.parametrize("first", ["decision", "consent"])
@pytest.mark.parametrize("mails", ["one", "two"])
def test_who_decides_and_agrees_at_one_step_is_caught(joined: Pair, tmp_path: Path, first: str, mails: str) -> None:
    german, polish = joined.sides()
    moved(german, what="draw")
    exchange(joined, german)
    again = second_life(polish, tmp_path)
    polish.decide()
    replied(again, agree=True)
    turns = [polish.export(), again.export()]
    if first == "consent":
        turns.reverse()
    if mails == "one":
        lines = [line for turn in turns for line in unpacked(turn).lines]
        german.take(packed(list(dict.fromkeys(lines))))
    else:
        for turn in turns:
            german.take(turn)
    assert stopped(german)
    fork = german.opened().fork
    assert fork is not None
    assert {fork.first.event.kind, fork.second.event.kind} == {"answer", "consent"}


@pytest.mark.plan("A18", "A64")
def test_the_evidence_of_a_decision_and_a_consent_convinces_a_stranger(joined: Pair, tmp_path: Path) -> None:
    german, polish = joined.sides()
    moved(german, what="draw")
    exchange(joined, german)
    again = second_life(polish, tmp_path)
    polish.decide()
    replied(again, agree=True)
    german.take(polish.export())
    german.take(again.export())
    proof, stranger = tmp_path / "proof.pbem", new_side(tmp_path / "stranger", "german", "Eve")
    assert german("export", "--evidence", "-o", proof).code == 0
    done = stranger("verify", proof)
    assert (done.code, done.err) == (0, "")
    assert "polish" in done.out


@pytest.mark.plan("A18")
@pytest.mark.parametrize("matters", [("draw", "pause"), ("draw", "concede"), ("draw", "draw")])
def test_two_motions_at_one_step_are_a_fork(joined: Pair, matters: Sequence[str]) -> None:
    german, polish = joined.sides()
    lines = [polish.sign(polish.here(changing(Motion, what, why=str(i)))) for i, what in enumerate(matters)]
    for line in lines:
        german.take(packed([line]))
    assert stopped(german)
    told = [line.partition(" (dated")[0] for line in german("status").out.splitlines() if "came first here" in line]
    assert told == ["    came first here: a motion to end the game as a draw"]


@pytest.mark.plan("A18")
def test_a_motion_and_a_decision_at_one_step_are_a_fork(joined: Pair, tmp_path: Path) -> None:
    german, polish = joined.sides()
    again = second_life(polish, tmp_path)
    polish.decide()
    moved(again, what="pause")
    german.take(polish.export())
    german.take(again.export())
    assert stopped(german)


@pytest.mark.plan("A8")
def test_one_motion_sent_many_times_accuses_nobody(joined: Pair) -> None:
    german, polish = joined.sides()
    moved(polish, what="draw")
    for _ in range(5):
        german.take(polish.export(everything=True))
    assert (stopped(german), german.opened().campaign.moved is not None) == (False, True)


def test_requests_never_accuse(joined: Pair) -> None:
    german, polish = joined.sides()
    for number in range(6):
        moved(german, what="extend", days=number + 1)
    polish.take(german.export())
    assert (stopped(polish), len(polish.opened().campaign.requests)) == (False, 6)


@pytest.mark.plan("A18")
@pytest.mark.parametrize("answers", [(True, False), (False, True)])
def test_who_agrees_and_refuses_is_caught(joined: Pair, tmp_path: Path, answers: Sequence[bool]) -> None:
    german, polish = joined.sides()
    moved(polish, what="draw")
    german.take(polish.export())
    again = second_life(german, tmp_path)
    for side, agree in zip((german, again), answers, strict=True):
        replied(side, agree=agree)
        polish.take(side.export())
    assert stopped(polish)


# ------------------------------------------------------------------------------------------ consents to something else


def refused_code(side: Side, line: bytes) -> str:
    """With which code a line is refused or kept apart; the log is as before."""
    before = side.heads(), [one.id for one in side.opened().campaign.pending()]
    result = side.take(packed([line]))
    assert (side.heads(), [one.id for one in side.opened().campaign.pending()]) == before
    return next(reason.code for game in result.games for reason in game.refused)


def test_a_consent_to_a_motion_of_another_step_is_refused(joined: Pair) -> None:
    german, polish = joined.sides()
    moved(polish, what="draw")
    first = polish.opened().campaign.moved
    assert first is not None
    german.take(polish.export())
    assert refused_code(polish, german.sign(german.here(Consent(motion="ab" * 32, agree=True)))) == "place.consent"
    replied(german, agree=False)
    polish.take(german.export())
    polish.decide()
    german.take(polish.export())
    moved(german, what="pause")
    polish.take(german.export())
    wanted = polish.sign(polish.here(Consent(motion=first.id, agree=True)))
    assert refused_code(german, wanted) == "place.consent"


@pytest.mark.plan("A10")
def test_a_consent_of_another_game_is_not_taken(joined: Pair) -> None:
    german, polish = joined.sides()
    moved(polish, what="draw")
    motion = polish.opened().campaign.moved
    assert motion is not None
    consent = Consent(motion=motion.id, agree=True)
    line = german.sign(german.here(consent, game="ab" * 32, step=polish.opened().campaign.place.step))
    before = polish.tables()
    assert [error.code for error in polish.take(packed([line])).failed] == ["import.foreign"]
    assert polish.tables() == before


@pytest.mark.plan("A17")
def test_nobody_agrees_in_the_name_of_the_other(joined: Pair) -> None:
    german, polish = joined.sides()
    moved(polish, what="draw")
    motion = polish.opened().campaign.moved
    assert motion is not None
    consent = Consent(motion=motion.id, agree=True)
    forged = polish.sign(polish.here(consent, role=german.role))
    assert refused_code(polish, forged) == "event.author"
    assert refused_code(polish, polish.sign(polish.here(consent))) in {"place.consent", "place.role"}


# ------------------------------------------------------------------------------------------ out of turn


@pytest.mark.plan("A40")
@pytest.mark.parametrize("what", ["take_back", "draw", "concede"])
def test_nobody_moves_where_the_dice_are_awaited(joined: Pair, what: str) -> None:
    """Who has seen the other link knows the dice, and could take back what led to them."""
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    german.decide()
    polish.take(german.export())
    fields = {"step": 3} if what == "take_back" else {}
    place = german.opened().campaign.place
    assert [demand.kind for demand in place.demands.values()] == ["entropy", "entropy"]
    for model, code in ((Motion, "place.motion"), (Request, "place.request")):
        line = german.sign(german.here(changing(model, what, **fields)))
        assert refused_code(german, line) == code


@pytest.mark.plan("A40", "A43")
def test_a_take_back_rolls_with_new_links_that_nobody_has_seen(played: Pair) -> None:
    """The other side agrees to undo a bad roll; every link that was opened before has its index behind it."""
    mover, other = deciding(played)
    before = mover.opened(whole=True).campaign
    roll = before.rolls[-1]
    tips = {role: tip.index for role, tip in before.tips.items()}
    known = {tip.link for tip in before.tips.values()}
    moved(mover, what="take_back", step=roll.step)
    exchange(played, mover)
    replied(other, agree=True)
    turn = other.export()
    opened = [one for one in unpacked(turn).lines if b'"kind":"entropy"' in one]
    assert sum(b'"step":%d,"v":1}' % other.opened().campaign.place.step in one for one in opened) == 1
    mover.take(turn)
    exchange(played, mover)
    again = mover.opened(whole=True).campaign
    new = next(one for one in again.rolls[len(before.rolls) :])
    assert (new.label, again.rolls[len(before.rolls) - 1]) == (roll.label, roll)
    assert {role: tip.index for role, tip in again.tips.items()} == {role: index + 1 for role, index in tips.items()}
    assert not known & {tip.link for tip in again.tips.values()}
    assert same_log(played)


# ------------------------------------------------------------------------------------------ positions


POSITIONS: dict[str, Callable[[str], str]] = {
    "nonsense": lambda _: "x",
    "empty words": lambda _: " ",
    "huge": lambda text: text + "#" * (60_000 - len(text)),
    "many lines": lambda text: text + "\n" * 20_000,
    "control characters": lambda text: text.replace("unit", "\x1b[2Junit"),
    "direction characters": lambda text: text.replace("unit", "\u202eunit"),
    "another game": lambda _: "stage bets\nturn 1 of 3\nnorth supply 3 points 0",
    "a unit twice": lambda text: text + "\n" + next(line for line in text.splitlines() if line.startswith("unit")),
    "a unit on the sea": lambda text: text.replace("unit PL-1 ", "unit PL-1 in Wa # ", 1),
    "a turn beyond the last": lambda text: text.replace("turn 1", "turn 99", 1),
    "no units": lambda text: "\n".join(line for line in text.splitlines() if not line.startswith("unit")),
}


PLAYED_FROM = ("empty words", "huge", "many lines", "no units")
"""Those that the rules play from: blank lines say nothing, and a side may have lost all its units."""


@pytest.mark.parametrize("name", POSITIONS)
def test_a_forged_position_is_refused_or_played_from_and_breaks_nothing(played: Pair, name: str) -> None:
    """Signed below the client, which would not send most of them; what both homes take they play on from."""
    mover, other = deciding(played)
    campaign = mover.opened().campaign
    text = "\n".join(campaign.ruleset.position_lines(campaign.state))
    line = mover.sign(mover.here(changing(Motion, "adjust", position=POSITIONS[name](text))))
    result = other.take(packed([line]))
    assert [error.code for error in result.failed] == []
    for words in (("status",), ("orders",), ("log",)):
        done = other(*words)
        assert done.code in (0, 1)
        assert all(c.isprintable() or c == "\n" for c in done.out + done.err)
    assert bool(other.opened().campaign.moved) is (name in PLAYED_FROM)
    if name in PLAYED_FROM:
        mover.take(packed([line]))
        replied(other, agree=True)
        mover.take(other.export())
        played.play(mover.opened().campaign.place.step + 4)
        assert same_log(played)


@pytest.mark.parametrize("game", ["westerplatte", "polska1939", "toy"])
def test_accidents_to_a_position_are_refused_or_give_a_state(game: str) -> None:
    """Whatever is said of a position: a state that the rules play from, or a refusal."""
    from pbem.engine.motions import adjusted

    ruleset = catalogue.ruleset(game)
    source = random.Random(f"accidents to {game}")
    lines = list(ruleset.position_lines(ruleset.begin(ruleset.scenarios[0], {})))
    outcomes = {_adjusted(adjusted, ruleset, _accident(source, lines)) for _ in range(400)}
    assert outcomes == {True, False}


def _adjusted(adjusted: Callable[..., object], ruleset: object, text: str) -> bool:
    try:
        adjusted(ruleset, text)
    except (PbemError, Refused):
        return False
    return True


def _accident(source: random.Random, lines: Sequence[str]) -> str:
    kept = [line for line in lines if source.random() > 0.05]
    at = source.randrange(len(kept))
    words = kept[at].split(" ")
    match source.randint(0, 3):
        case 0:
            words[source.randrange(len(words))] = source.choice(["0", "-1", "99", "x", "", "\x00"])
        case 1:
            words.append(source.choice(lines).split(" ")[-1])
        case 2:
            kept.append(source.choice(lines))
        case 3:
            source.shuffle(kept)
            words = kept[at].split(" ")
    kept[at] = " ".join(words)
    return "\n".join(kept)

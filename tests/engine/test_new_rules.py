"""New rules for a running game, below the client: what is carried over, what is refused, and the shadow replay."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import Match, begun, replayed
from toy.rules import bet_question, reserve_question
from toy.ruleset import Toy
from toy.second.ruleset import SecondToy
from toy.state import NORTH, State

from engine.restless import Moving
from pbem.app import catalogue
from pbem.app.foreseen import foreseen, in_lines
from pbem.engine import snapshot
from pbem.engine.admission import RulesMissing
from pbem.engine.campaign import Campaign
from pbem.engine.new_rules import check_resumable, named
from pbem.engine.shadow import Asked, Difference, Shadow, shadow
from pbem.errors import BadEvidence, BadRequest
from pbem.log.event import Role, RulesetName
from pbem.rules.play import Outcome, Rules, ask, open_sealed, report, seal
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Ruleset

FIRST, SECOND = catalogue.versions("toy")
BET = 6
"""The first step at which one side alone decides: north bets."""
Wrong = Callable[[State], object]


class Third(SecondToy):
    """A version that nobody has played with yet."""

    version: ClassVar[int] = 3


def knowing(*more: Ruleset[Any]) -> Callable[[RulesetName], Ruleset[Any]]:
    """A catalogue of the toy with more versions than it is shipped with."""
    known = {one.digest: one for one in (FIRST, SECOND, *more)}
    return lambda wanted: known.get(wanted.digest, FIRST)


def at(step: int = BET, *more: Ruleset[Any], seed: int = 1, ruleset: Ruleset[Any] = FIRST, **options: Any) -> Moving:
    match = Moving(ruleset, seed, **options)
    match.campaign.games = knowing(ruleset, *more)
    return match.till_one_decides(step)


def changed(match: Moving, rules: Ruleset[Any] = SECOND) -> Moving:
    return match.carry("ruleset", ruleset=named(rules))


# ------------------------------------------------------------------------------------------ carried over


@pytest.mark.plan("A66")
def test_a_carried_over_state_is_never_hashed_as_the_old_one() -> None:
    """The same bytes under other rules: the digest of the state tells them apart."""
    match = at()
    before, encoded = match.campaign.place.state, FIRST.encode(match.campaign.state)
    changed(match)
    assert SECOND.encode(match.campaign.state) == encoded
    data = at(BET, other_data())
    changed(data, other_data())
    assert len({before, match.campaign.place.state, data.campaign.place.state}) == 3


def other_data() -> Toy:
    """Version 1 with one figure changed."""
    figures = FIRST.files["figures.csv"].replace(b"needed,8,", b"needed,9,")
    return Toy({**FIRST.files, "figures.csv": figures})


@pytest.mark.plan("A66")
@pytest.mark.parametrize("seed", [0, 1, 4])
def test_a_replay_from_a_snapshot_equals_one_from_the_first_event(seed: int) -> None:
    whole, resumed = changed(at(seed=seed)).play(), changed(at(seed=seed, resume=True)).play()
    assert replayed(whole.events) == whole.traces
    assert resumed.archive() == whole.archive()
    assert [one.rpartition(" ")[0] for one in resumed.traces] == [one.rpartition(" ")[0] for one in whole.traces]
    assert resumed.campaign.ruled == whole.campaign.ruled == ((0, named(FIRST)), (BET + 2, named(SECOND)))


def test_a_snapshot_says_by_which_rules_its_state_is_played() -> None:
    match = changed(at())
    assert match.campaign.snapshot is None
    match.till_one_decides(BET + 4)
    kept = snapshot.read(snapshot.write(match.snapshots[-1]))
    assert kept.ruled == ((0, named(FIRST)), (BET + 2, named(SECOND)))
    again = Campaign.resume(FIRST, match.registrations, kept, knowing())
    assert (again.ruleset, again.ruled) == (SECOND, kept.ruled)
    with pytest.raises(RulesMissing):
        Campaign.resume(FIRST, match.registrations, kept)


def test_a_take_back_over_the_change_plays_by_the_old_rules_again() -> None:
    match = changed(at()).till_one_decides(BET + 5)
    undone = match.campaign.place.step
    match.carry("take_back", step=BET)
    assert match.campaign.ruleset is FIRST
    assert [(step, one.version) for step, one in match.campaign.ruled] == [(0, 1), (BET + 2, 2), (undone + 2, 1)]
    match.carry("take_back", step=undone)
    assert match.campaign.ruleset is SECOND
    match.play()
    assert replayed(match.events) == match.traces


def test_what_is_taken_back_only_to_the_change_stays_with_the_new_rules() -> None:
    match = changed(at()).till_one_decides(BET + 5).carry("take_back", step=BET + 2)
    assert match.campaign.ruleset is SECOND
    assert match.campaign.question(NORTH) is not None


def test_the_former_version_can_be_played_again() -> None:
    match = changed(changed(at()), FIRST)
    assert [one.version for _, one in match.campaign.ruled] == [1, 2, 1]
    assert replayed(match.play().events) == match.traces


def test_an_adjustment_behind_the_change_is_of_the_new_rules() -> None:
    match = changed(at())
    match.carry("adjust", position=match.position(lambda line: re.sub(r"supply \d", "supply 7", line)))
    assert (match.campaign.ruleset, match.campaign.state.north.supply) == (SECOND, 7)


# ------------------------------------------------------------------------------------------ refused


def test_rules_of_another_game_and_those_that_are_played_are_no_others() -> None:
    match = at()
    for wanted, told in (
        (named(FIRST), f"version 1 of toy with data {FIRST.digest[:12]}"),
        (named(SECOND).model_copy(update={"name": "chess"}), f"version 2 of chess with data {SECOND.digest[:12]}"),
    ):
        with pytest.raises(BadEvidence) as refused:
            match.move("ruleset", ruleset=wanted)
        assert str(refused.value) == f"motion.ruleset: expected other rules of toy, got {told}"


def test_rules_that_are_not_here_can_be_moved_and_refused_but_not_agreed_to() -> None:
    match, here = at(), Third(SECOND.files)
    place = match.campaign.place
    motion = match.move("ruleset", ruleset=named(here))
    with pytest.raises(RulesMissing) as missing:
        match.agree()
    assert str(missing.value) == (
        f"campaign.ruleset: expected version 3 of toy with data {here.digest[:12]}, by which the game is to go on from "
        f"version 1 with data {FIRST.digest[:12]}, got version 1 with data {FIRST.digest[:12]} here"
    )
    assert missing.value.hint == (
        "install the pbem, or the package of this game, that brings them, or pass the other side's data with --data; "
        "the log can still be read with `pbem log`"
    )
    assert match.campaign.moved == motion
    match.refuse()
    assert match.campaign.place.demands == place.demands


class Middle(Toy):
    """North seals a reserve and bets before it is opened: the state says nothing of that."""

    version: ClassVar[int] = 4

    def play(self, state: State) -> Rules[Outcome]:
        sealed = yield from seal(state, reserve_question(self.data, NORTH))
        yield from ask(state, bet_question(self.data, state))
        yield from open_sealed(state, sealed, (reserve_question(self.data, NORTH),))
        return Outcome("", "9", "over")


class Again(Middle):
    """North bets twice, and less the second time."""

    def play(self, state: State) -> Rules[Outcome]:
        yield from ask(state, bet_question(self.data, state))
        yield from ask(state, replace(bet_question(self.data, state), options=None))
        return Outcome("", "9", "over")


HINT = "move it at a later step, or take play back to where the phase begins"
MIDDLE = "expected a step where play can be taken up from the position, got one in the middle of a phase"


@pytest.mark.parametrize(
    ("rules", "step", "told"),
    [
        (Middle, 3, ": from there north's reserve is to be sealed, and now north's bet is asked for"),
        (Again, 3, ", of which the position does not tell all"),
    ],
)
def test_in_the_middle_of_a_phase_it_cannot_be_carried_over(rules: type[Middle], step: int, told: str) -> None:
    """Whoever has moved it nevertheless gets no consent, and play goes on by the old rules."""
    old = rules(FIRST.files)
    match = at(step, Third(SECOND.files), ruleset=old)
    match.move("ruleset", ruleset=named(Third(SECOND.files)))
    place = match.campaign.place
    with pytest.raises(Refused) as refused:
        match.agree()
    assert (str(refused.value), refused.value.hint) == (f"motion.ruleset: {MIDDLE}{told}", HINT)
    assert match.campaign.place == place
    match.refuse()
    assert match.play().campaign.finished


def test_where_nobody_alone_decides_there_is_nothing_to_go_on_from() -> None:
    match = Match(FIRST).play(lambda campaign: campaign.place.step == 3)
    with pytest.raises(Refused) as refused:
        check_resumable(match.campaign.driver)
    assert str(refused.value) == (
        "motion.ruleset: expected a step where one side has to decide, got one where dice are rolled for "
        "2.1/turn-1/weather"
    )


class Forgetful(Toy):
    """Its text of a position leaves supply out."""

    version: ClassVar[int] = 4

    def position_lines(self, state: State) -> Sequence[str]:
        return [line for line in super().position_lines(state) if "supply" not in line]


def test_a_position_that_its_text_does_not_tell_whole_is_not_carried_over() -> None:
    match = at(BET, ruleset=Forgetful(FIRST.files), seed=4, options={"supply": 5})
    with pytest.raises(Refused) as refused:
        match.campaign.under(named(SECOND))
    assert str(refused.value) == (
        "motion.ruleset: expected a position that its text tells whole, got one of which something is lost"
    )


# ------------------------------------------------------------------------------------------ poisoned


def upgrading(make: Callable[[bytes, str, int], Any]) -> Ruleset[Any]:
    """A version 3 that carries positions over in its own way."""

    class Poisoned(Third):
        def upgrade(self, state: bytes, position: str, version: int) -> Any:
            return make(state, position, version)

    return Poisoned(SECOND.files)


def playing(play: Callable[[State], Rules[Outcome]]) -> Ruleset[Any]:
    """A version 3 with other rules."""

    class Poisoned(Third):
        def play(self, state: State) -> Rules[Outcome]:
            return play(state)

    return Poisoned(SECOND.files)


def fails(*_: Any) -> Any:
    raise ZeroDivisionError


def refuses(*_: Any) -> Any:
    raise BadRequest("toy.none", "expected less, got this")


def unsealed(state: bytes, *_: Any) -> State:
    read = SECOND.decode(state)
    return read.with_army(replace(read.south, reserve=None))


def endless(_: State) -> Rules[Outcome]:
    for number in count():
        yield from report("9", "again {number}", number=number)
    raise AssertionError


def breaking(_: State) -> Rules[Outcome]:
    yield from report("9", "a report without {fact}")
    return Outcome("", "9", "over")


class Blind(Third):
    """It reads back something else than it has written."""

    def decode(self, data: bytes) -> State:
        read = super().decode(data)
        return replace(read, turns=read.turns + 1)


class Sideless(Third):
    roles: ClassVar[tuple[Role, ...]] = (NORTH,)


SEAL = "expected every sealed answer to be carried over, got none for the commitment …"
POISONED: Mapping[str, tuple[Ruleset[Any], str]] = {
    "an upgrade that fails": (
        upgrading(fails),
        "version 3 cannot carry the position over: it fails (ZeroDivisionError)",
    ),
    "an upgrade that refuses": (
        upgrading(refuses),
        "version 3 cannot carry the position over: expected less, got this",
    ),
    "an upgrade to nothing": (
        upgrading(lambda *_: None),
        "version 3 cannot carry the position over: it fails (ValidationError)",
    ),
    "an upgrade that drops a seal": (upgrading(unsealed), SEAL),
    "a state that is not read back": (
        Blind(SECOND.files),
        "version 3 cannot carry the position over: it does not read back what it writes",
    ),
    "rules without an end": (playing(endless), "version 3 cannot go on from the position: it does not come to an end"),
    "rules that fail": (playing(breaking), "version 3 cannot go on from the position: it fails (KeyError)"),
    "other sides": (Sideless(SECOND.files), "expected rules for north, south, got some for north"),
}


@pytest.mark.plan("A66")
@pytest.mark.parametrize("poison", POISONED)
def test_poisoned_rules_are_refused_and_nothing_has_changed(poison: str) -> None:
    rules, told = POISONED[poison]
    match = at(BET, rules)
    match.move("ruleset", ruleset=named(rules))
    place, state = match.campaign.place, match.campaign.state
    with pytest.raises(Refused) as refused:
        match.agree()
    assert re.sub("[0-9a-f]{16}$", "…", str(refused.value)) == f"motion.ruleset: {told}"
    assert (match.campaign.place, match.campaign.state, match.campaign.ruleset) == (place, state, FIRST)
    match.refuse()
    assert match.play().campaign.finished


# ------------------------------------------------------------------------------------------ the shadow


@given(seed=st.integers(0, 2**31), poison=st.sampled_from([*POISONED, ""]), stop=st.integers(2, 15))
@settings(max_examples=12, deadline=None)
def test_a_shadow_never_raises_and_tells_the_same_again(seed: int, poison: str, stop: int) -> None:
    rules = POISONED[poison][0] if poison else SECOND
    match = Match(FIRST, seed).play(lambda campaign: campaign.place.step >= stop)
    match.campaign.games = knowing(rules)
    found = foreseen(match.campaign, named(rules))
    again = begun(match.events[0])
    for one in match.events[1:]:
        again.offer(one)
    again.games = knowing(rules)
    assert found == foreseen(again, named(rules))
    assert len(found) < 120


@pytest.mark.parametrize("game", catalogue.names())
def test_the_same_rules_would_have_made_the_same_of_it(game: str) -> None:
    """Rules of another number that are the same in everything: nothing differs, whatever was played."""
    ruleset = catalogue.ruleset(game)
    match = Match(ruleset, 3, bots=("good", "good")).play(lambda campaign: campaign.place.step >= 40)

    class Renumbered(type(ruleset)):  # type: ignore[misc]
        version = 99

    found = shadow(match.campaign.played(), match.campaign.driver, None, Renumbered(ruleset.files))
    assert (found.differences, found.asked) == ((), ())
    assert found.steps == match.campaign.place.step - 2 - match.campaign.finished


def test_a_difference_is_told_once_for_each_piece_of_play() -> None:
    """Every roll of version 3 is read one lower: each turn differs, and none makes the next one differ."""

    class Lower(Third):
        def play(self, state: State) -> Rules[Outcome]:
            figures = {**self.data.figures, "needed": 99}
            return Toy.play(_with(self, figures), state)

    rules = Lower(FIRST.files)
    match = Match(FIRST, 1, bots=("good", "good"), options={"supply": 9}).play()
    found = shadow(match.campaign.played(), match.campaign.driver, None, rules)
    crossed = [line for line in match.campaign.lines if "crosses" in line.text]
    assert [(one.step, one.was) for one in found.differences] == [
        (one.step, one.text) for one in crossed if _first(one, crossed)
    ]
    assert all(one.would.endswith("is thrown back") and one.position for one in found.differences)


def _with(rules: Toy, figures: Mapping[str, int]) -> Toy:
    other = Toy(rules.files)
    other.data = replace(rules.data, figures=figures)
    return other


def _first(line: Any, crossed: Sequence[Any]) -> bool:
    """Whether it is the first of its step, which is one turn's dice."""
    return next(one for one in crossed if one.step == line.step) is line


class Ends(Third):
    """It lets north win at once."""

    def play(self, state: State) -> Rules[Outcome]:
        yield from report("9", "it is over in turn {turn}", turn=state.turn)
        return Outcome(NORTH, "9", "north has it")


def replayed_by(steps: int, rules: Ruleset[Any]) -> str:
    return f"{steps} steps replayed by version 3 of toy with data {rules.digest[:12]}, with the same answers and dice"


def test_other_rules_are_told_in_full() -> None:
    rules = Ends(SECOND.files)
    assert foreseen(at(BET, rules, seed=4).campaign, named(rules)) == [
        f"{replayed_by(4, rules)}: 2 differences",
        "step 1 (9): (nothing)",
        "  would have been: it is over in turn 1",
        "step 2 (9): (nothing)",
        "  would have been: it is over in turn 1",
        "north is asked now: turn 1: bet supply on the assaults",
        "  would be: the game ends: north has it",
        "  no more: bet 0",
    ]


def test_rules_that_fail_are_told_in_full() -> None:
    rules = POISONED["rules that fail"][0]
    assert foreseen(at(BET, rules, seed=4).campaign, named(rules)) == [
        f"{replayed_by(4, rules)}: 2 differences",
        "step 1: north's reserve and south's reserve is to be sealed",
        "  would have been: the rules would fail (KeyError)",
        "step 2: south keeps a reserve",
        "  would have been: the rules would fail (KeyError)",
        "it cannot be done at this step: version 3 cannot go on from the position: it fails (KeyError)",
    ]


def test_an_upgrade_that_refuses_is_told_in_full() -> None:
    rules = POISONED["an upgrade that refuses"][0]
    assert foreseen(at(BET, rules, seed=4).campaign, named(rules))[1:3] == [
        "step 1: play goes on from the position",
        "  would have been: version 3 cannot carry the position over: expected less, got this",
    ]


class Speechless(Third):
    """It cannot tell what it asks."""

    def question_text(self, *_: Any) -> str:
        raise ZeroDivisionError


def test_a_question_that_cannot_be_told_is_told_as_that() -> None:
    rules = Speechless(SECOND.files)
    assert foreseen(at(BET, rules, seed=4).campaign, named(rules)) == [
        f"{replayed_by(4, rules)}: nothing would have been different",
        "north is asked now: turn 1: bet supply on the assaults",
        "  would be: bet (it cannot be told: ZeroDivisionError)",
        "  no more: bet 0",
    ]


def test_rules_without_a_difference_are_told_in_full() -> None:
    rules = Third(FIRST.files)
    match = Match(FIRST, 3).play(lambda campaign: campaign.place.step >= 2)
    match.campaign.games = knowing(rules)
    assert foreseen(match.campaign, named(rules)) == [
        f"{replayed_by(0, rules)}: nothing would have been different",
        "it cannot be done at this step: expected a step where one side has to decide, got one where north's reserve "
        "and south's reserve is to be sealed",
    ]


def test_what_is_too_much_to_tell_is_counted() -> None:
    differences = [Difference(step, "2.4", "lost", "won", ("-a", "+b") * 4) for step in range(12)]
    differences[9] = Difference(9, "", "", "", ("-a", "+b"))
    gone, come = (tuple(f"bet {n}" for n in numbers) for numbers in (range(11), range(20, 32)))
    asked = Asked("north", "bet", "bet", gone, come)
    lines = list(in_lines(Shadow(99, tuple(differences), (asked,)), named(SECOND), ""))
    one = ["  would have been: won", *("  -a", "  +b") * 3, "  and 2 more lines"]
    assert lines[1:] == [
        *(line for step in range(9) for line in (f"step {step} (2.4): lost", *one)),
        "step 9: the position would have been another one",
        "  -a",
        "  +b",
        "and 2 more differences",
        "north is asked as before: bet",
        *(f"  no more: bet {n}" for n in range(8)),
        "  and 3 more that go",
        *(f"  new: bet {n}" for n in range(20, 28)),
        "  and 4 more that come",
    ]


def test_what_is_left_out_of_a_difference_may_be_one_thing() -> None:
    gone, come = ([f"bet {number}" for number in range(first, first + 9)] for first in (0, 20))
    lines = list(in_lines(Shadow(99, (), (Asked("north", "bet", "bet", tuple(gone), tuple(come)),)), named(SECOND), ""))
    assert [line for line in lines if line.startswith("  and ")] == [
        "  and 1 more that goes",
        "  and 1 more that comes",
    ]

"""The remedy `worst`: play goes on without who is silent beyond the deadline, and nothing is ever better for it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from attacks.sides import DAY, LATER, Side, claimed_when_sent, new_side, packed, refused
from attacks.worst import GAME, SOUTH, Duel, joined
from pbem.app.moving import move
from pbem.log.event import Dictated, Lapse

SILENT = LATER + 2 * DAY
Reached = Callable[[str], tuple[Duel, Side, Side]]


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Duel]:
    """A game for each kind of what south may owe alone."""
    found = {}
    for kind in ("seal", "entropy", "open", "answer"):
        found[kind] = joined(tmp_path_factory.mktemp(kind))
        found[kind].till_owed(kind, SOUTH)
    return found


@pytest.fixture
def owed(originals: dict[str, Duel], tmp_path: Path) -> Reached:
    """Makes a test's own copy of a game in which south alone owes something of a kind: the game, north and south."""

    def reached(kind: str) -> tuple[Duel, Side, Side]:
        duel = originals[kind].copy(tmp_path)
        return duel, duel.north, duel.south

    return reached


def claimed(side: Side, *words: str, now: int = SILENT) -> list[str]:
    """Claim at that time; what is told then."""
    side.now = max(now, side.now)
    with side.desk() as desk:
        return claimed_when_sent(desk, side.game, words).news


# ------------------------------------------------------------------------------------------ what is owed

CLAIMED = {
    "seal": (
        [],
        ["south's sealed orders did not come, as north states: the default stands", "north keeps a reserve"],
        "claim that the default stands in the place of a decision: `pbem motion claim toy`",
    ),
    "open": (
        [],
        [
            "south's opening of sealed orders did not come, as north states: the default stands",
            "south did not open its plan: the default stands",
        ],
        "claim that the default stands in the place of what was sealed: `pbem motion claim toy`",
    ),
    "answer": (
        ["--dice", ""],
        ["south's orders did not come, as north states: the default stands"],
        "claim that the default stands in the place of a decision: `pbem motion claim toy`",
    ),
    "entropy": (
        ["--dice", "fog"],
        ["south's share of the dice did not come, as north states: north dictates the dice", "turn 2: fog"],
        "dictate every roll of this step, the first being sun, rain or fog for '2.1/turn-2/weather': begin for example "
        "with `pbem motion claim toy --dice fog`, which names any further roll that needs a result",
    ),
}


@pytest.mark.plan("A43", "A34")
@pytest.mark.parametrize("kind", CLAIMED)
def test_play_goes_on_without_what_is_owed_and_a_stranger_verifies_it(kind: str, owed: Reached) -> None:
    arguments, told, to_do = CLAIMED[kind]
    duel, north, south = owed(kind)
    north("export", GAME, "-o", north.folder.parent / "turn.txt")
    assert north("status").out.splitlines()[-1] == f"  do now: the deadline of south is over: wait on, or {to_do}"
    done = north("motion", "claim", GAME, *arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[: len(told) + 1] == [
        "Claimed; the log says whose silence it was.",
        *(f"  > {line}" for line in told),
    ]
    campaign = north.opened(whole=True).campaign
    assert (campaign.outcome, [line.rule for line in campaign.lines].count("remedy")) == (None, 1)
    assert duel.verified(north).code == 0
    south.now = north.now = SILENT
    given_way(duel)
    duel.play()
    done = duel.verified(south, running=False)
    assert (done.code, "Complete: closed by every party." in done.out) == (0, True)


def given_way(duel: Duel) -> None:
    """The claim reaches south, whose program has answered meanwhile and gives way; then both have one log."""
    duel.exchange(1)
    duel.north.decide()
    duel.exchange(1)
    if not duel.heads_agree():
        done = duel.south("motion", "yield", GAME, "--anyway")
        assert done.code == 0, done
    assert duel.heads_agree()


def test_silence_about_a_motion_refuses_it(owed: Reached) -> None:
    duel, north, south = owed("answer")
    south.take(north.export())
    with south.desk() as desk:
        move(desk, GAME, {"what": "draw"})
    north.take(south.export())
    told = claimed(south)
    assert told == ["  > south's motion to end the game as a draw is not agreed to"]
    assert south.opened().campaign.place.deciding == (SOUTH,)
    assert duel.verified(south).code == 0


# ------------------------------------------------------------------------------------------ refusals


def forged(side: Side, *rolls: Dictated, demand: Any = "entropy", now: int = SILENT) -> bytes:
    """A claim that the client would not make."""
    return packed([side.sign(side.here(Lapse(role=SOUTH, demand=demand, dice=list(rolls)), at=now))])


def roll(label: str, *faces: int) -> Dictated:
    return Dictated(label=label, faces=list(faces))


LABEL = "2.1/turn-2/weather"
WEATHER = f"sun, rain or fog for '{LABEL}'"
DICTATED = (
    "place.lapse: expected dictated rolls where a link is owed and the remedy is the worst, and nowhere else, got "
)
FORGED: dict[str, tuple[list[Dictated], str]] = {
    "none": ([], f"{DICTATED}north's lapse of step 7 (EVENT)"),
    "another label": ([roll("2.1", 1)], f"campaign.dictated: expected {WEATHER} dictated as roll 1, got '2.1'"),
    "a face too high": ([roll(LABEL, 5)], f"campaign.dictated: expected {WEATHER}, got 5"),
    "two faces": ([roll(LABEL, 1, 1)], f"campaign.dictated: expected {WEATHER}, got 1 1"),
    "no face": ([roll(LABEL)], f"campaign.dictated: expected {WEATHER}, got nothing"),
    "a roll more": ([roll(LABEL, 1), roll("2.2", 1)], "campaign.dictated: expected 1 dictated roll, got 2"),
}


@pytest.mark.plan("A17", "A43")
@pytest.mark.parametrize("name", FORGED)
def test_dice_that_are_not_exactly_those_of_the_step_are_refused(name: str, owed: Reached) -> None:
    """As they come from a second device of the claimant; nothing but the refusal is kept."""
    _, north, _ = owed("entropy")
    rolls, expected = FORGED[name]
    assert _without_id(refused(north, forged(north, *rolls), "refused", "tallies")) == expected


def _without_id(line: str) -> str:
    head, mark, tail = line.partition("(event ")
    return f"{head}(EVENT{tail[tail.index(')') :]}" if mark else line


@pytest.mark.plan("A17")
@pytest.mark.parametrize(("kind", "demand"), [("answer", "answer"), ("open", "open"), ("seal", "seal")])
def test_nothing_is_dictated_where_no_link_is_owed(kind: str, demand: str, owed: Reached) -> None:
    _, north, _ = owed(kind)
    told = refused(north, forged(north, roll(WEATHER, 1), demand=demand), "refused", "tallies")
    assert told.startswith(DICTATED)


def test_nothing_is_dictated_where_the_remedy_is_a_claim_of_the_game(tmp_path: Path) -> None:
    north, _ = joined(tmp_path, "claim").till_owed("entropy", SOUTH)
    told = refused(north, forged(north, roll(WEATHER, 1)), "refused", "tallies")
    assert told.startswith(DICTATED)
    north.export()
    assert north("motion", "claim", GAME, "--dice", "fog").err == (
        "lapse.no_dice: expected no --dice where nothing is dictated, got some: the remedy of this game is a claim\n"
        "hint: leave it out\n"
    )


SPELLED = {
    "": (
        "lapse.dice: expected a result for every roll of this step, got none: the first is sun, rain or fog for "
        "'2.1/turn-2/weather'\nhint: for example `pbem motion claim toy --dice fog`\n"
    ),
    "fog,1": (
        "lapse.dice: expected 1 result, got 2: '1' is left over\nhint: for example `pbem motion claim toy --dice fog`\n"
    ),
    "snow": "lapse.dice: expected one of sun, rain, rain, fog for '2.1/turn-2/weather', got 'snow'\n",
}


@pytest.mark.parametrize("dice", SPELLED)
def test_the_client_says_which_dice_it_wants(dice: str, owed: Reached) -> None:
    _, north, _ = owed("entropy")
    north.export()
    before = north.tables()
    done = north("motion", "claim", GAME, "--dice", dice)
    assert (done.code, done.out, done.err) == (1, "", SPELLED[dice])
    assert north.tables() == before


def test_the_client_counts_the_dice_of_several_rolls(tmp_path: Path) -> None:
    """North has to roll two dice, and what comes then depends on them."""
    duel = joined(tmp_path)
    north, _ = duel.till_owed("entropy", SOUTH)
    while north.opened().campaign.driver.waiting.request.label.startswith("2.1/"):
        duel.exchange(1)
        north, _ = duel.till_owed("entropy", SOUTH)
    north.export()
    said = [
        north("motion", "claim", GAME, "--dice", dice).err.splitlines() for dice in ("", "6", "7,1", "6,6", "fog,6")
    ]
    label = f"'{north.opened().campaign.driver.waiting.request.label}'"
    assert [lines[0] for lines in said[:3]] == [
        "lapse.dice: expected a result for every roll of this step, got none: the first is 2 dice of 6 sides for "
        f"{label}",
        "lapse.dice: expected a result for every roll of this step, got 1: the next is 2 dice of 6 sides for "
        f"{label}, of which 1 more is needed",
        f"lapse.dice: expected a face from 1 to 6 for {label}, got '7'",
    ]
    assert said[1][1] == "hint: for example `pbem motion claim toy --dice 6,6`"
    assert said[3][0].startswith("lapse.dice: expected a result for every roll of this step, got 2: the next is ")
    assert said[4][0] == f"lapse.dice: expected a face from 1 to 6 for {label}, got 'fog'"
    dice = ""
    while (done := north("motion", "claim", GAME, "--dice", dice)).code:
        dice = done.err.strip().rpartition("--dice ")[2].removesuffix("`")
    rolls = [roll for roll in north.opened(whole=True).campaign.rolls if roll.dictated]
    results = [[one.items[one.faces[0] - 1]] if one.items else [str(face) for face in one.faces] for one in rolls]
    assert ",".join(word for words in results for word in words) == dice
    assert duel.verified(north).code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--remedy", "worst"],
            "new.remedy: expected a deadline in a game with a --remedy, which is for what does not come in time, got "
            "none\nhint: say how many days each answer may take: --deadline-days 7\n",
        ),
        (
            ["--remedy", "worst", "--deadline-days", "7", "--referee", "rita@example.org"],
            "new.remedy: expected no --remedy in a game with a referee, who rules when a deadline is over, got one\n"
            "hint: choose one of the two\n",
        ),
    ],
)
def test_a_remedy_that_nobody_could_claim_is_refused(options: list[str], told: str, tmp_path: Path) -> None:
    north = new_side(tmp_path / "north", "north", "Anna")
    done = north("new", GAME, "--as", "north", "--opponent", "bruno@example.org", *options, "-o", tmp_path / "i.eml")
    assert (done.code, done.err) == (1, told)


# ------------------------------------------------------------------------------------------ what is agreed to


def test_the_terms_and_the_invitation_say_what_silence_leads_to(tmp_path: Path) -> None:
    north, bruno = new_side(tmp_path / "n", "north", "Anna"), new_side(tmp_path / "s", "south", "Bruno")
    mail = tmp_path / "invitation.eml"
    options = ["--deadline-days", "7", "--remedy", "worst", "-o", mail, "--eml"]
    assert north("new", GAME, "--as", "north", "--opponent", "bruno@example.org", *options).code == 0
    assert bruno("accept", mail, "--show").out.splitlines()[4] == (
        "  deadline: 7 days an answer, then the other side may claim the worst for the silent one, and play goes on: "
        "in the place of orders their default stands, and where a share of the dice is owed the other side dictates "
        "every roll of that step."
    )
    assert (
        "Each answer may take 7 days. After that the other side may\n"
        "claim the worst for the silent one, and play goes on: in the place of\n"
        "orders their default stands, and where a share of the dice is owed\n"
        "the other side dictates every roll of that step.\n"
    ) in mail.read_text()


# ------------------------------------------------------------------------------------------ what is told of it


def test_a_dictated_roll_says_who_dictated_it(owed: Reached, tmp_path: Path) -> None:
    duel, north, _ = owed("entropy")
    claimed(north, "fog")
    why = (
        "north dictated it in its claim at step 7, because the other side's link did not come in time and the remedy "
        "that "
        "both agreed to is the worst for the silent side"
    )
    assert north("roll", GAME).out.splitlines() == [
        "# 3:2.1/turn-1/weather: sun (one of the 5 that are left; rolled by north and south)",
        "# 7:2.1/turn-2/weather: fog (one of the 4 that are left; dictated by north)",
        "# Do now: `pbem roll toy 3:2.1/turn-1/weather | sh` checks one of them with openssl and sha256sum alone.",
    ]
    assert north("roll", GAME, "7").out.splitlines() == [
        "# roll 7:2.1/turn-2/weather: fog (one of the 4 that are left)",
        f"# No chain stands behind it and no script can check it: {why}.",
        "# The link that did not come stays closed. `pbem log toy` tells of the claim; `pbem verify` checks it.",
    ]
    assert north("dispute", GAME, "roll", "7", "-o", tmp_path / "roll.pbem").err == (
        f"roll.dictated: expected a roll that follows from links, got 7:2.1/turn-2/weather: {why}\n"
    )
    luck = north("luck", GAME).out
    assert luck.splitlines()[4:11] == [
        "  Before step: 8",
        "  No dice were rolled so far: all that chance has decided was drawn, 1 item;",
        "    each comes from what is left, so that draws have no total, and no chance of",
        "    it is told here.",
        "  One roll or draw was dictated by the side that waited for a share of the dice:",
        "    luck had no part in it, it is left out.",
        "",
    ]
    assert "2.1: 1 weather" not in luck
    told = duel.verified(north).out.splitlines()
    assert (
        "  1 of these rolls was dictated by who waited for a link beyond the deadline: no chain is behind that" in told
    )
    sections = orjson.loads(north("certificate", GAME, "--json").out)["sections"]
    passed = next(section["facts"] for section in sections if section["heading"] == "Checks passed")
    assert passed["Rolls and draws that follow from those links"] == "1"
    assert passed["Rolls and draws that were dictated where a link did not come in time"] == "1"


# ------------------------------------------------------------------------------------------ what comes too late


@pytest.mark.plan("A43")
def test_what_comes_before_anything_stands_behind_the_claim_counts(owed: Reached) -> None:
    """A share of the dice: behind every other claim the program of who claims has signed something at once."""
    duel, north, south = owed("entropy")
    south.take(north.export())
    south.decide()
    late = south.export()
    claimed(north, "fog")
    north.take(late)
    south.take(north.export(everything=True))
    assert duel.heads_agree()
    assert not [one for one in north.opened(whole=True).campaign.rolls if one.dictated]
    done = duel.verified(north)
    assert done.code == 0


@pytest.mark.plan("A43")
def test_a_link_that_comes_too_late_serves_no_roll(owed: Reached) -> None:
    """Who knows it could choose what it decides for the next dice."""
    duel, north, south = owed("entropy")
    south.take(north.export())
    late = next(one.event.body for one in south.opened(whole=True).campaign.steps[7].events if one.event.role == SOUTH)
    claimed(north, "fog")
    north.decide()
    heads = north.heads()
    done = north.mail(south.export(everything=True))
    assert [line for line in done.err.splitlines() if "late_answer" in line] == [
        "refused: import.late_answer: expected south's share of the dice of step 7 before play had gone on from the "
        "claim "
        "that it did not come, got it too late"
    ]
    assert north.heads() == heads
    done = south.mail(north.export(everything=True))
    assert [line for line in done.err.splitlines() if "claimed" in line] == [
        "refused: import.claimed: expected what you have signed at step 7 to count, got north's claim of step 7 in "
        "its place"
    ]
    assert south("status").out.splitlines()[-2:] == [
        "  what you signed at step 7 is said not to have come in time: play has gone on from the claim, and yours "
        "comes too late for that; if you agree, `pbem motion yield toy` lets the claim stand",
        "  do now: give way to the claim: `pbem motion yield toy`",
    ]
    assert south("motion", "yield", GAME).out.splitlines()[:3] == [
        "Given way: the claim stands, what you had signed there stays readable in the archive.",
        "  > south's share of the dice did not come, as north states: north dictates the dice",
        "  > turn 2: fog",
    ]
    duel.play()
    for side in duel.sides():
        done = duel.verified(side, running=False)
        assert done.code == 0, done
        opened = [one.link for links in side.opened(whole=True).campaign.opened.values() for one in links]
        assert late.link not in {link.hex() for link in opened}
    assert any("gave way to a claim or a ruling" in line for line in done.out.splitlines())
    rolls = [one.id for one in south.opened(whole=True).campaign.rolls if one.step > 7]
    script = subprocess.run(
        ["sh"], input=south("roll", GAME, rolls[0]).out, capture_output=True, text=True, check=False
    )
    assert (script.returncode, "link 3 of south: as logged\nlink 2 of south: as logged" in script.stdout) == (0, True)


def test_nobody_gives_way_to_nothing(owed: Reached) -> None:
    _, _, south = owed("entropy")
    assert south("motion", "yield", GAME).err.splitlines()[0] == (
        "yield.none: expected a claim or a ruling in the place of what you have signed, got none"
    )


def test_who_gives_way_is_told_of_a_link_that_the_other_side_may_know(owed: Reached) -> None:
    """South has decided, and its program has opened a link behind that; the claim says that nothing came."""
    duel, north, south = owed("answer")
    south.take(north.export())
    south.decide()
    claimed(north)
    north.decide()
    south.now = north.now = SILENT
    south.mail(north.export(everything=True))
    step = south.opened(whole=True).campaign.place.step
    done = south("motion", "yield", GAME)
    assert (done.code, done.err) == (
        1,
        f"yield.link_known: expected no link of yours behind step {step - 1}, got one of step {step}, which the next "
        "dice would be made of: whoever has it could choose decisions for them\n"
        "hint: if you have not sent it, or trust the other side: `pbem motion yield toy --anyway`; then sign with a "
        "new chain as soon as you have to decide: `pbem motion rotate toy`\n",
    )
    assert south("motion", "yield", GAME, "--anyway").code == 0
    duel.exchange()
    assert duel.heads_agree()

"""Refusals before a stranger: an event that the rules refuse is shown with its log, and nobody else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attacks.sides import Pair, Side, id_of, packed, payload_of, sign
from attacks.test_disputes import again, judged, unnoticed, words_of, written
from attacks.test_motions import deciding, exchange
from pbem.app.seats import rotate
from pbem.app.signing import identity_at
from pbem.log import bundle
from pbem.log.event import Answer, Role

NOT_TRUSTED = "hint: do not trust this file: get it again from where it came, as an attachment, or in a zip file\n"


@pytest.fixture
def stranger(tmp_path: Path) -> Side:
    """Somebody who has no home, only the program."""
    return Side(Role("nobody"), tmp_path / "none")


@pytest.fixture
def refused_answer(joined: Pair) -> tuple[Pair, bytes]:
    """The Pole sets a unit up twice, signs that and mails it; the German's client refuses it."""
    question = joined.polish.opened().campaign.question(Role("polish"))
    assert question is not None
    value = question.legal()[0].model_dump(mode="json")
    ((name, places),) = [(name, places) for name, places in value.items() if isinstance(places, list)]
    twice = {**value, name: [*places, places[0]]}
    line = joined.polish.sign(joined.polish.here(Answer(ask=question.kind, value=twice)))
    assert joined.german.mail(packed([line])).code == 1
    return joined, line


def test_a_refusal_convinces_a_stranger(refused_answer: tuple[Pair, bytes], stranger: Side) -> None:
    pair, line = refused_answer
    listed = pair.german("dispute", "westerplatte", "refusal")
    first, *rest = listed.out.splitlines()
    assert (listed.code, first.partition(": ")[0]) == (0, f"{id_of(line)[:16]}  polish's orders of step 2")
    assert rest == [
        f"Do now: `pbem dispute westerplatte refusal {id_of(line)[:16]} -o refusal.pbem` shows one to a stranger."
    ]
    data = written(pair.german, "refusal", id_of(line)[:16])
    done = judged(stranger, data)
    game = pair.german.opened().row.game_id[:12]
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"Proven: polish signed orders at step 2 of game {game} that cannot stand there.",
        f"  german: Anna, key in words: {words_of(pair.german)}",
        f"  polish: Bruno, key in words: {words_of(pair.polish)}",
        "It says: place PL-1 in Koszary; place PL-2 in Fort; place PL-3 in Elektr; place MTR in GH1; place FG in GH2; "
        "place ATG in GH3; place PL-1 in Koszary.",
        "Refused: setup.twice: expected one place for PL-1, got 2 (setup.1).",
        "The log up to that step is in the file and was verified and replayed. Not shown by this file: how the game "
        "went on, and why the event was signed: a program of another version may have made it.",
        "Compare the keys in words with the players, or with that game's archive: a file can name any key for a seat, "
        "and any game.",
    ]
    text = pair.german("dispute", "westerplatte", "refusal", id_of(line), "--text").out
    assert text.splitlines()[0] == f"An event of polish that is refused at step 2 of game {game}"
    facts = " ".join(text.split("\n\n")[2].split())
    assert re.sub(r"\b([0-9a-f]{2})[0-9a-f]{62}\b", "...", facts) == (
        "The event: Game: ... Event: orders of polish at step 2, dated 2023-11-14 22:13:20 UTC, event ... It says: "
        "place PL-1 in Koszary; place PL-2 in Fort; place PL-3 in Elektr; place MTR in GH1; place FG in GH2; place ATG "
        "in GH3; place PL-1 in Koszary Reason: setup.twice: expected one place for PL-1, got 2 (setup.1) Log before "
        "it: 2 steps, head ... Rules: The Battle of the Westerplatte, westerplatte version 1, data ..."
    )
    assert bundle.read(data).lines[-1] == line


def test_a_refusal_can_be_shown_when_play_has_gone_on(refused_answer: tuple[Pair, bytes], stranger: Side) -> None:
    pair, line = refused_answer
    before = written(pair.german, "refusal", id_of(line))
    pair.play(8)
    assert written(pair.german, "refusal", id_of(line)) == before
    assert judged(stranger, before).code == 0


@pytest.mark.plan("A64")
def test_no_byte_of_a_refusal_can_be_changed(refused_answer: tuple[Pair, bytes]) -> None:
    pair, line = refused_answer
    data = written(pair.german, "refusal", id_of(line))
    assert unnoticed(data, range(len(data))) == []


@pytest.mark.plan("A64")
def test_nobody_is_accused_of_an_event_that_the_rules_accept(
    refused_answer: tuple[Pair, bytes], stranger: Side
) -> None:
    """The German puts the Pole's legal answer, another reason, or an event of a later step into the file."""
    pair, line = refused_answer
    data = written(pair.german, "refusal", id_of(line))
    pair.polish.decide()
    legal = pair.polish.lines()[-1]
    done = judged(stranger, again(data, lambda lines: [*lines[:-1], legal], event=id_of(legal)))
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "dispute.accepted: expected an event that is refused, got polish's answer of step 2 "
        f"(event {id_of(legal)[:12]}), which is not\n{NOT_TRUSTED}"
    )
    done = judged(stranger, again(data, code="another.reason"))
    assert done.err == (
        "dispute.reason: expected the reason another.reason, got setup.twice: expected one place for PL-1, got 2 "
        f"(setup.1)\n{NOT_TRUSTED}"
    )
    done = judged(stranger, again(data, lambda lines: [*lines[:-1], legal]))
    assert done.err == (
        f"dispute.events: expected event {id_of(line)[:12]} at the end, got polish's answer of step 2 (event "
        f"{id_of(legal)[:12]})\n{NOT_TRUSTED}"
    )
    late = pair.polish.sign({**payload_of(line), "step": 3})
    done = judged(stranger, again(data, lambda lines: [*lines[:-1], late], event=id_of(late)))
    assert done.err == (
        f"dispute.place: expected an event of step 2 of this log, got polish's answer of step 3 (event "
        f"{id_of(late)[:12]}) of another place\n{NOT_TRUSTED}"
    )
    done = judged(stranger, again(data, lambda _: []))
    assert done.err == f"dispute.events: expected the log up to a refused event, got no event\n{NOT_TRUSTED}"


def test_a_refused_event_of_another_place_is_not_shown_as_a_refusal(played: Pair) -> None:
    """The Pole signs for another head: that follows another log, and what the rules say of it shows nothing."""
    line = played.polish.sign(played.polish.here(Answer(ask="setup", value={}), prev="ab" * 32, step=5))
    played.german.mail(packed([line]))
    done = played.german(
        "dispute", "westerplatte", "refusal", id_of(line), "-o", played.german.folder.parent / "x.pbem"
    )
    assert done.code == 1
    assert done.err == (
        "dispute.not_refused: expected an event that this log and its rules refuse at its place, got "
        f"polish's answer of step 5 (event {id_of(line)[:12]}), which follows another step 4\n"
        "hint: it follows another log, or what it lacked has come since: only a refusal at its place can be shown\n"
    )
    listed = played.german("dispute", "westerplatte", "refusal").out.splitlines()
    assert (listed[0].partition(": ")[0], listed[1:]) == (
        f"{id_of(line)[:16]}  polish's orders of step 5",
        [
            "  cannot be shown: expected an event that this log and its rules refuse at its place, got polish's answer "
            f"of step 5 (event {id_of(line)[:12]}), which follows another step 4",
            "Do now: nothing, none of them can be shown to a stranger; `pbem status westerplatte` says what the game "
            "needs.",
        ],
    )


def test_what_can_be_shown_is_listed_first(refused_answer: tuple[Pair, bytes]) -> None:
    """The Pole also signs something at an earlier step, that stands first among what was refused."""
    pair, line = refused_answer
    early = pair.polish.sign(pair.polish.here(Answer(ask="setup", value={}), prev="ab" * 32, step=1))
    pair.german.mail(packed([early]))
    listed = pair.german("dispute", "westerplatte", "refusal").out.splitlines()
    assert [one.partition(": ")[0] for one in listed] == [
        f"{id_of(line)[:16]}  polish's orders of step 2",
        f"{id_of(early)[:16]}  polish's orders of step 1",
        "  cannot be shown",
        "Do now",
    ]
    told = "\n".join(line.strip() for line in pair.german("dispute", "--help").out.splitlines())
    assert (
        "A refusal can be shown where the log or the rules forbid what stands there: orders that are not legal, say, "
        "signed at a step of this very log with the key that has the seat. It cannot for what follows another log, "
        "came before its time or too late, or was signed with a key that has no seat; nor for a damaged file, which "
        "nobody signed."
    ) in told.replace("\n", " ")


def test_a_refused_event_is_named_by_its_first_digits(refused_answer: tuple[Pair, bytes]) -> None:
    pair, line = refused_answer
    for wanted in (id_of(line)[:3], "0" * 16):
        done = pair.german("dispute", "westerplatte", "refusal", wanted)
        assert (done.code, done.err) == (
            1,
            f"dispute.event: expected 8 or more digits of the id of a refused event, got '{wanted}'\n"
            f"hint: kept apart here: {id_of(line)[:16]}\n",
        )


def cannot_be_shown(side: Side, line: bytes) -> str:
    """Why the list says that nobody can be shown the refusal of an event."""
    listed = side("dispute", "westerplatte", "refusal").out.splitlines()
    assert listed[0].startswith(id_of(line)[:16])
    return listed[1].removeprefix("  cannot be shown: ")


def test_a_refused_event_of_a_step_that_is_not_here_is_not_shown_as_a_refusal(played: Pair) -> None:
    """The Pole signs for a step that was over before play began."""
    german = played.german
    line = played.polish.sign(played.polish.here(Answer(ask="setup", value={}), prev="ab" * 32, step=1))
    german.mail(packed([line]))
    assert cannot_be_shown(german, line) == (
        "expected an event that this log and its rules refuse at its place, got polish's answer of step 1 (event "
        f"{id_of(line)[:12]}), whose step is not here"
    )


@pytest.mark.plan("A64")
def test_what_a_key_signed_whose_seat_was_overruled_is_not_shown_as_a_refusal(played: Pair, tmp_path: Path) -> None:
    """A key got the seat by one of two events of a step, and signed what the rules refuse; the other event stands."""
    mover, other = deciding(played)
    twin = mover.copy(tmp_path / "twin")
    with mover.desk() as desk:
        rotate(desk, mover.game)
        new_key = identity_at(desk, desk.home, mover.opened())
    exchange(played, mover)
    line = sign(new_key, mover.here(Answer(ask="nothing", value={})))
    other.mail(packed([line]))
    twin.now = mover.now
    twin.decide()
    other.mail(twin.export())
    fork = other.opened().fork
    assert fork is not None
    (decision,) = [one.id for one in (fork.first, fork.second) if one.event.kind == "answer"]
    assert other("motion", "resolve", "--keep", decision[:16]).code == 0
    step = payload_of(line)["step"]
    expected = (
        f"expected an event by a key that holds a seat, got {mover.role}'s answer of step {step} (event "
        f"{id_of(line)[:12]}) by another one"
    )
    assert cannot_be_shown(other, line) == expected
    assert other("dispute", "westerplatte", "refusal", id_of(line), "-o", tmp_path / "x.pbem").err == (
        f"dispute.seat: {expected}\nhint: what such a key signs shows nothing about who has the seat\n"
    )


def test_a_refusal_that_is_not_known_is_named(joined: Pair) -> None:
    assert joined.german("dispute", "westerplatte", "refusal").out == "No event of this game was refused here.\n"
    done = joined.german("dispute", "westerplatte", "refusal", "ab" * 32, "-o", joined.german.folder.parent / "x.pbem")
    assert done.err == (
        f"dispute.event: expected 8 or more digits of the id of a refused event, got '{'ab' * 32}'\n"
        "hint: this home keeps no refused event of this game\n"
    )

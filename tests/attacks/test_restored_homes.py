"""A home out of a backup never answers twice by mistake; and what the other side is known to have of one's events."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from attacks.sides import DEADLINE_DAYS, Done, Pair, Side, invited, new_side, packed, pbem, unpacked
from attacks.test_archives import closed
from attacks.test_motions import deciding, exchange
from attacks.test_settled import until_the_pole_decides
from pbem.app import catalogue
from pbem.app.demo import Seeded
from pbem.app.desk import system_clock
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.sheets import present_question
from pbem.engine import snapshot
from pbem.log.event import Role

DATE = r"\d{4}-\d\d-\d\d \d\d:\d\d [\w+-]+"
NOT_KNOWN = (
    "game.restored: expected to know that nothing of polish's is missing in this home, which was restored, "
    "got nothing yet that german signed since then\n"
    "hint: two answers at one place would accuse you: import what german has (`pbem export --all` there); "
    "`pbem current westerplatte` says what is known here, and what to do when german waits for you\n"
)


def backed_up(side: Side, file: Path) -> Path:
    assert side("backup", "--plain", "-o", file).code == 0
    return file


def restored(side: Side, file: Path, folder: Path) -> Side:
    """The home of a backup in a folder of its own; its clock is the machine's from then on."""
    done = pbem(folder, "restore", file, "--home", folder)
    assert (done.code, done.err) == (0, "")
    random = Seeded(5, folder.name)
    return Side(side.role, folder, side.game, system_clock(), chooser=Seeded(9, folder.name), random=random)


def later(*sides: Side) -> None:
    """Set clocks to a moment after everything that was restored."""
    moment = max(system_clock(), *(side.now for side in sides)) + 60
    for side in sides:
        side.now = moment


def decides(side: Side, folder: Path) -> Done:
    """Submit orders through the client, other ones at each home."""
    sheet = folder / f"orders-{side.folder.name}.txt"
    opened = side.opened()
    campaign = opened.campaign
    answer = campaign.ruleset.bots()["random"](present_question(opened), campaign.state, side.chooser.choose)
    sheet.write_text(campaign.ruleset.write_orders(answer), "utf-8")
    return side("orders", "--submit", sheet, "--anyway")


def own_events(side: Side) -> int:
    return sum(row.role == side.role for row in side.opened().rows)


def assert_agreed(one: Side, other: Side) -> None:
    """Both homes have the same log, as far as the last mail went."""
    first, second = one.heads(), other.heads()
    both = min(len(first), len(second))
    assert both >= 10
    assert first[:both] == second[:both]


@pytest.fixture
def lost(joined: Pair, tmp_path: Path) -> tuple[Pair, Path]:
    """The Pole has made a backup, then decided and mailed that; then its disk is lost."""
    file = backed_up(joined.polish, tmp_path / "home.backup")
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    return joined, file


# ---------------------------------------------------------------------- without protection, and with it


@pytest.mark.plan("A19")
def test_a_home_that_was_copied_by_hand_answers_twice(joined: Pair, tmp_path: Path) -> None:
    """What the marks of a restored home are against: the same story with a copy that knows nothing of its age."""
    copy = joined.polish.copy(tmp_path / "copy")
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    copy.chooser.choose(1000)
    assert decides(copy, tmp_path).code == 0
    done = joined.german.mail(copy.export())
    assert done.out.splitlines()[0].startswith("THE GAME IS STOPPED: polish signed two different events at step 2")


@pytest.mark.plan("A19")
def test_a_restored_home_does_not_answer_what_it_may_have_answered(lost: tuple[Pair, Path], tmp_path: Path) -> None:
    pair, file = lost
    back = restored(pair.polish, file, tmp_path / "back")
    before = back.tables()
    done = decides(back, tmp_path)
    assert (done.code, done.out, done.err) == (1, "", NOT_KNOWN)
    assert back.tables() == before
    assert pair.german.mail(back.export()).code == 0
    assert pair.german.opened().fork is None


@pytest.mark.plan("A19")
def test_a_restored_home_takes_in_what_it_had_signed_and_plays_on(lost: tuple[Pair, Path], tmp_path: Path) -> None:
    pair, file = lost
    german, back = pair.german, restored(pair.polish, file, tmp_path / "back")
    (mine,) = [line for line in unpacked(german.export()).lines if line not in back.lines()]
    assert back.mail(german.export()).out.splitlines()[0] == "westerplatte: 1 new event, 0 known already."
    assert back.lines()[-1] == mine
    later(german, back)
    german.decide()
    done = back.mail(german.export())
    assert "  answered by itself, step 4: " in done.out
    assert '"restored":null' in str(back.tables()["status"])
    again = Pair(german, back)
    again.play(12)
    assert [side.opened().fork for side in again.sides()] == [None, None]
    assert_agreed(german, back)
    assert [(side.verified().code, side.verified().err) for side in again.sides()] == [(0, ""), (0, "")]


@pytest.mark.plan("A19")
def test_a_mail_from_before_the_loss_shows_nothing(joined: Pair, tmp_path: Path) -> None:
    """The mail was answered before the disk was lost, and is imported again from the mailbox.

    It acknowledges the newest event of the Pole that the restored home knows, so that this alone must not do.
    """
    german, polish = joined.sides()
    file = backed_up(polish, tmp_path / "home.backup")
    polish.decide()
    german.take(polish.export())
    german.decide()
    answered_already = german.export()
    polish.take(answered_already)
    assert polish.opened().campaign.place.step > 3
    back = restored(polish, file, tmp_path / "back")
    done = back.mail(answered_already)
    opened = back.opened()
    newest = {role: max(row.step for row in opened.rows if row.role == role) for role in ("german", "polish")}
    assert newest["german"] > newest["polish"] > 1
    assert "answered by itself" not in done.out
    assert own_events(back) == 2
    assert opened.campaign.awaited().keys() >= {back.role}
    assert done.out.splitlines()[-1] == (
        "Do now: import what has come since the backup was made, what you had imported before too; then "
        "`pbem current westerplatte` says what is known, and what to do when the other side waits for you"
    )
    german.take(polish.export())
    back.mail(german.export())
    assert own_events(back) == 3
    assert back("current", "--confirm").code == 0
    Pair(german, back).play(12)
    assert [german.opened().fork, back.opened().fork] == [None, None]
    assert_agreed(german, back)


@pytest.mark.plan("A19")
def test_an_event_of_a_fast_clock_is_believed_later(joined: Pair, tmp_path: Path) -> None:
    """The German's clock was seen to be an hour ahead: what it dates in that hour may have been answered before."""
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    german.now = system_clock() + 3600
    german.decide()
    polish.mail(german.export())
    file = backed_up(polish, tmp_path / "home.backup")
    back = restored(polish, file, tmp_path / "back")
    german.take(polish.export())
    german.decide()
    back.mail(german.export())
    assert pbem(back.folder, "current", "--json").out.count('"current": false') == 1


# ---------------------------------------------------------------------- the person says so


def without_dates(text: str) -> list[str]:
    return re.sub(DATE, "?", text).splitlines()


@pytest.mark.plan("A19")
def test_a_person_says_that_nothing_is_missing(joined: Pair, tmp_path: Path) -> None:
    """Nothing was signed after the backup, and the German waits: no event of his can come first."""
    file = backed_up(joined.polish, tmp_path / "home.backup")
    back = restored(joined.polish, file, tmp_path / "back")
    assert without_dates(back("status").out) == [
        "westerplatte: The Battle of the Westerplatte, you are polish against Anna (german)",
        f"  turn 1, step 2, game {back.opened().row.game_id[:12]}",
        "  waiting for polish: place every Polish unit on a land area, at most 2 in one, since ?, until ?",
        "  restored on ? from a backup of ?: nothing is signed here until it is known that nothing of yours is missing",
        "  do now: import what has come since the backup was made, what you had imported before too; then "
        "`pbem current westerplatte` says what is known, and what to do when the other side waits for you",
    ]
    assert without_dates(back("current").out) == [
        "westerplatte: restored on ? from a backup that was made on ?.",
        "  your newest event here: step 1, accept, dated ?",
        "  the newest event of german here: step 0, propose, dated ?",
        "Danger: what you signed after the backup was made counts, even if it lies unread in the other side's mailbox. "
        "If you sign at the same place again, two answers of yours contradict each other: the game stops, and anybody "
        "can prove that it was you.",
        "Do now: ask german for `pbem export --all`, written now, and import that. If german waits for you and you are "
        "sure that you signed nothing more in any copy of this home: `pbem current westerplatte --confirm`.",
    ]
    confirmed = back("current", "--confirm")
    assert (confirmed.code, confirmed.out.splitlines()) == (
        0,
        [
            "Noted: you say that nothing of yours is missing in westerplatte.",
            "Do now: your deadline is over since 2023-11-21 22:13 UTC, and german may claim the game now; decide and "
            "send at once: `pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte --submit "
            "orders.txt`",
        ],
    )
    assert decides(back, tmp_path).code == 0
    assert joined.german.mail(back.export()).code == 0
    Pair(joined.german, back).play(12)
    assert [joined.german.opened().fork, back.opened().fork] == [None, None]
    again = back("current", "--confirm")
    assert (again.code, again.err) == (
        1,
        "current.known: expected a restored game that may lack something, got westerplatte, which is current\n"
        "hint: `pbem status westerplatte` says what to do now\n",
    )
    assert back("current").out.splitlines() == [
        "westerplatte is current: it was not restored, or it is known that nothing of yours is missing.",
        "Do now: `pbem status`.",
    ]


@pytest.mark.plan("A19")
def test_when_the_whole_log_has_come_only_the_person_is_asked(joined: Pair, tmp_path: Path) -> None:
    """The invitation alone, imported again, is no whole log."""
    file = backed_up(joined.polish, tmp_path / "home.backup")
    back = restored(joined.polish, file, tmp_path / "back")
    assert back.mail(packed(joined.german.lines()[:1])).code == 0
    assert "do now: import what has come since the backup was made" in back("status").out
    assert back.mail(joined.german.export(everything=True)).code == 0
    assert without_dates(back("status").out)[-1] == (
        "  do now: was the whole log that you imported on ? written after you restored, and have you signed nothing "
        "more in any copy of this home? Then `pbem current westerplatte --confirm`; else import what the other side "
        "writes now with `pbem export --all`"
    )
    assert without_dates(back("current").out)[-1] == (
        "Do now: a whole log of german was imported on ?. Was it written after you restored, and are you sure that you "
        "signed nothing more in any copy of this home? Then `pbem current westerplatte --confirm`; else import what is "
        "written there now with `pbem export --all`."
    )
    done = decides(back, tmp_path)
    assert (done.code, done.err) == (
        1,
        "game.restored: expected to know that nothing of polish's is missing in this home, which was restored, got a "
        "whole log of the other side, which does not say when it was written\n"
        "hint: was that after you restored, and have you signed nothing more in any copy of this home? `pbem current "
        "westerplatte --confirm` says so\n",
    )
    assert back("current", "--confirm").code == 0
    assert decides(back, tmp_path).code == 0


@pytest.mark.plan("A18", "A19")
@pytest.mark.parametrize("kept", [0, 1])
def test_a_person_who_is_wrong_forks_and_the_other_side_settles_it(
    lost: tuple[Pair, Path], kept: int, tmp_path: Path
) -> None:
    pair, file = lost
    german, back = pair.german, restored(pair.polish, file, tmp_path / "back")
    assert back("current", "--confirm").code == 0
    assert decides(back, tmp_path).code == 0
    told = german.mail(back.export())
    assert told.out.splitlines()[0].startswith("THE GAME IS STOPPED: polish signed two different events at step 2")
    fork = german.opened().fork
    assert fork is not None
    assert german("motion", "resolve", "--keep", (fork.first.id, fork.second.id)[kept]).code == 0
    later(german, back)
    assert back.mail(german.export()).code == 0
    Pair(german, back).play(12)
    assert_agreed(german, back)
    for side in (german, back):
        verdict = side.verified()
        assert (verdict.code, verdict.err) == (0, "")
        assert len([line for line in verdict.out.splitlines() if "was overruled" in line]) == 1


@pytest.mark.plan("A19")
def test_nothing_can_be_confirmed_at_a_home_that_is_behind(joined: Pair, tmp_path: Path) -> None:
    file = backed_up(joined.polish, tmp_path / "home.backup")
    joined.play(8)
    back = restored(joined.polish, file, tmp_path / "back")
    back.mail(joined.german.export())
    before = back.tables()
    done = back("current", "--confirm")
    assert done.code == 1
    assert re.fullmatch(
        r"current.behind: expected a game in which nothing is missing, got westerplatte: polish has signed at step \d, "
        r"and the log here ends before step 2\n"
        r"hint: ask the other side for `pbem export --all` and import that\n",
        done.err,
    )
    assert back.tables() == before


# ---------------------------------------------------------------------- forks, second devices, motions of the home


@pytest.mark.plan("A18", "A19")
def test_a_home_that_is_restored_into_a_settled_fork_goes_on_from_the_event_that_stands(
    lost: tuple[Pair, Path], tmp_path: Path
) -> None:
    pair, file = lost
    german = pair.german
    copy = restored(pair.polish, file, tmp_path / "copy")
    copy("current", "--confirm")
    assert decides(copy, tmp_path).code == 0
    german.mail(copy.export())
    fork = german.opened().fork
    assert fork is not None
    assert german("motion", "resolve", "--keep", fork.second.id).code == 0
    third = restored(pair.polish, file, tmp_path / "third")
    assert third.mail(german.export(everything=True)).code == 0
    assert third.opened().fork is None
    later(german, third)
    german.decide()
    third.mail(german.export())
    Pair(german, third).play(12)
    assert_agreed(german, third)


@pytest.mark.plan("A19")
def test_a_second_device_hears_that_the_first_one_is_still_in_use(joined: Pair, tmp_path: Path) -> None:
    german, first = joined.sides()
    file = backed_up(first, tmp_path / "home.backup")
    second = restored(first, file, tmp_path / "second")
    later(german, first)
    joined.play(8)
    until_the_pole_decides(joined)
    german.take(first.export())
    assert second.mail(german.export(everything=True)).code == 0
    assert own_events(second) == own_events(first)
    told = second("current").out.splitlines()
    step = max(row.step for row in second.opened().rows if row.role == second.role)
    assert told[3] == f"  another copy of this home is in use: it signed at step {step} after this one was restored."
    before = second.tables()
    done = decides(second, tmp_path)
    assert (done.code, done.err.splitlines()[0]) == (
        1,
        "game.restored: expected to know that nothing of polish's is missing in this home, which was restored, got an "
        f"event of polish at step {step} that another copy of it has signed since",
    )
    assert second.tables() == before


@pytest.mark.plan("A19")
@pytest.mark.parametrize("act", [("claim",), ("pause",), ("concede", "--why", "lost")], ids=" ".join)
def test_no_motion_is_signed_either(lost: tuple[Pair, Path], tmp_path: Path, act: tuple[str, ...]) -> None:
    pair, file = lost
    back = restored(pair.polish, file, tmp_path / "back")
    if act == ("claim",):
        assert back.mail(pair.german.export()).code == 0
    before = back.tables()
    done = back("motion", *act)
    assert (done.code, done.out, done.err) == (1, "", NOT_KNOWN)
    assert back.tables() == before


def toy_pair(folder: Path) -> Pair:
    """The toy game, in which each side owes a sealed plan at step 4."""
    north, south = new_side(folder / "north", "north", "Nora"), new_side(folder / "south", "south", "Sven")
    north.game = south.game = "toy"
    with north.desk() as desk:
        people = {Role("south"): ("Sven", "sven@example.org")}
        propose(desk, Terms(catalogue.ruleset("toy"), "standard", north.role, people, DEADLINE_DAYS))
    with south.desk() as desk:
        accept(desk, single_proposal(incoming(north.export(), "invitation")))
    north.take(south.export())
    toy = Pair(north, south)
    toy.play(4)
    north.take(south.export())
    south.take(north.export())
    return toy


@pytest.mark.plan("A19")
def test_what_was_sealed_after_the_backup_is_told_as_lost(tmp_path: Path) -> None:
    north, south = toy_pair(tmp_path).sides()
    file = backed_up(south, tmp_path / "home.backup")
    south.decide()
    north.take(south.export())
    back = restored(south, file, tmp_path / "back")
    later(north)
    north.decide()
    assert back.mail(north.export()).code == 0
    assert back("status").out.splitlines()[-1] == (
        "  do now: tell the other side that what you sealed at step 4 cannot be opened here: it is in no backup that "
        "was made before; only another copy of this home could, and after a deadline its default counts"
    )


@pytest.mark.plan("A29")
def test_a_snapshot_in_a_backup_is_not_believed(played: Pair, tmp_path: Path) -> None:
    """The state of an earlier step stands at the head of a later one, with a digest that holds."""
    side = played.polish
    honest = side("show").out
    with side.desk() as desk, desk.home.writing() as writer:
        later_row, *_, earlier_row = writer.snapshots(side.opened().row.game_id)
        later_one, earlier_one = (snapshot.read(row.state) for row in (later_row, earlier_row))
        forged = replace(later_one, state=earlier_one.state)
        assert forged != later_one
        writer.drop_snapshots(later_row.game_id)
        writer.put_snapshot(replace(later_row, state=snapshot.write(forged)))
    file = backed_up(side, tmp_path / "home.backup")
    assert side("show").out != honest
    assert restored(side, file, tmp_path / "back")("show").out == honest


@pytest.mark.plan("A19")
def test_every_game_of_a_restored_home_is_marked(joined: Pair, tmp_path: Path) -> None:
    german = invited(joined.german, tmp_path)
    file = backed_up(german, tmp_path / "home.backup")
    back = restored(german, file, tmp_path / "back")
    assert [pbem(back.folder, "current", name, "--json").out.count('"current": false') for name in GAMES] == [1, 1]
    assert [pbem(german.folder, "current", name, "--json").out.count('"current": true') for name in GAMES] == [1, 1]


GAMES = ("westerplatte", "second")


# ---------------------------------------------------------------------- what the other side has


def lines_of(side: Side) -> list[str]:
    return [line for line in without_dates(side("status").out) if "acknowledged" in line]


def test_a_closed_game_waits_for_no_acknowledgement(joined: Pair) -> None:
    """The Pole's closing came last: the German has it, and nobody will ever say so."""
    closed(joined)
    for side in joined.sides():
        assert side.opened().campaign.finished
        assert lines_of(side) == []
    assert [side.opened().campaign.steps[-1].events[-1].event.kind for side in joined.sides()] == ["close", "close"]


@pytest.mark.plan("A22")
def test_what_the_other_side_has_not_acknowledged_is_told_and_sent_again(joined: Pair, tmp_path: Path) -> None:
    german, polish = joined.sides()
    polish.decide()
    assert polish("export", "-o", tmp_path / "1.txt").code == 0
    told = "  not acknowledged yet: your acceptance of step 1 and your orders of step 2, in your turn file of ?"
    assert lines_of(polish) == [told]
    again = polish("export", "-o", tmp_path / "2.txt")
    assert again.out.splitlines()[1:3] == [
        "Note: nothing in it is new: your last turn file held the same, or the other side has it all.",
        "Note: not acknowledged yet: your acceptance of step 1 and your orders of step 2; the next turn file of the "
        "other side shows that it came. Has it lost more than that? `pbem export westerplatte --all` sends the whole "
        "log.",
    ]
    files = [unpacked((tmp_path / name).read_bytes()).lines for name in ("1.txt", "2.txt")]
    assert files[0] == files[1]
    assert german.mail((tmp_path / "2.txt").read_bytes()).code == 0
    later(german)
    german.decide()
    polish.mail(german.export())
    assert polish.tables()["status"] != []
    assert '"delivery":{"acknowledged":2,"open":[{"step":4,"kind":"entropy"}]' in str(polish.tables()["status"])


@pytest.mark.plan("A22")
def test_whoever_says_that_nothing_came_has_signed_on_top_of_it(joined: Pair) -> None:
    """The German denies to have got the Pole's decision, after he answered it: his own event names it."""
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    german.decide()
    polish.take(german.export())
    step = polish.opened(whole=True).campaign.steps[2]
    answer = polish.opened(whole=True).campaign.steps[3].events[0]
    assert (answer.event.role, answer.event.prev) == ("german", step.digest.hex())
    assert [one.event.role for one in step.events] == ["polish"]
    assert all("step 2" not in line for line in lines_of(polish))


def test_a_summary_of_an_older_program_is_made_anew(joined: Pair) -> None:
    side = joined.polish
    before = side("status").out
    with side.desk() as desk, desk.home.writing() as writer:
        kept = writer.status(side.opened().row.game_id)
        assert kept is not None
        writer.put_status(replace(kept, json=b'{"game":"westerplatte"}'))
    assert side("status").out == before


# ------------------------------------------------------------------------------------------ keys that came later


@pytest.mark.plan("A23")
@pytest.mark.parametrize("rotations", [1, 3])
def test_a_backup_from_before_a_rotation_gives_the_new_key_and_its_dice(
    played: Pair, tmp_path: Path, rotations: int
) -> None:
    mover, other = deciding(played)
    file = backed_up(mover, tmp_path / "home.backup")
    for number in range(rotations):
        if number:  # one rotation to a decision
            later(*played.sides())
            exchange(played, mover)
            played.play(mover.opened().campaign.place.step + 1)
            while deciding(played)[0] is not mover:
                played.play(mover.opened().campaign.place.step + 1)
        said = mover("motion", "rotate").out.splitlines()
        assert said[1] == (
            "A backup of this home that you made before is still good: it gives the new key and its dice, too."
        )
    later(*played.sides())
    exchange(played, mover)
    again = restored(mover, file, tmp_path / "again")
    later(again, other)
    assert again.mail(other.export(everything=True)).code == 0
    assert (
        other.opened().campaign.roster.parties[mover.role].key == again.opened().campaign.roster.parties[mover.role].key
    )
    assert again("current", "--confirm").code == 0
    pair = Pair(again, other) if mover.role == "german" else Pair(other, again)
    pair.play(other.opened().campaign.place.step + 8)
    assert_agreed(again, other)
    rolled = [one.event for step in again.opened(whole=True).campaign.steps[-8:] for one in step.events]
    assert any(one.role == mover.role and one.kind == "entropy" for one in rolled)


def test_a_backup_from_before_a_seat_was_taken_does_not_have_the_game(played: Pair, tmp_path: Path) -> None:
    mover, _ = deciding(played)
    archive, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    mover("archive", "-o", archive)
    carla = new_side(tmp_path / "carla", mover.role, "Carla")
    said = carla("substitute", archive, "--as", mover.role, "-o", offer).out.splitlines()
    assert (
        said[2] == "A backup that you made before does not have this game: make a new one, with `pbem backup -o FILE`."
    )

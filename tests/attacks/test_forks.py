"""Two statements of one role at one place: told, proven, settled; and homes that are behind what they signed."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from attacks.sides import LATER, Pair, Side, claimed_when_sent, id_of, invited, new_side, packed, payload_of, unpacked
from pbem.app import catalogue
from pbem.app.desk import system_clock
from pbem.app.verify import verify
from pbem.errors import BadEvidence
from pbem.keys.words import fingerprint_words
from pbem.log.event import Resolve


@pytest.fixture
def restored(joined: Pair, tmp_path: Path) -> Pair:
    """The Pole has copied its home, decided, mailed that, and restored the copy."""
    backup = joined.polish.copy(tmp_path / "backup")
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    return Pair(joined.german, backup)


def decide_otherwise(side: Side) -> None:
    """Answer again, and not the same."""
    side.chooser.choose(1000)
    side.decide()


@pytest.fixture
def forked(restored: Pair) -> Pair:
    """The Pole has answered again, and the German has got that too."""
    decide_otherwise(restored.polish)
    restored.german.mail(restored.polish.export())
    return restored


def rivals(side: Side) -> tuple[str, str]:
    fork = side.opened().fork
    assert fork is not None
    return fork.first.id, fork.second.id


@pytest.mark.plan("A18", "A19", "A40")
def test_a_second_answer_stops_the_game_and_both_are_named(restored: Pair) -> None:
    decide_otherwise(restored.polish)
    done = restored.german.mail(restored.polish.export())
    one, other = rivals(restored.german)
    assert (done.code, done.err) == (0, "")
    alarm, first, second, counts, to_do = done.out.splitlines()
    assert alarm == (
        "THE GAME IS STOPPED: polish signed two different events at step 2, perhaps from a backup or a second device"
    )
    named = [
        re.fullmatch(r"  came (\w+) here: place .* \(dated .*; named by --keep (.*)\)", line)
        for line in (first, second)
    ]
    assert [found[1] for found in named if found] == ["first", "second"]
    assert {found[2] for found in named if found} == {one[:16], other[:16]}
    assert counts == "westerplatte: 1 new event, 2 known already."
    keep = [found[2] for found in named if found]
    assert to_do == (
        f"Do now: settle which one stands: `pbem motion resolve westerplatte --keep {keep[0]}` for the first, "
        f"`--keep {keep[1]}` for the second; the proof for a referee: "
        f"`pbem export westerplatte --evidence -o proof.pbem`"
    )


@pytest.mark.plan("A19")
def test_while_a_game_is_forked_nothing_is_signed_in_it(forked: Pair) -> None:
    before = forked.german.tables()
    done = forked.german("motion", "claim")
    assert done.code == 1
    assert "the game is stopped" in done.err
    assert forked.german.tables() == before


@pytest.mark.plan("A18", "A64")
def test_the_evidence_convinces_a_stranger(forked: Pair, tmp_path: Path) -> None:
    proof = tmp_path / "proof.pbem"
    assert forked.german("export", "--evidence", "-o", proof).out == (
        f"Wrote {proof}. Do now: send it to a referee, or to anybody, who checks it with `pbem verify {proof}`.\n"
    )
    one, other = rivals(forked.german)
    game = forked.german.opened().row.game_id[:12]
    done = Side(forked.german.role, tmp_path / "no home")("verify", proof)
    assert (done.code, done.err) == (0, "")
    first, said, second = done.out.splitlines()[1:4]
    assert said.startswith("    dated 2023-11-14 22:13:20 UTC: place PL-1 in ")
    assert [done.out.splitlines()[0], first, second] == [
        f"Proven: polish signed two different events at step 2 of game {game}.",
        f"  {one}",
        f"  {other}",
    ]


@pytest.mark.plan("A64")
def test_no_byte_of_the_evidence_can_be_changed(forked: Pair, tmp_path: Path) -> None:
    proof = tmp_path / "proof.pbem"
    forked.german("export", "--evidence", "-o", proof)
    data = proof.read_bytes()
    games = catalogue.for_proposal()
    convinced = []
    for position in range(data.index(b"\n") + 1, len(data)):
        changed = data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]
        try:
            verify(changed, games)
            convinced.append(position)
        except BadEvidence:
            continue
    assert convinced == []


@pytest.mark.plan("A19")
@pytest.mark.parametrize("kept", [0, 1])
def test_a_fork_is_settled_and_play_goes_on_at_both_homes(forked: Pair, kept: int) -> None:
    keep = rivals(forked.german)[kept]
    done = forked.german("motion", "resolve", "--keep", keep[:16])
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == (
        f"Settled: event {keep[:16]} stands, the other one stays readable in the archive."
    )
    assert forked.polish.mail(forked.german.export()).code == 0
    forked.play(9)
    assert forked.german.heads()[:8] == forked.polish.heads()[:8]
    for side in forked.sides():
        verdict = side.verified()
        assert (verdict.code, verdict.err) == (0, "")
        assert len([line for line in verdict.out.splitlines() if " overruled by " in line]) == 1


@pytest.mark.plan("A19")
def test_a_fork_is_settled_once_it_has_gone_on_at_both_ends(restored: Pair, joined: Pair) -> None:
    """The first branch went on for several steps before the restored copy answered again."""
    german, first, second = restored.german, joined.polish, restored.polish
    Pair(german, first).play(9)
    decide_otherwise(second)
    german.mail(second.export())
    late = next(one for one in rivals(german) if one == id_of(second.lines()[-1]))
    keep = next(one for one in rivals(german) if one != late)
    refused = german("motion", "resolve", "--keep", late)
    assert (refused.code, refused.err) == (
        1,
        f"resolve.dice_known: expected the event to stand behind which dice are known, {keep[:16]}, got the other one\n"
        "hint: with the other one the same links would roll again, and its author could have chosen the result: "
        f"`pbem motion resolve westerplatte --keep {keep[:16]}`\n",
    )
    assert german("motion", "resolve", "--keep", keep).code == 0
    second.mail(german.export())
    second.now = system_clock()
    Pair(german, second).play(12)
    assert german.heads()[:9] == second.heads()[:9]
    verdict = german.verified()
    assert (verdict.code, verdict.err) == (0, "")
    assert len([line for line in verdict.out.splitlines() if " overruled by " in line]) == 1


@pytest.mark.plan("A19")
def test_a_settlement_that_drops_what_dice_are_known_behind_is_refused(restored: Pair, joined: Pair) -> None:
    """What the client of the other side refuses to sign: the links of the steps behind it would roll again."""
    german, first, second = restored.german, joined.polish, restored.polish
    Pair(german, first).play(9)
    keep = next(id_of(row.line) for row in first.opened().rows if (row.step, row.role) == (2, "polish"))
    decide_otherwise(second)
    late = second.lines()[-1]
    settled = german.sign(german.here(Resolve(role="polish", keep=id_of(late), drop=keep), step=2))
    assert first.mail(packed([late, settled])).err == (
        "refused: resolve.dice_known: expected a settlement that keeps the event behind which dice are known, got "
        "german's settlement of step 2\n"
    )
    assert (first.opened().fork is None, first.opened().resolutions) == (False, ())


def test_two_claims_of_one_side_are_a_fork(joined: Pair, tmp_path: Path) -> None:
    """From a home and from its copy, at two times."""
    twin = joined.german.copy(tmp_path / "twin")
    for now, side in enumerate((joined.german, twin), LATER):
        side.now = now
        with side.desk() as desk:
            claimed_when_sent(desk, side.game)
        joined.polish.mail(side.export())
    claims = (f"a claim that polish owes an answer (dated 2023-11-21 22:13:2{second} UTC" for second in "12")
    first, second = rivals(joined.polish)
    assert joined.polish("status").out.splitlines()[2:5] == [
        "  THE GAME IS STOPPED: german signed two different events at step 2, perhaps from a backup or a second device",
        f"    came first here: {next(claims)}; named by --keep {first[:16]})",
        f"    came second here: {next(claims)}; named by --keep {second[:16]})",
    ]


@pytest.mark.plan("A19")
def test_the_side_that_forked_cannot_settle_it(forked: Pair) -> None:
    forked.polish.mail(forked.german.export())
    one, _ = rivals(forked.polish)
    before = forked.polish.tables()
    for keep in ((), ("--keep", one), ("--keep", "ab" * 8)):
        done = forked.polish("motion", "resolve", *keep)
        assert (done.code, done.err) == (
            1,
            "resolve.own: expected a fork of another role, got one of polish's own\n"
            "hint: the other side settles it: send both events with `pbem export westerplatte -o turn.eml --eml`\n",
        )
    assert forked.polish.tables() == before


@pytest.mark.plan("A19")
def test_a_forged_settlement_of_ones_own_fork_is_refused(forked: Pair) -> None:
    one, other = rivals(forked.german)
    forked.german.sign(forked.german.here(Resolve(role="polish", keep=one, drop=other)))
    forged = forked.polish.sign(forked.polish.here(Resolve(role="polish", keep=one, drop=other), step=2))
    before = forked.german.tables()
    done = forked.german.mail(packed([forged]))
    assert done.code == 1
    assert done.err == (
        "resolve.own: expected a fork of another role to be settled, got polish's settlement of step 2\n"
    )
    assert forked.german.tables() == before


@pytest.mark.plan("A19")
def test_a_settlement_of_events_that_do_not_exist_changes_nothing(joined: Pair) -> None:
    """The German settles a fork that is none: it names the Pole's only answer as the one to drop."""
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    answer = id_of(joined.polish.lines()[-1])
    statement = joined.german.here(Resolve(role="polish", keep="ab" * 32, drop=answer), step=2)
    heads = joined.polish.heads()
    joined.polish.mail(packed([joined.german.sign(statement)]))
    assert joined.polish.heads() == heads
    joined.play(6)
    assert joined.polish.heads()[:3] == heads


@pytest.mark.plan("A19")
def test_a_settlement_that_contradicts_itself_settles_nothing(forked: Pair) -> None:
    one, other = rivals(forked.german)
    both = [Resolve(role="polish", keep=one, drop=other), Resolve(role="polish", keep=other, drop=one)]
    forked.polish.mail(packed([*forked.german.lines(), *all_lines(forked.german)]))
    forked.polish.mail(packed([forked.german.sign(forked.german.here(body, step=2)) for body in both]))
    assert forked.polish.opened().fork is not None


def all_lines(side: Side) -> list[bytes]:
    return [row.line for row in side.opened().rows]


@pytest.mark.plan("A19", "A52")
def test_a_settlement_that_is_replayed_is_known(forked: Pair) -> None:
    keep, _ = rivals(forked.german)
    forked.german("motion", "resolve", "--keep", keep)
    settled = forked.german.export()
    forked.polish.mail(settled)
    before = forked.polish.tables()
    assert forked.polish.mail(settled).code == 0
    assert forked.polish.tables() == before


@pytest.mark.plan("A20")
def test_the_database_itself_forbids_to_overwrite_an_event(forked: Pair) -> None:
    with closing(sqlite3.connect(forked.german.folder / "home.sqlite")) as connection:
        for statement in ("UPDATE events SET line = x'00'", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)


@pytest.mark.plan("A20")
def test_the_second_event_is_kept_beside_the_first(forked: Pair) -> None:
    rows = [row for row in forked.german.opened().rows if row.step == 2]
    assert [(row.role, row.place) for row in rows] == [("polish", 0), ("polish", 1)]
    assert {row.event_id for row in rows} == set(rivals(forked.german))


def test_an_illegal_second_answer_is_no_fork(joined: Pair) -> None:
    """A player who is losing signs something illegal at an old step to stop the game: it is refused, not forked."""
    joined.play(8)
    row = next(row for row in joined.polish.opened().rows if row.step == 2)
    said = payload_of(row.line)
    said["body"] = {"ask": "polish_setup", "value": {"placed": []}}
    before = joined.german.tables("refused", "tallies")
    done = joined.german.mail(packed([joined.polish.sign(said)]))
    assert done.code == 1
    assert joined.german.opened().fork is None
    assert joined.german.tables("refused", "tallies") == before


def test_a_second_acceptance_changes_neither_keys_nor_dice(joined: Pair) -> None:
    """The Pole accepts again with another chain, once it knows more."""
    said = payload_of(joined.polish.lines()[1])
    said["body"]["registration"]["anchor"] = "ab" * 32
    before = joined.german.tables("refused", "tallies")
    done = joined.german.mail(packed([joined.polish.sign(said)], unpacked(joined.polish.export()).keys))
    assert (done.code, done.err) == (
        1,
        "import.accepted: expected one acceptance of polish, got another one by the same key\n",
    )
    assert joined.german.tables("refused", "tallies") == before


@pytest.mark.plan("A24")
def test_whoever_accepts_is_shown_with_the_words_of_its_key(joined: Pair, tmp_path: Path) -> None:
    german, stranger = invited(joined.german, tmp_path), new_side(tmp_path / "eve", "polish", "Eve")
    (tmp_path / "invitation").write_bytes(german.export())
    as_bruno = ("--as-address", "bruno@example.org")
    stranger("accept", tmp_path / "invitation", *as_bruno, "-o", tmp_path / "acceptance")
    done = german("import", tmp_path / "acceptance")
    words = " ".join(fingerprint_words(stranger.identity().public_key))
    assert done.out.splitlines()[1:3] == [
        f"  polish has accepted; its key in words: {words}",
        "  Compare these words by telephone: somebody else could have taken the seat.",
    ]


@pytest.mark.plan("A24")
def test_the_acceptance_of_the_one_who_was_invited_comes_after_a_strangers(joined: Pair, tmp_path: Path) -> None:
    """Somebody intercepts the proposal and accepts it; the real opponent's acceptance must not pass unnoticed."""
    german = invited(joined.german, tmp_path)
    (tmp_path / "invitation").write_bytes(german.export())
    for name in ("Eve", "Bruno"):
        side = new_side(tmp_path / name, "polish", name)
        as_bruno = ("--as-address", "bruno@example.org")
        side("accept", tmp_path / "invitation", *as_bruno, "-o", tmp_path / f"{name}.txt")
    assert german("import", tmp_path / "Eve.txt").code == 0
    before = german.tables("refused", "tallies")
    done = german("import", tmp_path / "Bruno.txt")
    assert done.err.splitlines() == [
        "refused: import.seat_taken: expected one acceptance of polish, got another one by another key",
        "hint: a stranger may have accepted first: compare the key words of polish that `pbem verify second --running` "
        "shows with your opponent by telephone",
    ]
    assert german.tables("refused", "tallies", "status") == {
        name: rows for name, rows in before.items() if name not in ("status", "agenda")
    }


@pytest.mark.plan("A18")
def test_a_fork_at_an_old_step_is_settled_and_nothing_is_lost(joined: Pair) -> None:
    """A player who is losing signs a second, legal answer at the beginning of the game to stop it."""
    joined.play(9)
    german, heads = joined.german, joined.german.heads()
    said = payload_of(next(row.line for row in german.opened().rows if row.step == 2))
    again = joined.polish.sign({**said, "at": said["at"] + 1})
    done = german.mail(packed([again]))
    assert "THE GAME IS STOPPED: polish signed two different events at step 2" in done.out
    original = next(one for one in rivals(german) if one != id_of(again))
    assert german("motion", "resolve", "--keep", original).code == 0
    assert german.heads() == heads
    german.now = joined.polish.now = system_clock()
    joined.polish.take(german.export())
    joined.play(12)
    assert german.heads()[:11] == joined.polish.heads()[:11]


def test_a_flood_of_contrary_events_is_tried_in_bounds(joined: Pair) -> None:
    """Every event at a step gone by has to be tried in a replay: a file full of them must not keep a home busy."""
    joined.play(9)
    said = payload_of(next(row.line for row in joined.german.opened().rows if row.step == 2))
    said["body"]["value"]["placed"] = []
    flood = packed([joined.polish.sign({**said, "at": at}) for at in range(said["at"], said["at"] + 500)])
    before, started = joined.german.tables("refused", "tallies"), time.perf_counter()
    assert joined.german.mail(flood).code == 1
    assert time.perf_counter() - started < 20
    assert joined.german.tables("refused", "tallies") == before

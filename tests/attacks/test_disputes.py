"""Disputes before a stranger: what each file proves, and that none can be changed, forged or made of another game."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest

from attacks.sides import Pair, Side, judged, new_side, payload_of
from attacks.test_forks import decide_otherwise
from attacks.test_seals import both_seal, original, planning, toy  # noqa: F401 - fixtures
from pbem.app import catalogue
from pbem.app.forks import rivals_of
from pbem.app.verify import verify
from pbem.errors import BadEvidence
from pbem.keys.words import fingerprint_words
from pbem.log import bundle, dispute
from pbem.log.event import Entropy, Role


def written(side: Side, *what: str, game: str = "westerplatte") -> bytes:
    """The dispute file that this side writes."""
    path = side.folder.parent / "dispute.pbem"
    done = side("dispute", game, *what, "-o", path, "--force")
    assert (done.code, done.err) == (0, ""), done
    assert done.out == (
        f"Wrote {path}. Do now: attach it to a mail to anybody, who checks it with `pbem verify {path}`.\n"
    )
    return path.read_bytes()


def words_of(side: Side) -> str:
    return " ".join(fingerprint_words(side.identity().public_key))


def unnoticed(data: bytes, positions: Iterable[int], bit: int = 1) -> list[int]:
    """The bytes that can be changed with the file still proving something."""
    games, found = catalogue.for_proposal(), []
    for at in positions:
        try:
            verify(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :], games)
        except BadEvidence:
            continue
        found.append(at)
    return found


# ---------------------------------------------------------------------- a roll


@pytest.fixture
def rolled(played: Pair) -> bytes:
    return written(played.german, "roll", "4")


def result_of(side: Side, roll: str) -> str:
    listed = side("roll", "westerplatte").out
    (found,) = re.findall(rf"^# {re.escape(roll)}: (\S+) ", listed, re.M)
    return str(found)


@pytest.mark.plan("A50", "A64")
def test_a_roll_convinces_a_stranger_who_has_nothing_else(played: Pair, rolled: bytes, stranger: Side) -> None:
    done = judged(stranger, rolled)
    card = result_of(played.german, "4:turn.2/turn-1/card-1")
    game = played.german.opened().row.game_id[:12]
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"Proven: roll 4:turn.2/turn-1/card-1 of game {game} gave {card} (one of the 53 cards that are left).",
        f"  german: Anna, key in words: {words_of(played.german)}",
        f"  polish: Bruno, key in words: {words_of(played.polish)}",
        "Each roller signed its link behind the same step, and each link hashes down to the anchor that its roller had "
        "registered before play began: nobody could choose it.",
        "Not shown by this file: that the rules called for this roll, under this label, with these dice or items, at "
        "this step; and that play stands on that step still. Only the whole log shows that.",
        "Compare the keys in words with the players, or with that game's archive: a file can name any key for a seat, "
        "and any game.",
    ]


def test_a_roll_is_the_least_slice_and_the_same_at_both_homes(played: Pair, rolled: bytes) -> None:
    kinds = [payload_of(line)["kind"] for line in bundle.read(rolled).lines]
    assert kinds == ["propose", "accept", "entropy", "entropy"]
    assert len(rolled) < 5_000
    assert written(played.polish, "roll", "4") == rolled


def test_every_roll_of_a_game_can_be_shown(played: Pair, stranger: Side) -> None:
    rolls = re.findall(r"^# (\d+:\S+): ", played.german("roll", "westerplatte").out, re.M)
    for roll in rolls:
        done = judged(stranger, written(played.german, "roll", roll))
        assert (done.code, result_of(played.german, roll) in done.out.splitlines()[0]) == (0, True)
    assert len(rolls) > 3


def test_a_roll_is_told_to_programs(rolled: bytes, stranger: Side) -> None:
    path = stranger.folder.parent / "judged.pbem"
    path.write_bytes(rolled)
    told = orjson.loads(stranger("verify", path, "--json").out)["dispute"]
    assert (told["claim"], told["step"], told["label"], told["sides"]) == ("roll", 4, "turn.2/turn-1/card-1", 53)


@pytest.mark.plan("A64")
@pytest.mark.parametrize("bit", [0x01, 0x20])
def test_no_byte_of_a_roll_can_be_changed(rolled: bytes, bit: int) -> None:
    assert unnoticed(rolled, range(len(rolled)), bit) == []


@pytest.mark.plan("A64")
def test_no_line_of_a_roll_can_be_left_out_doubled_or_exchanged(rolled: bytes, stranger: Side) -> None:
    lines = rolled.splitlines(keepends=True)
    for at in range(len(lines)):
        assert judged(stranger, b"".join(lines[:at] + lines[at + 1 :])).code == 1
        assert judged(stranger, b"".join([*lines[:at], lines[at], *lines[at:]])).code == 1
        other = (at + 1) % len(lines)
        changed = list(lines)
        changed[at], changed[other] = changed[other], changed[at]
        assert judged(stranger, b"".join(changed)).code == 1


def again(data: bytes, change: Callable[[list[bytes]], list[bytes]] = lambda lines: lines, **said: Any) -> bytes:
    """The file with other lines or another claim, under the digest that belongs to it: a forger can do that much."""
    found = bundle.read(data)
    claim = dispute.read_claim(found)
    return dispute.write(claim.model_copy(update=said), found.keys, change(list(found.lines)))


@pytest.mark.plan("A64", "A50")
def test_a_roll_cannot_be_claimed_for_another_label(rolled: bytes, stranger: Side) -> None:
    """The links of a step give other faces to another label, so that a good card stays with its own attack."""
    faces, refusals = dispute.read_claim(bundle.read(rolled)).model_dump()["faces"], 0
    for number in range(2, 12):
        done = judged(stranger, again(rolled, label=f"turn.2/turn-1/card-{number}"))
        if done.code == 0:  # one of 53 labels or so has the same face: that is a true statement about that label
            assert f"card-{number}" in done.out
            continue
        assert re.match(r"dispute.faces: expected the faces \d+, which these links give, got others\n", done.err)
        refusals += 1
    assert refusals > 5
    assert judged(stranger, again(rolled, faces=[faces[0] % 53 + 1])).code == 1


@pytest.mark.plan("A65")
@pytest.mark.parametrize("number", [2, 3])
def test_a_link_that_was_signed_behind_another_log_does_not_fit(
    played: Pair, rolled: bytes, stranger: Side, number: int
) -> None:
    """The digest that salts a roll stands in no claim: it is what every roller has signed, each in its own event."""
    said = payload_of(bundle.read(rolled).lines[number])
    forged = (played.german if said["role"] == "german" else played.polish).sign({**said, "prev": "ab" * 32})
    done = judged(stranger, again(rolled, lambda lines: [*lines[:number], forged, *lines[number + 1 :]]))
    assert (done.code, done.out, done.err.splitlines()[0]) == (
        1,
        "",
        "dispute.place: expected links behind one step and one state, got some behind another",
    )


@pytest.mark.plan("A64", "A65", "A10")
def test_the_registrations_of_another_game_do_not_fit(played: Pair, rolled: bytes, stranger: Side) -> None:
    """The same two people with the same keys have another game: its proposal and acceptance are put in front."""
    other = _second_game(played)
    done = judged(stranger, again(rolled, lambda lines: [*other[:2], *lines[2:]]))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("event.game: expected an event of game ")


def _second_game(pair: Pair) -> list[bytes]:
    from pbem.app.propose import Terms, accept, propose, single_proposal
    from pbem.app.routing import incoming

    people = {Role("polish"): ("Bruno", "bruno@example.org")}
    with pair.german.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("westerplatte"), "standard", pair.german.role, people, 7, name="second"))
    pair.german.game = "second"
    invitation = pair.german.export()
    with pair.polish.desk() as desk:
        accept(desk, single_proposal(incoming(invitation, "invitation")), name="second")
    pair.polish.game = "second"
    pair.german.take(pair.polish.export())
    lines = pair.german.lines()
    pair.german.game = pair.polish.game = "westerplatte"
    return lines


@pytest.mark.plan("A64", "A46")
@pytest.mark.parametrize("index", [0, 1, 2, 5_000])
def test_a_link_from_elsewhere_is_found(played: Pair, rolled: bytes, stranger: Side, index: int) -> None:
    """The German signs a link of its own choice at the place of its first one, under any number."""
    place = payload_of(bundle.read(rolled).lines[2])
    forged = played.german.sign({**place, "body": Entropy(index=index, link="ab" * 32).model_dump()})
    done = judged(stranger, again(rolled, lambda lines: [*lines[:2], forged, *lines[3:]]))
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[0] == (
        f"dispute.link: expected link {index} to hash down to the anchor that german registered"
        if index in (1, 2)
        else f"dispute.link: expected one of 4096 links of german, got link {index}"
    )


@pytest.mark.plan("A46")
def test_a_later_link_gives_other_faces(played: Pair, rolled: bytes, stranger: Side) -> None:
    place = payload_of(bundle.read(rolled).lines[2])
    bodies = [payload_of(line)["body"] for line in played.german.lines() if payload_of(line)["role"] == "german"]
    (second,) = [body for body in bodies if body.get("index") == 2]
    forged = played.german.sign({**place, "body": second})
    done = judged(stranger, again(rolled, lambda lines: [*lines[:2], forged, *lines[3:]]))
    assert re.match(r"dispute.faces: expected the faces \d+, which these links give, got others\n", done.err)


@pytest.mark.plan("A48")
def test_a_roll_without_the_link_of_every_roller_proves_nothing(rolled: bytes, stranger: Side) -> None:
    done = judged(stranger, again(rolled, lambda lines: lines[:3]))
    assert (done.code, done.out, done.err.splitlines()[0]) == (
        1, "", "dispute.events: expected one link of german and polish each at step 4, got others"
    )  # fmt: skip


@pytest.mark.plan("A64")
def test_a_stranger_who_signs_in_a_seats_name_is_found(rolled: bytes, stranger: Side, tmp_path: Path) -> None:
    """Somebody signs the German's link with his own key, and offers that key with the file."""
    swede = new_side(tmp_path / "swede", "german", "Sven")
    found = bundle.read(rolled)
    forged = swede.sign(payload_of(found.lines[2]))
    lines, keys = [*found.lines[:2], forged, found.lines[3]], [*found.keys, swede.identity().public_key]
    claim = dispute.read_claim(found)
    surplus = judged(stranger, dispute.write(claim, keys, lines))
    assert surplus.err.startswith("dispute.keys: expected exactly the keys that are registered here, got others")
    unknown = judged(stranger, dispute.write(claim, found.keys, lines))
    assert unknown.err.startswith("event.unknown_key: expected a key of a party of this game, got ")


@pytest.mark.plan("A16")
def test_a_flood_is_refused_before_all_of_it_is_verified(rolled: bytes, stranger: Side) -> None:
    done = judged(stranger, again(rolled, lambda lines: lines + [lines[-1]] * 5_000))
    assert done.err.startswith("dispute.events: expected at most 64 events that change no seat, got ")
    head, _, rest = rolled.partition(b"claim ")
    done = judged(stranger, head + b"claim " + b"x" * 40_000 + rest)
    assert done.err.startswith("bundle.claim: expected a dispute to say in at most 32768 bytes what it claims")


def test_a_roll_that_is_none_is_named(played: Pair) -> None:
    done = played.german("dispute", "westerplatte", "roll", "4:nothing", "-o", played.german.folder.parent / "x.pbem")
    assert (done.code, done.err) == (
        1,
        "roll.unknown: expected the id of one roll such as 4:turn.2/turn-1/card-1, got '4:nothing'\n"
        "hint: rolls of step 4: 4:turn.2/turn-1/card-1; each is named by its step, a colon and its label, or by its "
        "step alone where that has one roll; `pbem roll GAME` lists all\n",
    )
    assert played.german("dispute", "westerplatte", "roll").err == (
        "usage: expected `pbem dispute westerplatte roll ROLL`\nhint: `pbem dispute --help` shows how\n"
    )
    assert played.german("dispute", "westerplatte", "roll", "4").err == (
        "dispute.output: expected a file to write to, got none\nhint: name one with -o, or say --text\n"
    )


@pytest.mark.plan("A25")
def test_a_roll_behind_a_new_key_is_shown_with_the_motion_that_seated_it(played: Pair, stranger: Side) -> None:
    """Whoever has to decide signs with its successor from then on; the next roll opens a link of the new chain."""
    old = words_of(played.german), words_of(played.polish)
    played.german.take(played.polish.export())
    played.polish.take(played.german.export())
    (mover,) = [side for side in played.sides() if side.role in side.opened().campaign.awaited()]
    done = mover("motion", "rotate", "westerplatte", "--why", "a new laptop")
    assert (done.code, done.err) == (0, "")
    before = len(re.findall("^# ", mover("roll", "westerplatte").out, re.M))
    for side in played.sides():
        (other,) = [one for one in played.sides() if one is not side]
        other.take(side.export())
    played.play(played.german.opened().campaign.place.step + 6)
    rolls = re.findall(r"^# (\d+:\S+): ", mover("roll", "westerplatte").out, re.M)
    data = written(mover, "roll", rolls[-1])
    kinds = [payload_of(line)["kind"] for line in bundle.read(data).lines]
    assert kinds == ["propose", "accept", "motion", "entropy", "entropy"]
    told = judged(stranger, data)
    assert (told.code, told.err, len(rolls) >= before) == (0, "", True)
    assert sum(words in told.out for words in old) == 1
    without = again(data, lambda lines: [*lines[:2], *lines[3:]])
    assert judged(stranger, without).err.startswith("event.unknown_key: ")
    assert unnoticed(data, range(0, len(data), 3)) == []


# ---------------------------------------------------------------------- an opening


@pytest.fixture
def opened(toy: Pair) -> Pair:  # noqa: F811
    """The toy game, played until both have opened a plan."""
    toy.play(7)
    toy.german.take(toy.polish.export())
    toy.polish.take(toy.german.export())
    return toy


def test_an_opening_convinces_a_stranger(opened: Pair, stranger: Side) -> None:
    data = written(opened.german, "opening", "5", "north", game="toy")
    done = judged(stranger, data)
    game = opened.german.opened().row.game_id[:12]
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == (
        f"Proven: what north opened at step 5 of game {game} is what it had sealed at step 4, bit by bit."
    )
    assert done.out.splitlines()[3] == "It says: hold with 0."
    assert done.out.splitlines()[4] == (
        "Not shown by this file: that the rules asked for this and accepted it, and that play stands on these steps "
        "still. Only the whole log shows that."
    )
    assert [payload_of(line)["kind"] for line in bundle.read(data).lines] == ["propose", "accept", "seal", "open"]
    assert written(opened.polish, "opening", "4", "north", game="toy") == data


@pytest.mark.plan("A64")
def test_no_byte_of_an_opening_can_be_changed(opened: Pair) -> None:
    data = written(opened.german, "opening", "5", "south", game="toy")
    assert unnoticed(data, range(len(data))) == []


@pytest.mark.plan("A32", "A33")
def test_an_opening_of_another_plan_or_of_the_other_side_proves_nothing(opened: Pair, stranger: Side) -> None:
    north = written(opened.german, "opening", "5", "north", game="toy")
    south = written(opened.german, "opening", "5", "south", game="toy")
    mixed = again(north, lambda lines: [*lines[:3], bundle.read(south).lines[3]])
    assert judged(stranger, mixed).err.startswith("dispute.events: expected a seal and an opening of north, got others")
    (said,) = [payload_of(line) for line in bundle.read(north).lines[3:]]
    salted = opened.german.sign({**said, "body": {**said["body"], "salt": "ab" * 32}})
    done = judged(stranger, again(north, lambda lines: [*lines[:3], salted]))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("dispute.opening: expected north's open of step 5 (event ")


def test_an_opening_has_to_be_one(opened: Pair, played: Pair) -> None:
    done = opened.german("dispute", "toy", "opening", "5", "-o", opened.german.folder.parent / "x.pbem")
    assert (done.code, done.err) == (
        1,
        "dispute.opening: expected one opening at step 5, got 2\n"
        "hint: openings there are: step 5 north, step 5 south\n",
    )
    done = opened.german("dispute", "toy", "opening", "6", "north")
    assert done.err == (
        "dispute.opening: expected one opening of north at step 6, got 0\n"
        "hint: openings there are: step 5 north, step 5 south\n"
    )
    assert played.german("dispute", "westerplatte", "opening", "4").err == (
        "dispute.opening: expected one opening at step 4, got 0\n"
        "hint: nothing that was sealed in this game has been opened yet\n"
    )
    done = opened.german("dispute", "toy", "opening", "x")
    assert done.err == "dispute.step: expected the number of a step, got 'x'\n"


# ---------------------------------------------------------------------- a fork


@pytest.fixture
def forked(joined: Pair, tmp_path: Path) -> Pair:
    backup = joined.polish.copy(tmp_path / "backup")
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    decide_otherwise(backup)
    joined.german.mail(backup.export())
    return Pair(joined.german, backup)


@pytest.mark.plan("A18", "A64")
def test_a_fork_is_shown_while_it_stops_the_game_and_when_it_is_settled(forked: Pair, stranger: Side) -> None:
    data = written(forked.german, "fork")
    done = judged(stranger, data)
    assert (done.code, done.err) == (0, "")
    fork = forked.german.opened().fork
    assert fork is not None
    first, second = (rival.says for rival in sorted(rivals_of(forked.german.opened()), key=lambda rival: rival.event))
    assert "place PL-1 in " in first
    assert done.out.splitlines() == [
        f"Proven: polish signed two different events at step 2 of game {fork.first.event.game[:12]}.",
        f"  {fork.first.id}",
        f"    dated 2023-11-14 22:13:20 UTC: {first}",
        f"  {fork.second.id}",
        f"    dated 2023-11-14 22:13:20 UTC: {second}",
        f"  polish's key in words: {' '.join(fingerprint_words(fork.first.key))}",
        "Both events stand at one place of one log, with the same key. Not shown by this file: why; most such forks "
        "come from a restored backup or a second device.",
        "Compare the keys in words with the players, or with that game's archive: a file can name any key for a seat, "
        "and any game.",
    ]
    told = " ".join(forked.german("dispute", "westerplatte", "fork", "--text").out.split())
    assert f"One, dated 2023-11-14 22:13:20 UTC, says: {first}." in told
    assert f"The other, dated 2023-11-14 22:13:20 UTC, says: {second}." in told
    assert forked.german("motion", "resolve", "--keep", fork.first.id[:16]).code == 0
    assert written(forked.german, "fork") == data
    assert written(forked.german, "fork", "2") == data
    done = forked.german("dispute", "westerplatte", "fork", "3")
    assert done.err == (
        "dispute.fork: expected a fork at step 3 of westerplatte, got none\nhint: forks of this game are at step 2\n"
    )


NO_FORK = (
    "hint: this home knows of none: who signed twice may not have both events; evidence comes from a home that has "
    "both, and `pbem import` takes it in here\n"
)


@pytest.mark.plan("A18")
def test_who_signed_twice_learns_it_from_the_evidence(forked: Pair, tmp_path: Path) -> None:
    """The backup has signed one of the two; it does not know what the home signed that it was made of."""
    assert forked.polish("dispute", "westerplatte", "fork").err == (
        f"dispute.fork: expected a fork of westerplatte, got none\n{NO_FORK}"
    )
    evidence = tmp_path / "fork.pbem"
    evidence.write_bytes(written(forked.german, "fork"))
    assert forked.polish("import", evidence).code == 0
    assert written(forked.polish, "fork") == evidence.read_bytes()


@pytest.mark.plan("A18")
def test_a_mere_duplicate_accuses_nobody(joined: Pair, stranger: Side) -> None:
    joined.polish.decide()
    for _ in range(2):
        joined.german.mail(joined.polish.export())
    done = joined.german("dispute", "westerplatte", "fork")
    assert done.err == (f"dispute.fork: expected a fork of westerplatte, got none\n{NO_FORK}")
    lines = joined.german.lines()
    keys = [joined.german.identity().public_key, joined.polish.identity().public_key]
    done = judged(stranger, bundle.write("evidence", keys, [*lines[:2], lines[-1], lines[-1]]))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("evidence.none: ")


# ---------------------------------------------------------------------- reports


def test_the_commands_of_a_report_can_be_run(played: Pair, opened: Pair) -> None:
    """The script of a roll and that of an opening, as they stand in the text that a referee gets."""
    for side, words in (
        (played.german, ("westerplatte", "roll", "4")),
        (opened.german, ("toy", "opening", "5", "north")),
    ):
        text = side("dispute", *words, "--text").out
        script = text.partition("checked by `pbem verify FILE`.\n")[2]
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=20, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "as logged" in done.stdout or done.stdout == "commitment: as sealed\n"
        broken = (
            script.replace("\\", "\\1", 1) if "hash=$(printf '" not in script else script.replace("\\000", "\\001", 1)
        )
        done = subprocess.run(["sh", "-c", broken], capture_output=True, text=True, timeout=20, check=False)
        assert done.returncode == 1


def test_a_report_is_written_by_its_name(played: Pair, tmp_path: Path) -> None:
    for name, start in (("card.txt", "Roll 4:turn.2/turn-1/card-1 of game "), ("card.html", "<!DOCTYPE html>\n")):
        path = tmp_path / name
        assert played.german("dispute", "westerplatte", "roll", "4", "-o", path).code == 0
        assert path.read_text().startswith(start)
        assert played.german("dispute", "westerplatte", "roll", "4", "-o", path).code == 0
        path.write_text("my notes")
        done = played.german("dispute", "westerplatte", "roll", "4", "-o", path)
        assert done.err.startswith(
            "file.exists: expected a new file, or one that nothing is lost with, got something else"
        )

"""Damage to an archive: every byte, every cut, every exchange of lines; `pbem verify` finds each and says where."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from attacks.sides import DAY, LATER, Done, Pair, Side, claimed_when_sent, id_of, payload_of
from pbem.app import catalogue
from pbem.app.verify import verify
from pbem.errors import BadEvidence
from pbem.log import bundle
from pbem.log.event import Role

NOT_TRUSTED = "hint: do not trust this file: get it again from where it came, as an attachment, or in a zip file"


def closed(pair: Pair) -> bytes:
    """The archive of a game that both parties have closed, after a claim that stood."""
    asked = next(side for side in pair.sides() if side.role in side.opened().campaign.awaited())
    other = next(side for side in pair.sides() if side is not asked)
    other.now = LATER + DAY
    with other.desk() as desk:
        claimed_when_sent(desk, other.game)
    asked.mail(other.export())
    other.mail(asked.export())
    path = other.folder.parent / "game.pbem"
    assert other("archive", "-o", path, "--force").code == 0
    return path.read_bytes()


@pytest.fixture
def short(joined: Pair) -> bytes:
    """Five events."""
    return closed(joined)


@pytest.fixture
def long(played: Pair) -> bytes:
    """A few dozen events: set-up, rolls, moves, attacks, closing."""
    played.german.take(played.polish.export())
    played.polish.take(played.german.export())
    return closed(played)


@pytest.fixture
def stranger(tmp_path: Path) -> Side:
    """Somebody who has no home, only the program."""
    return Side(Role("nobody"), tmp_path / "none")


def judged(stranger: Side, data: bytes) -> Done:
    path = stranger.folder.parent / "judged.pbem"
    path.write_bytes(data)
    return stranger("verify", path)


def test_the_whole_archives_hold(short: bytes, long: bytes, stranger: Side) -> None:
    for data in (short, long):
        done = judged(stranger, data)
        assert (done.code, done.err) == (0, "")
        assert "Complete: closed by every party." in done.out
    assert len(bundle.read(long).lines) > 24


def flipped(data: bytes, positions: range, bit: int) -> list[int]:
    """Changes one byte after the other; those that passed, or were told of at another event than the changed one."""
    games = catalogue.for_proposal()
    first, unnoticed = bundle.read(data).first_line, []
    for at in positions:
        line = data.count(b"\n", 0, at) + 1
        try:
            verify(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :], games)
        except BadEvidence as error:
            if line >= first and f"(line {line}" not in error.text and not error.code.startswith("bundle."):
                unnoticed.append(at)
        else:
            unnoticed.append(at)
    return unnoticed


def test_no_byte_of_a_short_archive_can_be_changed(short: bytes) -> None:
    assert flipped(short, range(len(short)), 0x01) == []


def test_bytes_of_a_longer_archive_cannot_be_changed(long: bytes) -> None:
    assert flipped(long, range(0, len(long), 7), 0x02) == []


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("bit", [0x01, 0x02, 0x20, 0x80])
def test_no_byte_of_a_longer_archive_can_be_changed(long: bytes, bit: int) -> None:
    assert flipped(long, range(len(long)), bit) == []


def test_a_changed_byte_is_told_with_its_event(long: bytes, stranger: Side) -> None:
    """What the player sees: the first event that does not hold, and where it stands."""
    at = long.index(b'"step":9')
    line = long.count(b"\n", 0, at) + 1
    done = judged(stranger, long[:at] + b'"step":8' + long[at + 8 :])
    key = long.splitlines()[line - 1][:16].decode()
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"event.signature: expected a signature by key {key} over these bytes, got one that does not hold "
        f"(line {line}, behind polish's event of step 8)\n"
        "hint: do not trust this file: get it again from where it came, as an attachment, or in a zip file\n"
    )


def test_every_cut_at_a_line_is_told_as_unfinished_with_its_step(long: bytes, stranger: Side) -> None:
    """The tail is cut off between two events: everything left holds, so it is the missing end that is told."""
    lines = long.splitlines(keepends=True)
    first = bundle.read(long).first_line - 1
    for kept in range(first + 1, len(lines)):
        done = judged(stranger, b"".join(lines[:kept]))
        step = payload_of(lines[kept].rstrip())["step"]
        assert done.code == 1
        assert done.err.startswith("verify.unfinished: expected a game closed by every party, got one that ends before")
        assert f"ends before step {step}, which waits for " in done.err
        assert f"Valid so far, unfinished before step {step}." in done.out
        assert "Complete" not in done.out


def test_every_cut_inside_a_line_is_told(long: bytes, stranger: Side) -> None:
    for at in range(20, len(long) - 1, 211):
        if long[at - 1 : at] == b"\n":
            continue
        done = judged(stranger, long[:at])
        assert (done.code, done.out) == (1, "")
        assert done.err.splitlines()[0] == (
            f"bundle.cut: expected a newline after the last line, got a file that is cut in line "
            f"{long.count(bytes([10]), 0, at) + 1}"
        )


@pytest.mark.plan("A17")
def test_no_line_can_be_left_out(long: bytes, stranger: Side) -> None:
    lines = long.splitlines(keepends=True)
    for gone in range(len(lines)):
        done = judged(stranger, b"".join(lines[:gone] + lines[gone + 1 :]))
        assert done.code == 1, gone
        assert "Complete" not in done.out


@pytest.mark.plan("A17")
def test_no_line_can_stand_twice(long: bytes, stranger: Side) -> None:
    lines = long.splitlines(keepends=True)
    for again in range(1, len(lines)):
        for behind in (again, len(lines) - 1):
            done = judged(stranger, b"".join([*lines[: behind + 1], lines[again], *lines[behind + 1 :]]))
            assert (done.code, done.out) == (1, ""), again


@pytest.mark.plan("A17")
def test_no_two_lines_can_change_places(long: bytes, stranger: Side) -> None:
    lines = long.splitlines(keepends=True)
    count = len(lines)
    swaps = [*pairwise(range(count)), *((one, (one * 7 + 11) % count) for one in range(count))]
    for one, other in swaps:
        changed = list(lines)
        changed[one], changed[other] = changed[other], changed[one]
        if changed != lines:
            assert judged(stranger, b"".join(changed)).code == 1, (one, other)


def titled(line: bytes) -> str:
    """`polish's answer of step 2 (event 0123456789ab)`."""
    said = payload_of(line.rstrip())
    return f"{said['role']}'s {said['kind']} of step {said['step']} (event {id_of(line.rstrip())[:12]})"


@pytest.mark.plan("A17")
def test_what_is_said_of_lines_that_are_missing_or_elsewhere(long: bytes, stranger: Side) -> None:
    lines = long.splitlines(keepends=True)
    first = bundle.read(long).first_line - 1
    swapped = [*lines[:10], lines[11], lines[10], *lines[12:]]
    after = next(at for at in range(12, len(lines)) if payload_of(lines[at].rstrip())["step"] == 7)
    without = lines[: after - 1] + lines[after:]
    cases = {
        b"".join(lines[:first]): "archive.empty: expected events, got an archive without any",
        b"".join(lines[:first] + lines[first + 1 :]): (
            f"event.game: expected the proposal of a game first, got its 'accept' (line {first + 1})"
        ),
        b"".join(swapped): (
            f"archive.order: expected events in order and each once, got {titled(lines[10])} (line 12, behind "
            f"{payload_of(lines[11].rstrip())['role']}'s event of step {payload_of(lines[11].rstrip())['step']})"
        ),
        b"".join(without): (
            f"archive.gap: expected every event to follow the one before, got {titled(lines[after])} behind a gap or a "
            f"change (line {after})"
        ),
    }
    for data, said in cases.items():
        done = judged(stranger, data)
        assert (done.code, done.out, done.err.splitlines()) == (1, "", [said, NOT_TRUSTED])


def test_two_answers_at_one_place_of_an_archive_are_told(joined: Pair, tmp_path: Path, stranger: Side) -> None:
    backup = joined.polish.copy(tmp_path / "backup")
    joined.polish.decide()
    backup.chooser.choose(1000)
    backup.decide()
    archive = tmp_path / "one.pbem"
    assert joined.polish("archive", "-o", archive).code == 0
    one, other = sorted((joined.polish.lines()[-1], backup.lines()[-1]), key=titled)
    done = judged(stranger, archive.read_bytes() + backup.lines()[-1] + b"\n")
    assert (done.code, done.out, done.err) == (
        1,
        "",
        f"archive.fork: expected one event of a role at a step, got {titled(one)} and {titled(other)}\n"
        "hint: the game is stopped there until another party settles it\n",
    )


def test_a_line_of_another_game_does_not_fit(long: bytes, short: bytes, stranger: Side) -> None:
    """The same people and keys; a closing of another game is put in the place of the one that is missing."""
    lines, others = long.splitlines(keepends=True), short.splitlines(keepends=True)
    done = judged(stranger, b"".join(lines[:-1] + others[-1:]))
    assert done.code == 1
    assert re.match(r"(event.game|place|archive)", done.err)


@pytest.mark.parametrize("extra", [b"\n", b" ", b"x", b"\x00", b"pbem-log 1 archive\n"])
def test_nothing_can_be_appended(long: bytes, stranger: Side, extra: bytes) -> None:
    assert judged(stranger, long + extra).code == 1


def test_the_same_log_gives_the_same_archive_at_both_homes(played: Pair) -> None:
    played.german.take(played.polish.export())
    played.polish.take(played.german.export())
    written = []
    for side in played.sides():
        path = side.folder.parent / f"{side.role}.pbem"
        side("archive", "-o", path)
        written.append(path.read_bytes())
    assert written[0] == written[1]

"""Floods and their like: many events that mean nothing, dates that switch off deadlines, rules that break."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from attacks.sides import (
    DAY,
    LATER,
    Pair,
    Side,
    armoured,
    claimed_when_sent,
    id_of,
    invited,
    packed,
    payload_of,
    unpacked,
)
from pbem.app.apart import HORIZON, MOST_APART, Apart
from pbem.app.catalogue import Games
from pbem.app.desk import Desk
from pbem.app.imported import ImportResult
from pbem.app.importing import import_arrived
from pbem.app.opened import signed_ahead
from pbem.app.routing import incoming
from pbem.errors import BadDisk, BadRequest
from pbem.log import bundle
from pbem.log.event import Answer, Entropy, Event, Resolve
from pbem.store.database import Home


def behind(side: Side) -> int:
    with side.desk() as desk:
        return signed_ahead(desk.home, side.opened())


def junk(side: Side, count: int, step: int = 2) -> list[bytes]:
    """Settlements of forks that are none."""
    body = [Resolve(role="polish", keep=f"{number:064x}", drop="ab" * 32) for number in range(count)]
    here = side.here(body[0], step=step)
    return [side.sign(replace(here, body=one)) for one in body]


def early(side: Side, steps: range, **changes: object) -> list[bytes]:
    """Events of this side for steps to come."""
    here = side.here(Entropy(index=1, link="ab" * 32))
    return [side.sign(replace(here, step=step, prev=f"{step:064x}", **changes)) for step in steps]


# ---------------------------------------------------------------------- dates


@pytest.fixture
def silent(joined: Pair) -> tuple[Pair, Event]:
    """The Pole has claimed, since the German did not answer at step 3; the German's answer is not sent."""
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    polish.now = LATER + DAY
    with polish.desk() as desk:
        claimed_when_sent(desk, polish.game)
    spare = german.copy(german.folder.parent / "spare")
    spare.decide()
    answer = next(one for one in spare.opened(whole=True).campaign.steps[3].events)
    return joined, answer.event


@pytest.mark.plan("A43")
def test_a_late_answer_dated_in_the_future_voids_no_claim(silent: tuple[Pair, Event]) -> None:
    """Its date would count as the beginning of the next deadline: that would never be over."""
    (german, polish), answer = silent[0].sides(), silent[1]
    before = polish.heads()
    (done,) = polish.take(packed([german.sign(replace(answer, at=2**40))])).games
    days = -(-(2**40 - polish.now) // DAY)
    assert [(str(one), one.hint) for one in done.refused] == [
        (
            "import.postdated: expected an event dated by a clock like this one's, got german's orders of step 3, "
            f"which is dated {days} days after this machine's clock and waits until then: compare the clocks of both "
            "machines",
            "it changes nothing, and can be sent again then",
        )
    ]
    assert polish.heads() == before
    assert polish.opened().campaign.outcome is not None


@pytest.mark.plan("A43")
def test_a_late_answer_counts_when_its_date_has_come(silent: tuple[Pair, Event]) -> None:
    (german, polish), answer = silent[0].sides(), silent[1]
    late = packed([german.sign(replace(answer, at=polish.now + 3 * DAY))])
    polish.take(late)
    assert polish.opened().campaign.outcome is not None
    polish.now += 3 * DAY
    polish.take(late)
    assert polish.opened().campaign.outcome is None
    assert polish.opened().campaign.place.since <= polish.now + DAY


# ---------------------------------------------------------------------- how much is read


def test_a_file_of_lines_that_do_not_hold_is_not_read_to_its_end(joined: Pair) -> None:
    german, polish = joined.sides()
    game = german.opened().row.game_id.encode()
    polish.decide()
    bad = [german.sign(b'{"game":"%b","x":%d}' % (game, number)) for number in range(150)]
    (done,) = german.take(packed([*polish.lines(), *bad])).games
    assert (done.taken, len(done.refused)) == (1, 101)
    assert (str(done.refused[-1]), done.refused[-1].hint) == (
        "import.unread: expected a turn file of events, got 100 lines that do not hold in a mail",
        "the rest of it was not read: ask for a new one",
    )


def test_only_so_much_is_unpacked_at_once(joined: Pair) -> None:
    """Seventeen files of four MiB each, most of them nothing."""
    large = (b"pbem-log 1 turn\n" + b"%d" % number + b"0" * (bundle.MAX_TURN_BYTES - 20) for number in range(10, 27))
    joined.polish.decide()
    files = b"\n".join([joined.polish.export(), *map(armoured, large)])
    done = joined.german.mail(files)
    assert (done.code, done.err.splitlines()[-2:]) == (
        0,
        [
            "refused: import.too_much: expected turn files that unpack to at most 64 MiB in all, got more, from "
            "to-german.txt on",
            "hint: what came before it was taken in; import the rest in smaller portions",
        ],
    )


def test_what_came_before_its_time_is_kept(joined: Pair) -> None:
    german, polish = joined.sides()
    german.take(packed(early(polish, range(5, 6))))
    with german.desk() as desk:
        (kept,) = desk.home.refusals(german.opened().row.game_id)
    assert (kept.code, kept.text) == ("import.early", "it came before its time")


# ---------------------------------------------------------------------- settlements


def test_settlements_of_nothing_are_not_kept_and_not_sent(joined: Pair) -> None:
    german, polish = joined.sides()
    polish.decide()
    before, size = polish.tables("status"), len(polish.export(everything=True))
    (done,) = polish.take(packed(junk(german, 300))).games
    assert (done.taken, len(done.refused)) == (0, 300)
    assert (str(done.refused[0]), done.refused[0].hint) == (
        "resolve.unknown: expected a settlement of two events of polish that are known here, got german's settlement "
        "of step 2, which names others",
        "it changes nothing",
    )
    after = polish.tables("status")
    assert {name for name in after if after[name] != before[name]} <= {"meta"}
    assert len(polish.export(everything=True)) == size


@pytest.fixture
def twice(joined: Pair, tmp_path: Path) -> tuple[Pair, Event, list[bytes]]:
    """The Pole has answered twice; the German's settlement of that, and both answers."""
    backup = joined.polish.copy(tmp_path / "backup")
    joined.polish.decide()
    backup.chooser.choose(1000)
    backup.decide()
    both = [joined.polish.lines()[-1], backup.lines()[-1]]
    settled = joined.german.here(Resolve(role="polish", keep=id_of(both[0]), drop=id_of(both[1])), step=2)
    return Pair(joined.german, backup), settled, both


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_lines_does_not_matter_for_a_settlement(
    twice: tuple[Pair, Event, list[bytes]], order: tuple[int, ...]
) -> None:
    (german, backup), settled, both = twice[0].sides(), twice[1], twice[2]
    lines = [*both, german.sign(settled)]
    backup.take(packed([lines[number] for number in order]))
    opened = backup.opened(whole=True)
    assert opened.fork is None
    assert [one.id for one in opened.campaign.steps[2].events] == [id_of(both[0])]
    assert {row.event_id for row in opened.rows if row.step == 2} == {id_of(line) for line in lines}


def test_a_settlement_counts_once_whatever_its_dates(twice: tuple[Pair, Event, list[bytes]]) -> None:
    (german, backup), settled, both = twice[0].sides(), twice[1], twice[2]
    many = [german.sign(replace(settled, at=settled.at + number)) for number in range(50)]
    backup.take(packed([*many, *both]))
    assert len([row for row in backup.opened().rows if row.kind_class == "aside"]) == 1


def test_an_answer_that_the_rules_refuse_makes_no_fork_in_one_mail(joined: Pair) -> None:
    """Two answers in one file, one of them illegal: a settlement could name that one and stop the game for ever."""
    german, polish = joined.sides()
    polish.decide()
    legal = polish.lines()[-1]
    said = payload_of(legal)
    wrong = polish.sign({**said, "body": {"ask": said["body"]["ask"], "value": {"placed": []}}})
    for lines in ([wrong, legal], [legal, wrong]):
        copy = german.copy(german.folder.parent / id_of(lines[0]))
        (done,) = copy.take(packed(lines)).games
        assert copy.opened().fork is None
        assert copy.heads() == polish.heads()
        assert len(done.refused) == 1


# ---------------------------------------------------------------------- homes that are behind


@pytest.fixture
def restored(joined: Pair, tmp_path: Path) -> tuple[Side, Side]:
    """A Pole's home as it was at the beginning, which knows that it has signed later; and the German."""
    old = joined.polish.copy(tmp_path / "restored")
    joined.play(8)
    own = [line for line in joined.polish.lines() if payload_of(line)["role"] == "polish"][-1]
    old.take(packed([own]))
    old.now = joined.german.now
    assert behind(old) == payload_of(own)["step"]
    return old, joined.german


@pytest.mark.plan("A19")
@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_settlement_of_nothing_lets_a_restored_home_sign_nothing(restored: tuple[Side, Side], step: int) -> None:
    old, german = restored
    old.now += 60
    old.take(packed(junk(german, 3, step)))
    with pytest.raises(BadRequest, match=r"^game\.behind: expected the log up to step \d+, where polish has signed"):
        old.decide()


@pytest.mark.plan("A19")
def test_a_void_claim_cuts_off_what_was_signed_behind_it(joined: Pair, tmp_path: Path) -> None:
    """The German's closing of a claimed game is early at a restored home; it is cut off once the way there is known."""
    german, polish = joined.sides()
    old = german.copy(tmp_path / "restored")
    german.now = old.now = LATER
    with german.desk() as desk:
        claimed_when_sent(desk, german.game)
    closing, claim = german.pending()[0], german.lines()[-1]
    polish.now = LATER
    polish.decide()
    old.take(packed([closing]))
    assert behind(old) == 3
    old.take(packed([polish.lines()[-1]]))
    assert behind(old) == 3
    old.take(packed([claim]))
    assert behind(old) == 0
    old.decide()
    assert old.opened().campaign.place.step > 3


@pytest.mark.plan("A19")
def test_a_settlement_cuts_off_what_was_signed_behind_the_overruled_answer(
    twice: tuple[Pair, Event, list[bytes]], joined: Pair
) -> None:
    (german, backup), settled, both = twice[0].sides(), twice[1], twice[2]
    german.take(packed([both[0]]))
    german.decide()
    joined.polish.take(german.export())
    share = next(line for line in joined.polish.lines() if payload_of(line)["role"] == "polish" and b'"step":4' in line)
    answer = next(line for line in german.lines() if payload_of(line)["step"] == 3)
    backup.take(packed([share]))
    assert behind(backup) == 4
    other = replace(settled, body=Resolve(role="polish", keep=id_of(both[1]), drop=id_of(both[0])))
    backup.take(packed([both[0], german.sign(other)]))
    assert backup.opened().fork is None
    assert behind(backup) == 4
    (done,) = backup.take(packed([answer])).games
    assert (behind(backup), done.cut_off, done.refused) == (0, 1, [])
    with backup.desk() as desk:
        kept = {row.event_id: (row.code, row.text) for row in desk.home.refusals(backup.opened().row.game_id)}
    assert kept[id_of(answer)] == ("import.cut_off", "it stands behind an event that was overruled")


def test_the_whole_log_shows_the_way_to_what_is_cut_off(twice: tuple[Pair, Event, list[bytes]]) -> None:
    """What stands behind an overruled answer is sent with everything, since a restored home needs it to see that."""
    (german, _), both = twice[0].sides(), twice[2]
    german.take(packed([both[0]]))
    spare = german.copy(german.folder.parent / "spare")
    spare.decide()
    answer = next(one.event.body for one in spare.opened(whole=True).campaign.steps[3].events)
    german.give(answer)
    behind_it = german.lines()[-1]
    german.take(packed([both[1]]))
    assert german("motion", "resolve", "--keep", id_of(both[1])).code == 0
    assert behind_it not in unpacked(german.export()).lines
    assert behind_it in unpacked(german.export(everything=True)).lines


def test_a_settlement_hides_no_stored_event_that_does_not_hold(twice: tuple[Pair, Event, list[bytes]]) -> None:
    """A home with a settled fork goes on telling of an event in it that the rules refuse."""
    (german, backup), settled, both = twice[0].sides(), twice[1], twice[2]
    backup.take(packed([*both, german.sign(settled)]))
    place = backup.opened().campaign.place
    statement = replace(german.here(Answer(ask="wrong", value={})), step=place.step, prev=place.prev, state=place.state)
    line = german.sign(statement)
    with backup.desk() as desk, desk.home.writing() as writer:
        game = backup.opened().row.game_id
        writer.append(
            game_id=game, step=place.step, role="german", kind="answer", event_id=id_of(line), line=line, arrived=1
        )
    with pytest.raises(BadDisk, match=r"^home\.event: expected german's answer of step 3 .* to hold as it did"):
        backup.opened()


# ---------------------------------------------------------------------- many lines


def test_equal_lines_are_looked_at_once(played: Pair) -> None:
    line = next(one for one in played.german.lines() if len(one) < 700)
    changed = line.replace(b'"at":1', b'"at":2')
    flood, started = packed([line] * 3000 + [changed] * 3000), time.perf_counter()
    (done,) = played.polish.take(flood).games
    assert time.perf_counter() - started < 2
    assert (done.known, [one.code for one in done.refused]) == (1, ["event.signature"])


def test_events_too_far_ahead_are_not_kept(joined: Pair) -> None:
    german, polish = joined.sides()
    last = polish.opened().campaign.place.step + HORIZON
    (done,) = polish.take(packed(early(german, range(last - 1, last + 3)))).games
    assert done.early == 2
    assert [(str(one), one.hint) for one in done.refused] == [
        (
            "import.far: expected events of german for the next 500 steps, one for each place, got 2 others",
            "they are not kept, and nothing else changes: what belongs to the game can be sent again",
        )
    ]


def test_of_one_place_one_early_event_is_kept(joined: Pair) -> None:
    german, polish = joined.sides()
    (done,) = polish.take(packed([line for at in range(9) for line in early(german, range(5, 6), at=at)])).games
    assert (done.early, [one.code for one in done.refused]) == (1, ["import.far"])


def test_a_fixed_number_of_early_events_is_kept_for_each_role(joined: Pair) -> None:
    german, polish = joined.sides()
    (done,) = polish.take(packed(early(german, range(5, MOST_APART + 12)))).games
    assert done.early == MOST_APART
    assert [str(one) for one in done.refused] == [
        "import.too_many: expected at most 300 events of german to be kept beside the log, got 7 more"
    ]
    joined.play(8)
    assert polish.opened().campaign.place.step >= 8


def test_early_events_are_read_again_only_when_the_log_can_reach_them(joined: Pair) -> None:
    german, polish = joined.sides()
    polish.take(packed(early(german, range(5, 9))))
    with polish.desk() as desk, desk.home.writing() as writer:
        apart = Apart(writer, polish.opened(), polish.now)
        assert (apart.early([]), [step for step, _ in apart.unreached]) == ([], [5, 6, 7, 8])
    polish.take(packed(early(german, range(3, 5))))
    polish.decide()
    with polish.desk() as desk, desk.home.writing() as writer:
        apart = Apart(writer, polish.opened(), polish.now)
        assert sorted(one.event.step for one in apart.early([])) == [3, 4, 5, 6, 7, 8]


# ---------------------------------------------------------------------- rules that break


class BreakingOnce(Desk):
    """A desk whose rules break the first time that they are wanted."""

    broken = False

    @property
    def games(self) -> Games:
        if not BreakingOnce.broken:
            BreakingOnce.broken = True
            raise ZeroDivisionError("division by zero")
        return Desk.games.fget(self)  # type: ignore[attr-defined,no-any-return]


def test_a_game_whose_rules_break_does_not_lose_the_mail_of_the_others(joined: Pair, tmp_path: Path) -> None:
    german = invited(joined.german, tmp_path)
    guest = joined.polish.copy(tmp_path / "guest")
    (tmp_path / "invitation").write_bytes(german.export())
    guest("accept", tmp_path / "invitation", "-o", tmp_path / "answer", "--name", "second")
    joined.polish.decide()
    mail = joined.polish.export() + (tmp_path / "answer").read_bytes()
    before = german.opened().campaign.place.step
    BreakingOnce.broken = False
    done = _imported(german, mail)
    assert [(str(one), one.hint) for one in done.failed] == [
        (
            "import.crashed: expected the rules of game westerplatte to take or refuse what came, got "
            "ZeroDivisionError (division by zero)",
            "nothing of that game was changed; this is a fault of the program or of the game's data: report it",
        )
    ]
    assert [(game.game, game.taken > 0) for game in done.games] == [("second", True)]
    assert german.opened().campaign.place.step > before
    german.game = "westerplatte"
    assert german.opened().campaign.place.step == 2


def _imported(side: Side, mail: bytes) -> ImportResult:
    with Home.open(side.folder) as home:
        return import_arrived(BreakingOnce(home, lambda: 2_000_000_000, side.random), incoming(mail, "a mail"))

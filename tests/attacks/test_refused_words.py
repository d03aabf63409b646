"""Refusals around motions, seats and rulings, each as the client says it, in full."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from engine.scripted import Scripted
from play import Match

from attacks.hosting import hosted
from attacks.sides import Pair, Side, id_of, new_side, packed, payload_of, unpacked
from attacks.test_motions import deciding, exchange
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from attacks.worst import joined
from pbem.app import catalogue
from pbem.app.dispute import roll_file
from pbem.app.imported import ImportResult, require_something
from pbem.app.moving import move
from pbem.app.opened import OpenGame
from pbem.app.propose import Terms, propose
from pbem.app.proposed import proposed
from pbem.app.secrets import HomeSecrets
from pbem.errors import BadRequest
from pbem.log.event import Answer, Resolve, Role, Ruling, Seal
from pbem.rules.play import Outcome, Rules, roll, total
from pbem.store import Home, StoredGame


def refusal(side: Side, *arguments: str | Path) -> list[str]:
    """Both lines of a refusal: what was expected, and what to do."""
    done = side(*arguments)
    assert (done.code, done.out) == (1, ""), done
    return done.err.splitlines()


def conceded(pair: Pair) -> None:
    decider, _ = deciding(pair)
    with decider.desk() as desk:
        move(desk, decider.game, {"what": "concede"})
    for side in (decider, *pair.sides(), *pair.sides()):
        exchange(pair, side)


def test_what_is_no_offer(played: Pair, tmp_path: Path) -> None:
    decider, _ = deciding(played)
    wrong = tmp_path / "offer.json"
    wrong.write_text("{}")
    assert refusal(decider, "motion", "hand-over", "--offer", wrong) == [
        "seat.offer: expected an offer as `pbem substitute` writes it, got something else",
        "hint: ask for it again",
    ]


def test_two_seats_for_one_address(tmp_path: Path) -> None:
    """A proposer's own program may write what `pbem new` does not."""
    anna, carla = new_side(tmp_path / "anna", "german", "Anna"), new_side(tmp_path / "carla", "polish", "Carla")
    people = ("--opponent", "carla@example.org", "--adjudicator", "hugo@example.org", "-o", tmp_path / "new.txt")
    assert anna("new", "westerplatte", "--as", "german", *people).code == 0
    found = unpacked((tmp_path / "new.txt").read_bytes())
    said = payload_of(found.lines[0])
    seats = [{**seat, "address": "carla@example.org"} for seat in said["body"]["seats"]]
    forged = tmp_path / "forged.txt"
    forged.write_bytes(packed([anna.sign({**said, "body": {**said["body"], "seats": seats}})], found.keys))
    assert carla("accept", forged, "-o", tmp_path / "joined.txt").err.splitlines() == [
        "accept.role: expected one free role, got adjudicator, polish",
        "hint: name it with --as",
    ]


def test_a_seat_in_a_game_that_is_decided(played: Pair, tmp_path: Path) -> None:
    conceded(played)
    archive = tmp_path / "over.pbem"
    assert played.german("archive", "-o", archive).code == 0
    third = new_side(tmp_path / "third", "polish", "Carla")
    assert refusal(third, "substitute", archive, "--as", "polish", "-o", tmp_path / "offer.json") == [
        "seat.over: expected a game in play, got one that is decided",
        "hint: `pbem verify FILE` says how it ended",
    ]


def test_a_seat_in_two_games_at_once(played: Pair, tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    for number, side in enumerate(played.sides()):
        (folder / f"{number}.txt").write_bytes(side.export(everything=True))
    third = new_side(tmp_path / "third", "polish", "Carla")
    assert refusal(third, "substitute", folder, "--as", "polish", "-o", tmp_path / "offer.json") == [
        "seat.archive: expected one archive of a game, got 2",
        "hint: name one file, as `pbem archive GAME -o FILE` wrote it",
    ]


def test_which_of_two_requests(played: Pair) -> None:
    decider, waiter = deciding(played)
    for days in (3, 5):
        with waiter.desk() as desk:
            move(desk, waiter.game, {"what": "extend", "days": days})
    exchange(played, waiter)
    first, second = sorted(one.id for one in decider.opened().campaign.requests)
    days = {one.id: getattr(one.event.body, "days", 0) for one in decider.opened().campaign.requests}
    assert refusal(decider, "motion", "agree") == [
        f"motion.which: expected one of 2 requests, got none named: {first[:16]}: extend the deadline by {days[first]} "
        f"days; {second[:16]}: extend the deadline by {days[second]} days",
        f"hint: for example `pbem motion agree westerplatte --event {first[:16]}`",
    ]


def test_a_request_that_comes_too_late(played: Pair) -> None:
    """The other side has decided before it heard of it."""
    decider, waiter = deciding(played)
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "draw"})
    (asked,) = waiter.opened().campaign.requests
    decider.decide()
    step = asked.event.step
    (game,) = waiter.take(decider.export()).games
    told = f"your request to end the game as a draw was not taken up: step {step} was closed without it"
    assert (game.refused, game.beside) == ([], [told])
    (game,) = decider.take(waiter.export(everything=True)).games
    said = f"{waiter.role}'s request to end the game as a draw came too late: step {step} was closed before"
    assert (game.refused, game.beside) == ([], [f"{said}; it changes nothing, and can be asked again"])
    with decider.desk() as desk:
        (kept,) = desk.home.refusals(desk.home.game(decider.game).game_id)
    assert f"{kept.code}: {kept.text}" == (
        f"import.late_request: {waiter.role}'s request to end the game as a draw came too late: step {step} was closed "
        "before"
    )
    done = decider.mail(packed([asked.line]))
    assert (done.code, done.err) == (0, "")
    assert proposed(decider.opened().campaign) == []


def test_a_referee_without_anything_to_rule_on(court: Court) -> None:  # noqa: F811
    assert refusal(court.referee, "motion", "rule", "--agree") == [
        "rule.no_motion: expected a motion that waits, got none; what is only asked for is refused by the other side's "
        "decision",
        "hint: `pbem status westerplatte` says what the game waits for",
    ]
    decider, waiter = court.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "draw"})
    court.exchange(1)
    (asked,) = decider.opened().campaign.requests
    assert refusal(court.referee, "motion", "rule", "--agree", "--event", "xy") == [
        f"motion.which: expected nothing or the id of the only request, which is {asked.id[:16]}: end the game as a "
        "draw, got 'xy'",
        "hint: `pbem motion rule westerplatte --agree` agrees to it",
    ]
    with decider.desk() as desk:
        move(desk, decider.game, {"what": "concede"})
    court.exchange()
    assert refusal(court.referee, "motion", "rule") == [
        "rule.nothing: expected something that a player owes, got nothing",
        "hint: `pbem status westerplatte` says what to do now",
    ]


def test_who_gives_way_to_a_ruling_that_came_too_early(court: Court) -> None:  # noqa: F811
    """The referee and one player together: the other home takes what was decided, and not what would replace it."""
    decider, waiter = court.deciding()
    place, ruling = decider.opened().campaign.place, NO_RULING | {"role": decider.role, "demand": "answer"}
    decider.now = waiter.now = place.since + 3600
    early = court.referee.sign(court.referee.here(Ruling(**ruling), at=decider.now))
    decider.decide()
    decided = decider.lines()[-1]
    gives_way = Resolve(role=decider.role, keep=id_of(early), drop=id_of(decided))
    there = {"step": place.step, "prev": place.prev, "state": place.state}
    (game,) = waiter.take(packed([decided, early, decider.sign(decider.here(gives_way, **there))])).games
    assert (game.taken, [str(reason) for reason in game.refused]) == (
        1,
        [
            f"resolve.own: expected a claim that could have stood, got referee's ruling of step {place.step}",
            f"import.overtaken: expected an event that follows this log, got referee's ruling of step {place.step}, "
            "which follows another one",
        ],
    )
    assert waiter.heads() == decider.heads()


NO_RULING = {"link": "", "salt": "", "value": None, "agree": False, "motion": "", "why": ""}


def test_evidence_needs_a_file(played: Pair) -> None:
    assert refusal(played.german, "export", "--evidence") == [
        "evidence.output: expected a file to write the evidence to, got none",
        "hint: name one with -o",
    ]


def test_orders_for_a_game_that_is_over(played: Pair, tmp_path: Path) -> None:
    conceded(played)
    sheet = tmp_path / "orders.txt"
    sheet.write_text("pass\n")
    assert refusal(played.german, "orders", "--submit", sheet) == [
        "orders.finished: expected a game in play, got one that is over",
        "hint: see `pbem log`",
    ]


def test_a_table_that_there_is_not(played: Pair) -> None:
    assert refusal(played.german, "tables", "westerplatte", "nosuch") == [
        "tables.unknown: expected one of areas, adjacency, units, stack, entries, entry, ship, deck, activation, card, "
        "move, joker, combat, support, oba, air, game, vp, got 'nosuch'",
    ]


def test_a_motion_where_both_decide_at_once(tmp_path: Path) -> None:
    duel = joined(tmp_path)
    for _ in range(30):
        for side in (duel.north, duel.south):
            duel.other(side).take(side.export(everything=True))
        deciding_now = duel.north.opened().campaign.place.deciding
        if len(deciding_now) == 2:
            break
        for side in (duel.north, duel.south):
            side.decide()
    assert refusal(duel.north, "motion", "draw") == [
        "motion.together: expected a game in which one side alone has to decide, got one in which both do",
        "hint: decide first: `pbem orders toy -o orders.txt`",
    ]


def test_a_motion_without_what_its_matter_needs(played: Pair) -> None:
    """What the client never asks for: it makes its user say how many days."""
    for side in deciding(played):
        with side.desk() as desk, pytest.raises(BadRequest) as told:
            move(desk, side.game, {"what": "extend"})
        assert str(told.value) == "motion.form: expected a motion that can be sent, got one whose fields do not fit"
        assert told.value.hint == "`pbem motion --help` lists the motions, and the help of each says what it takes"
        with side.desk() as desk, pytest.raises(BadRequest) as told:
            move(desk, side.game, {"what": "extend", "days": 4000})
        assert str(told.value) == (
            "motion.form: expected a motion that can be sent, got one whose number of days is none"
        )


def test_a_second_answer_and_a_chain_that_is_elsewhere(tmp_path: Path) -> None:
    """What no command leads to: the home itself refuses it all the same."""
    duel = joined(tmp_path)
    for _ in range(30):
        for side in (duel.north, duel.south):
            duel.other(side).take(side.export(everything=True))
        if len(duel.north.opened().campaign.place.deciding) == 2:
            break
        for side in (duel.north, duel.south):
            side.decide()
    duel.north.decide()
    (own,) = [one for one in duel.north.opened().campaign.pending() if one.event.role == duel.north.role]
    assert isinstance(own.event.body, Seal)
    with pytest.raises(BadRequest) as told:
        duel.north.give(own.event.body.model_copy(update={"commitment": "ab" * 32}))
    assert (str(told.value), told.value.hint) == (
        f"game.answered: expected nothing more of north at step {own.event.step}, got a second answer",
        "it is signed and cannot be taken back: send it with `pbem export toy`",
    )
    with duel.north.desk() as desk:
        secrets = HomeSecrets(desk, desk.home, duel.north.opened().campaign.roster, duel.south.role)
        with pytest.raises(BadRequest) as missing:
            secrets.link(1)
    assert (str(missing.value), missing.value.hint) == (
        "home.no_chain: expected the chain of south in this home, got none",
        "this home did not join the game in this role: use the home that did, or a backup of it",
    )


def test_a_host_without_a_deadline_rules_on_motions_alone(tmp_path: Path) -> None:
    table = hosted(tmp_path, "adjudicator", days=0)
    assert refusal(table.host, "motion", "rule") == [
        "rule.no_deadline: expected a game with a deadline, got one that was agreed without",
        "hint: a motion can be ruled on without one: --agree or --refuse",
    ]


# ------------------------------------------------------------------------------------------ files without anything


def test_a_turn_file_without_events(played: Pair, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(packed([]))
    assert refusal(played.german, "accept", empty) == [
        "accept.empty: expected a proposal, got a turn file without events",
        "hint: ask for the file that `pbem new` wrote",
    ]
    assert refusal(played.german, "import", empty) == [
        "import.empty: expected events in a turn file, got one without any in empty.txt",
        "hint: ask its sender for a new one: `pbem export --all`",
    ]


def test_an_import_that_found_nothing() -> None:
    """What no source leads to: each file without a turn in it has a reason of its own."""
    with pytest.raises(BadRequest) as told:
        require_something(ImportResult())
    assert (str(told.value), told.value.hint) == (
        "import.nothing: expected a turn file, got none",
        "look whether it is the file you mean",
    )


# ------------------------------------------------------------------------------------------ homes that are damaged


def test_a_home_without_keys(tmp_path: Path) -> None:
    Home.create(tmp_path / "home").close()
    with Side(Role("german"), tmp_path / "home").desk() as desk, pytest.raises(BadRequest) as told:
        desk.vault()
    assert (str(told.value), told.value.hint) == (
        "home.empty: expected a home with keys, got one without",
        "make one with `pbem init`",
    )


def test_a_game_without_its_proposal(tmp_path: Path) -> None:
    side = new_side(tmp_path / "home", "german", "Anna")
    with side.desk() as desk, desk.home.writing() as writer:
        writer.add_game(StoredGame("ab" * 32, "westerplatte", "westerplatte/1", "german", 5))
    assert refusal(side, "log") == [
        "home.no_proposal: expected the proposal among the stored events, got none",
        "hint: the home is damaged: restore a backup with `pbem restore`",
    ]


def test_a_stored_event_that_holds_no_more(played: Pair) -> None:
    """Another program has stored them: one that nobody signed, and one that the rules refuse."""
    decider, waiter = deciding(played)
    question = decider.opened().campaign.question(decider.role)
    assert question is not None
    wrong = decider.sign(decider.here(Answer(ask=question.kind, value={"x": 1})))
    forged = waiter.sign(decider.here(Answer(ask=question.kind, value={})))
    told, step = [], decider.opened().campaign.place.step
    for number, line in enumerate((wrong, forged)):
        side = waiter.copy(waiter.folder.with_name(f"damaged-{number}"))
        with side.desk() as desk, desk.home.writing() as writer:
            fields = {"game_id": side.opened().row.game_id, "step": step, "role": decider.role, "kind": "answer"}
            writer.append(**fields, event_id=id_of(line), line=line, arrived=side.now, kind_class="log")
        told.append(refusal(side, "log"))
    assert told == [
        [
            f"home.event: expected {decider.role}'s answer of step {step} (event {id_of(wrong)[:12]}) to hold as it "
            f"did when it came, got answer.form: expected an answer to '{question.kind}', got a wrong 'x' (there "
            "is no such field)",
            "hint: the home is damaged, or this is another version of the rules: compare `pbem games`",
        ],
        [
            f"home.event: expected event {id_of(forged)[:12]} of step {step} to hold as it did when it came, got "
            f"event.author: expected an event signed by the {decider.role} party, got another party's key",
            "hint: the home is damaged: restore a backup, or ask the other party for `pbem archive`",
        ],
    ]


def test_a_game_for_more_than_were_invited(tmp_path: Path) -> None:
    """What the client never asks for: it makes its user name the opponent."""
    side = new_side(tmp_path / "home", "german", "Anna")
    with side.desk() as desk, pytest.raises(BadRequest) as told:
        propose(desk, Terms(catalogue.ruleset("westerplatte"), "standard", side.role, {}, 0))
    assert (str(told.value), told.value.hint) == (
        "new.seats: expected somebody for polish, got nobody",
        "name an --opponent",
    )


# ------------------------------------------------------------------------------------------ data


def test_folders_of_data_that_cannot_be_read(tmp_path: Path) -> None:
    side = Side(Role("nobody"), tmp_path / "none")
    unread, large = tmp_path / "unread", tmp_path / "large"
    for folder in (unread, large):
        folder.mkdir()
    (unread / "areas.csv").symlink_to("/proc/self/mem")
    with (large / "areas.csv").open("wb") as file:
        file.truncate(catalogue.MAX_DATA_BYTES + 1)
    assert refusal(side, "tables", "westerplatte", "--data", unread) == [
        f"data.folder: expected a readable folder of data files, got {unread} (Input/output error)",
        "hint: name the folder that holds them with --data",
    ]
    assert refusal(side, "tables", "westerplatte", "--data", large) == [
        f"data.too_large: expected at most 16777216 bytes of data files in {large}, got more",
        "hint: keep nothing else in that folder",
    ]


@pytest.mark.parametrize("game", ["westerplatte", "polska1939", "white_eagle"])
def test_an_empty_folder_of_data(tmp_path: Path, game: str) -> None:
    side = Side(Role("nobody"), tmp_path / "none")
    (tmp_path / "empty").mkdir()
    first = {"westerplatte": "areas.csv", "polska1939": "units.csv", "white_eagle": "units.csv"}[game]
    assert refusal(side, "tables", game, "--data", tmp_path / "empty") == [
        f"data.missing: expected {first} among the data files, got none",
        "hint: add the file",
    ]


# ------------------------------------------------------------------------------------------ rolls


def test_a_roll_that_no_file_can_show() -> None:
    def many(_: Any) -> Rules[Any]:
        yield from roll("a", 300, 6, total)
        return Outcome("", "end", "nobody has won")

    match = Match(Scripted(many), 1).play()
    with pytest.raises(BadRequest) as told:
        roll_file(cast(OpenGame, SimpleNamespace(campaign=match.campaign)), "2:a")
    assert (str(told.value), told.value.hint) == (
        "dispute.roll: expected a roll of at most 256 dice under a short label, got 2:a",
        "the whole archive shows it: `pbem archive`",
    )

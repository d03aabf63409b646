"""The contract of a ruleset, shown over the whole catalogue and a toy that uses everything a game can ask for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from play import Asked, DeadEndError, Match, played, read_archive, replayed, replayed_elsewhere, trace, waiting_for

from pbem.app import catalogue
from pbem.engine import snapshot
from pbem.engine.admission import accepted
from pbem.engine.campaign import Campaign
from pbem.engine.new_rules import check_resumable
from pbem.errors import BadRequest
from pbem.log import event
from pbem.log.event import Role, Seal
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Ruleset
from pbem.rules.sheet import frame
from pbem.rules.tables import Source
from pbem.viewer import svg, text

GAMES = catalogue.names()
SEEDS = (1, 2, 3)
NEVER = Refusal("test.never", "expected nothing at all")
every_game = pytest.mark.parametrize("game", GAMES)


def asked(game: str) -> list[Asked]:
    return [one for seed in SEEDS for one in played(game, seed).asked]


def some(game: str, number: int) -> list[Asked]:
    """About so many of the places of a game, from all over it."""
    everything = asked(game)
    return everything[:: max(1, len(everything) // number)]


def few_options(one: Asked) -> list[Any]:
    """The default and some of the options of a question, the last one among them."""
    options = one.question.legal()
    return [one.question.default, *islice(options, 4), options[-1]]


def test_the_toy_is_found_as_any_installed_game_is() -> None:
    assert {"toy", "westerplatte"} <= set(GAMES)


@every_game
def test_every_version_is_of_the_game_and_has_a_number_and_data_of_its_own(game: str) -> None:
    versions = catalogue.versions(game)
    assert [one.version for one in versions] == sorted({one.version for one in versions})
    assert len({one.digest for one in versions}) == len(versions)
    assert catalogue.ruleset(game).digest in {one.digest for one in versions}
    assert {(one.name, one.roles) for one in versions} == {(game, catalogue.ruleset(game).roles)}


@every_game
def test_a_version_carries_a_position_of_its_own_over_as_it_is(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for one in some(game, 25):
        position = "\n".join(ruleset.position_lines(one.state))
        assert ruleset.upgrade(ruleset.encode(one.state), position, ruleset.version) == one.state


@every_game
def test_there_are_steps_at_which_a_game_can_be_changed_to_other_rules(game: str) -> None:
    """Where one side alone decides and nothing but the position counts."""
    match, found = Match(catalogue.ruleset(game), 2), 0
    while not found and not match.campaign.finished:
        with suppress(Refused):
            check_resumable(match.campaign.driver)
            found = match.campaign.place.step
        match.step()
    assert found


# ---------------------------------------------------------------------- play


@every_game
def test_random_games_come_to_an_end(game: str) -> None:
    matches = [played(game, seed) for seed in SEEDS]
    assert [(match.campaign.finished, match.campaign.awaited()) for match in matches] == [(True, {})] * len(SEEDS)


@every_game
def test_the_good_bot_finishes_against_itself(game: str) -> None:
    assert Match(catalogue.ruleset(game), 7, bots=("good", "good")).play().campaign.finished


def test_a_dead_end_leaves_a_game_that_can_be_replayed() -> None:
    match = Match(catalogue.ruleset("toy"))
    match.play(lambda campaign: campaign.place.step == 6)
    match.players[Role("north")].vault.clear()
    match.players[Role("south")].vault.clear()
    with pytest.raises(DeadEndError) as caught:
        match.play()
    path = Path(str(caught.value).rpartition("; the game so far: ")[2])
    assert replayed(read_archive(path.read_bytes())) == match.traces
    path.unlink()


@every_game
def test_a_label_is_rolled_once_in_a_step(game: str) -> None:
    rolls = [roll.id for roll in played(game).campaign.rolls]
    assert len(rolls) == len(set(rolls)) > 0


# ---------------------------------------------------------------------- replay


@pytest.mark.plan("A27")
@pytest.mark.plan("C14")
def test_games_replay_to_the_same_digests_under_other_hash_seeds(tmp_path: Path) -> None:
    expected = {}
    for game in GAMES:
        (tmp_path / f"{game}.pbem").write_bytes(played(game).archive())
        expected[f"{game}.pbem"] = played(game).traces
    assert [replayed_elsewhere(tmp_path, seed) for seed in ("0", "4711")] == [expected, expected]


@every_game
@pytest.mark.plan("A66")
def test_play_that_is_resumed_at_every_checkpoint_is_the_same_play(game: str) -> None:
    resumed, whole = played(game, resume=True), played(game)
    assert _but_audit(resumed.traces, resumed.campaign) == _but_audit(whole.traces, resumed.campaign)
    assert [one.id for one in resumed.events] == [one.id for one in whole.events]
    assert len(resumed.snapshots) == len(whole.snapshots) > 2


@every_game
@pytest.mark.plan("A66")
def test_a_snapshot_leads_to_the_end_that_the_whole_log_leads_to(game: str) -> None:
    match = played(game)
    for kept in (match.snapshots[0], match.snapshots[len(match.snapshots) // 2], match.snapshots[-1]):
        campaign = Campaign.resume(match.ruleset, match.registrations, snapshot.read(snapshot.write(kept)))
        later = [verified for verified in match.events if verified.event.step > kept.step]
        closed = [trace(campaign, told) for told, verified in _told(campaign, later) if campaign.offer(verified)]
        lines = [line for line in match.campaign.lines if line.rule != "audit" or not campaign.audit.partial]
        expected = _but_audit(match.traces[kept.step + 1 :], campaign)
        assert (_but_audit(closed, campaign), campaign.head) == (expected, match.campaign.head)
        assert tuple(campaign.lines) == tuple(lines)[-len(campaign.lines) :]


def _but_audit(traces: list[str], campaign: Campaign[Any]) -> list[str]:
    """Traces without what was told behind the end of a resumed campaign: what was left sealed is judged by a whole
    replay alone."""
    return [*traces[:-1], traces[-1].rpartition(" ")[0]] if campaign.audit.partial else traces


def _told(campaign: Campaign[Any], events: list[Any]) -> Iterator[tuple[int, Any]]:
    for verified in events:
        yield len(campaign.lines), verified


@every_game
def test_a_snapshot_reads_back(game: str) -> None:
    for kept in played(game).snapshots:
        assert snapshot.read(snapshot.write(kept)) == kept


# ---------------------------------------------------------------------- options and text


@every_game
def test_every_option_and_every_default_is_legal(game: str) -> None:
    for one in asked(game):
        options = one.question.legal()
        assert [list(one.question.check(answer)) for answer in (*options, one.question.default)] == [[]] * (
            len(options) + 1
        )
        assert len({option.model_dump_json() for option in options}) == len(options)


@every_game
def test_an_answer_travels_as_json(game: str) -> None:
    for one in asked(game):
        for answer in (one.answer, one.question.default):
            assert accepted(one.question, answer.model_dump(mode="json")) == answer


@every_game
def test_orders_are_read_as_they_are_written(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for number, one in enumerate(asked(game)):
        for answer in (one.answer, *(few_options(one) if number % 5 == 0 else ())):
            written = ruleset.write_orders(answer)
            assert ruleset.read_orders(one.question, one.state, written) == answer


@every_game
def test_a_whole_sheet_is_read_from_a_quoted_mail(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for one in asked(game)[:40]:
        sheet = frame(game, 7, ["# as you wish", *ruleset.write_orders(one.answer).splitlines()])
        mail = "Hello!\r\n" + "".join(f"> {row}\r\n" for row in sheet.splitlines()) + "-- \r\nBruno\r\n"
        assert ruleset.read_orders(one.question, one.state, mail) == one.answer


@every_game
def test_what_the_rules_refuse_is_refused_when_a_sheet_is_read(game: str) -> None:
    """A sealed answer is not checked before it is opened: the sheet is the only place that can warn."""
    ruleset = catalogue.ruleset(game)
    for one in asked(game)[:40]:
        strict = replace(one.question, check=lambda _: (NEVER,))
        with pytest.raises(Refused) as caught:
            ruleset.read_orders(strict, one.state, ruleset.write_orders(one.answer))
        assert [refusal.code for refusal in caught.value.refusals] == ["test.never"]


@every_game
@pytest.mark.parametrize("nonsense", ["", "#", "launch the kraken", "end", "\x00", "ł" * 300, "pass\n" * 2001])
def test_nonsense_is_refused_with_a_reason(game: str, nonsense: str) -> None:
    ruleset = catalogue.ruleset(game)
    kinds = {one.question.kind: one for one in asked(game)}
    for one in kinds.values():
        with pytest.raises(Refused) as caught:
            ruleset.read_orders(one.question, one.state, nonsense)
        assert all(refusal.code and refusal.text for refusal in caught.value.refusals)


@every_game
def test_nonsense_is_no_standing_order_and_no_experiment(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    state = asked(game)[-1].state
    for role in ruleset.roles:
        ruleset.check_standing(role, "")
        for nonsense in ("launch the kraken", "# nothing but a comment"):
            with pytest.raises(Refused):
                ruleset.check_standing(role, nonsense)
    with pytest.raises(Refused):
        ruleset.experiments(state, "launch the kraken")


@every_game
def test_every_question_has_a_text_and_a_sheet(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for one in asked(game):
        text_of = ruleset.question_text(one.question, one.state)
        assert text_of
        assert "\n" not in text_of
        lines = ruleset.order_sheet(one.question, one.state)
        assert any(text_of in line for line in lines)
        assert all(line.isprintable() for line in lines)


@every_game
def test_a_sheet_that_nobody_has_touched_is_no_accident(game: str) -> None:
    """It is refused, or it says what is legal; nothing else can come of it."""
    ruleset = catalogue.ruleset(game)
    for one in asked(game):
        sheet = frame(game, 7, ruleset.order_sheet(one.question, one.state))
        try:
            answer = ruleset.read_orders(one.question, one.state, sheet)
        except Refused:
            continue
        assert list(one.question.check(answer)) == []


# ---------------------------------------------------------------------- states and pictures


@every_game
def test_a_state_reads_back_from_its_bytes(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for one in asked(game):
        data = ruleset.encode(one.state)
        assert ruleset.decode(data) == one.state
        assert ruleset.encode(ruleset.decode(data)) == data


@every_game
def test_a_position_reads_back_from_its_text(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for one in some(game, 150):
        assert ruleset.read_position("\n".join(ruleset.position_lines(one.state))) == one.state


@every_game
def test_every_position_can_be_drawn(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for state in (None, *(one.state for one in some(game, 12))):
        picture = ruleset.picture(state)
        assert ElementTree.fromstring(svg.draw(picture)).tag.endswith("svg")
        assert max(map(len, text.draw(picture).splitlines())) <= text.COLUMNS


@every_game
def test_every_figure_says_where_it_comes_from(game: str) -> None:
    tables = catalogue.ruleset(game).tables()
    assert {source for table in tables for source in table.sources} <= set(Source)
    assert len({(table.name, table.title) for table in tables}) == len(tables) > 0


@every_game
@pytest.mark.plan("A28")
def test_a_changed_figure_changes_the_digest(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    name, data = next(iter(ruleset.files.items()))
    changed: Ruleset[Any] = type(ruleset)({**ruleset.files, name: data + b"\n"})
    assert changed.digest != ruleset.digest


@every_game
def test_a_game_says_what_it_does_not_know(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    with pytest.raises(BadRequest):
        ruleset.begin("no-such-scenario", {})
    with pytest.raises(BadRequest):
        ruleset.begin(ruleset.scenarios[0], {"no_such_option": 1})
    with pytest.raises(BadRequest):
        ruleset.read_position("launch the kraken")


@every_game
def test_every_scenario_can_be_played(game: str) -> None:
    ruleset = catalogue.ruleset(game)
    for scenario in ruleset.scenarios[1:]:
        assert Match(ruleset, 5, scenario=scenario).play().campaign.finished
    assert set(ruleset.bots()) >= {"random", "good"}


# ---------------------------------------------------------------------- secrets


@pytest.mark.parametrize("game", [game for game in GAMES if any(e.event.kind == "seal" for e in played(game).events)])
@pytest.mark.plan("A37")
def test_two_secrets_differ_in_nothing_but_the_commitment(game: str) -> None:
    match = waiting_for(game, "seal")
    for role in sorted(match.campaign.awaited()):
        question = match.campaign.question(role)
        assert question is not None
        clock = match.clock
        seals = [_sealed(match, role, option, clock) for option in question.legal()]
        assert len({seal.event.body for seal in seals}) == len(seals) > 1
        assert len({event.write(_without_commitment(seal.event)) for seal in seals}) == 1
        assert len({len(seal.line) for seal in seals}) == 1


def _sealed(match: Match, role: Role, option: Any, clock: int) -> Any:
    match.clock = clock
    return match.signed(role, match.body_of(role, option))


def _without_commitment(statement: event.Event) -> event.Event:
    assert isinstance(statement.body, Seal)
    return replace(statement, body=statement.body.model_copy(update={"commitment": "00" * 32}))

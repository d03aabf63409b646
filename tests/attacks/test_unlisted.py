"""Attacks that no list names: proposals that bind too much, games that are over, one game used against another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine.vaults import spellings, vault_of

from attacks.sides import (
    LATER,
    Pair,
    Side,
    claimed_when_sent,
    id_of,
    invited,
    new_side,
    packed,
    payload_of,
    refused,
    sign,
    unpacked,
)
from pbem.app import catalogue
from pbem.keys.words import fingerprint_words
from pbem.log import bundle, canonical
from pbem.log.event import Answer, Entropy, Open, Resolve, Seal


def proposed(side: Side, change: dict[str, Any], folder: Path) -> Path:
    """A proposal of that side with some of its terms changed."""
    said = payload_of(side.lines()[0])
    said["body"] |= change
    path = folder / "changed"
    path.write_bytes(packed([side.sign(said)], [side.identity().public_key]))
    return path


@pytest.fixture
def guest(tmp_path: Path) -> Side:
    return new_side(tmp_path / "guest", "polish", "Bruno")


def _seat(role: str) -> dict[str, str]:
    return {"role": role, "name": role, "address": f"{role}@example.org"}


OURS = catalogue.ruleset("westerplatte").digest[:12]
INSTALL = (
    "hint: install the pbem that the proposer has, or pass the proposer's data with --data; the log can still be read "
    "with `pbem log`\n"
)
PROPOSALS: dict[str, tuple[dict[str, Any], str]] = {
    "a third seat for a friend who settles forks": (
        {"seats": [_seat("german"), _seat("polish"), _seat("arbiter")]},
        "campaign.roles: expected no seat that the game does not have, got arbiter\n",
    ),
    "no seat for the proposer": (
        {"seats": [_seat("polish")], "rollers": ["polish"]},
        "roster.proposer: expected the proposer among the seats, got 'german'\n",
    ),
    "a seat twice": (
        {"seats": [_seat("german"), _seat("polish"), _seat("polish")]},
        "roster.roles: expected every role once in the proposal, got one twice\n",
    ),
    "a roller twice": (
        {"rollers": ["german", "german"]},
        "roster.rollers: expected rollers to be different roles of the game\n",
    ),
    "a roller who has no seat": (
        {"rollers": ["german", "polish", "spy"]},
        "roster.rollers: expected rollers to be different roles of the game\n",
    ),
    "nobody rolls": (
        {"rollers": []},
        "event.form: expected an event of version 1, got a wrong 'rollers' (it has fewer entries than 1)\n",
    ),
    "a deadline of a century": (
        {"deadline_days": 36500},
        "event.form: expected an event of version 1, got a wrong 'deadline_days' (it is more than 3650)\n",
    ),
    "a deadline that is true": (
        {"deadline_days": True},
        "event.form: expected an event of version 1, got a wrong 'deadline_days' (it is no whole number)\n",
    ),
    "a scenario that is not there": ({"scenario": "easy"}, "game.scenario: expected one of standard, got 'easy'\n"),
    "an option that is not there": (
        {"options": {"german_bonus": 5}},
        "game.options: expected no options for westerplatte, got german_bonus\n",
    ),
    "another version of the rules": (
        {"ruleset": {"name": "westerplatte", "version": 2, "digest": "ab" * 32}},
        f"campaign.ruleset: expected westerplatte version 2 with data abababababab, which the game was proposed with, "
        f"got version 1 with data {OURS} here\n{INSTALL}",
    ),
    "other data": (
        {"ruleset": {"name": "westerplatte", "version": 1, "digest": "ab" * 32}},
        f"campaign.ruleset: expected westerplatte version 1 with data abababababab, which the game was proposed with, "
        f"got version 1 with data {OURS} here\n{INSTALL}",
    ),
    "a game that is not here": (
        {"ruleset": {"name": "os.system", "version": 1, "digest": "ab" * 32}},
        "campaign.game: expected one of polska1939, toy, westerplatte, white_eagle, got a game of 'os.system'\n"
        "hint: install the package that brings this game\n",
    ),
    "another remedy": (
        {"remedy": "reroll"},
        "event.form: expected an event of version 1, got a wrong 'remedy' (it can be: 'claim', 'worst')\n",
    ),
}


@pytest.mark.parametrize("name", PROPOSALS)
def test_a_proposal_that_does_not_hold_is_not_joined(joined: Pair, guest: Side, tmp_path: Path, name: str) -> None:
    change, reason = PROPOSALS[name]
    before = guest.tables()
    done = guest("accept", proposed(invited(joined.german, tmp_path), change, tmp_path), "-o", tmp_path / "answer")
    assert (done.code, done.err) == (1, reason)
    assert guest.tables() == before


@pytest.mark.parametrize(
    ("rollers", "told"),
    [
        (
            ["german"],
            "  dice by german alone: polish must trust german, who could choose and foresee every roll, which no "
            "archive can show.",
        ),
        (
            ["polish"],
            "  dice by polish alone: german must trust polish, who could choose and foresee every roll, which no "
            "archive can show.",
        ),
        (
            ["german", "polish"],
            "  dice by german and polish together: no player could choose or foresee them.",
        ),
    ],
)
def test_the_terms_say_who_could_foresee_the_dice(
    joined: Pair, guest: Side, tmp_path: Path, rollers: list[str], told: str
) -> None:
    path = proposed(invited(joined.german, tmp_path), {"rollers": rollers}, tmp_path)
    assert told in guest("accept", path, "--show").out.splitlines()


def test_a_second_game_with_the_nonce_of_the_first_is_not_joined(joined: Pair, tmp_path: Path) -> None:
    """It would replace the Pole's chain of the first game, and the German would claim that one."""
    nonce = joined.german.opened().campaign.roster.proposal.nonce
    path = proposed(invited(joined.german, tmp_path), {"nonce": nonce}, tmp_path)
    before = joined.polish.tables()
    done = joined.polish("accept", path)
    assert (done.code, done.err) == (
        1,
        "accept.nonce: expected a proposal with a nonce of its own, got the nonce of another game of this home\n"
        "hint: no honest program makes such a proposal: ask for a new one\n",
    )
    assert joined.polish.tables() == before


@pytest.fixture
def over(joined: Pair) -> Pair:
    """A game that both have closed."""
    joined.german.now = LATER
    with joined.german.desk() as desk:
        claimed_when_sent(desk, "westerplatte")
    joined.polish.mail(joined.german.export())
    joined.german.mail(joined.polish.export())
    assert all(side.opened().campaign.finished for side in joined.sides())
    return joined


@pytest.mark.parametrize(
    ("body", "noun"),
    [
        (Answer(ask="polish_setup", value={}), "orders"),
        (Entropy(index=1, link="ab" * 32), "share of the dice"),
        (Seal(ask="x", commitment="ab" * 32, escrow=""), "sealed orders"),
        (Open(ask="x", salt="ab" * 32, value={}), "opening of sealed orders"),
    ],
)
@pytest.mark.parametrize("step", [2, 3, 4, 5, 1000])
def test_nothing_is_added_to_a_game_that_is_over(over: Pair, body: Any, noun: str, step: int) -> None:
    place = over.german.opened().campaign.place
    statement = over.polish.here(body, step=step, prev=place.prev)
    line = over.polish.sign(statement)
    assert refused(over.german, packed([line]), "refused", "tallies") == (
        f"import.overtaken: expected nothing more in a game that is over, got polish's {noun} of step {step}"
    )


def test_a_settlement_in_a_game_that_is_over_changes_no_step(over: Pair) -> None:
    heads, closing = over.german.heads(), id_of(over.german.lines()[-1])
    body = Resolve(role="german", keep="ab" * 32, drop=closing)
    over.german.mail(packed([over.polish.sign(over.polish.here(body, step=3))]))
    assert over.german.heads() == heads
    verdict = over.german.verified(running=False)
    assert (verdict.code, verdict.err) == (0, "")


def test_nobody_orders_claims_or_settles_in_a_game_that_is_over(over: Pair, tmp_path: Path) -> None:
    before = over.german.tables()
    (tmp_path / "orders").write_text("pass\n", "utf-8")
    for command in (
        ("orders", "--submit", tmp_path / "orders"),
        ("motion", "claim"),
        ("motion", "resolve", "--keep", "abababab"),
    ):
        done = over.german(*command)
        assert done.code == 1
    assert over.german.tables() == before


def test_far_events_of_the_other_side_do_not_stop_the_game(joined: Pair) -> None:
    """The German floods the Pole with events of steps that will never come."""
    flood = [
        joined.german.sign(joined.german.here(Entropy(index=number, link="ab" * 32), step=2**31 - number))
        for number in range(200)
    ]
    before = joined.polish.tables("status")
    done = joined.polish.mail(packed(flood))
    assert (done.code, done.err.splitlines()[0].removeprefix("refused: ")) == (
        1,
        "import.far: expected events of german for the next 500 steps, one for each place, got 200 others",
    )
    assert joined.polish.tables("status") == before
    joined.play(8)
    assert joined.polish.opened().campaign.place.step >= 8
    assert joined.polish.opened().fork is None


def test_settlements_without_a_fork_do_not_stop_the_game(joined: Pair) -> None:
    """A flood of resolutions of nothing, for steps that were, are and will be."""
    flood = [
        joined.german.sign(joined.german.here(Resolve(role="polish", keep="ab" * 32, drop=f"{n:064x}"), step=n % 40))
        for n in range(60)
    ]
    joined.polish.mail(packed(flood))
    joined.play(8)
    assert joined.polish.heads()[:8] == joined.german.heads()[:8]
    verdict = joined.polish.verified()
    assert (verdict.code, verdict.err) == (0, "")


def test_a_settlement_signed_ahead_does_not_decide_a_later_fork(joined: Pair, tmp_path: Path) -> None:
    """The German cannot settle what is not there yet: ids are not to be foreseen."""
    backup = joined.polish.copy(tmp_path / "backup")
    joined.polish.decide()
    backup.chooser.choose(1000)
    backup.decide()
    ahead = joined.german.here(Resolve(role="polish", keep="ab" * 32, drop="cd" * 32), step=2)
    joined.german.mail(packed([joined.german.sign(ahead)]))
    for side in (joined.polish, backup):
        joined.german.mail(side.export())
    assert joined.german.opened().fork is not None


def test_a_stranger_cannot_settle_claim_or_close(joined: Pair, tmp_path: Path) -> None:
    eve = new_side(tmp_path / "eve", "polish", "Eve").identity()
    for said in (
        {"kind": "close", "body": {"result": {}, "head": "ab" * 32}},
        {"kind": "lapse", "body": {"role": "german", "demand": "answer", "dice": []}},
        {"kind": "resolve", "body": {"role": "german", "keep": "ab" * 32, "drop": "cd" * 32}},
    ):
        place = joined.german.opened().campaign.place
        where = {"game": place.game, "step": 2, "prev": place.prev, "state": place.state, "v": 1, "at": LATER}
        line = sign(eve, {**where, **said, "role": "polish"})
        told = refused(joined.german, packed([line], [eve.public_key]))
        assert told == "event.author: expected an event signed by the polish party, got another party's key"


def test_sixty_four_keys_in_a_file_open_no_door(joined: Pair, tmp_path: Path) -> None:
    """Offered keys serve registrations alone, however many there are, the right one among them."""
    eves = [new_side(tmp_path / f"eve{n}", "polish", "Eve").identity() for n in range(3)]
    said = payload_of(joined.german.lines()[0]) | {"game": joined.german.opened().row.game_id}
    answer = {**said, "kind": "answer", "step": 2, "role": "polish", "body": {"ask": "polish_setup", "value": {}}}
    keys = [bytes([n]) * 32 for n in range(1, 62)] + [eve.public_key for eve in eves]
    for eve in eves:
        told = refused(joined.german, packed([sign(eve, answer)], keys))
        assert told == "event.author: expected an event signed by the polish party, got another party's key"


def test_an_evidence_file_proves_nothing_about_a_seat_that_it_registers_itself(joined: Pair, tmp_path: Path) -> None:
    """Eve registers a key of her own for the Pole's seat in a copy of the proposal, and contradicts herself."""
    eve = new_side(tmp_path / "eve", "polish", "Eve")
    proposal = joined.german.lines()[0]
    said = payload_of(joined.german.lines()[1])
    said["body"]["registration"]["key"] = eve.identity().public_key.hex()
    joining = sign(eve.identity(), said)
    closing = {**said, "kind": "close", "step": 9, "body": {"result": {}, "head": "ab" * 32}}
    rivals = [sign(eve.identity(), {**closing, "at": at}) for at in (1, 2)]
    keys = [joined.german.identity().public_key, eve.identity().public_key]
    forged = tmp_path / "forged.pbem"
    forged.write_bytes(bundle.write("evidence", keys, [proposal, joining, *sorted(rivals, key=id_of)]))
    done = joined.german("verify", forged)
    assert done.code == 0
    words = " ".join(fingerprint_words(eve.identity().public_key))
    told = done.out.splitlines()
    assert told[told.index(f"  polish's key in words: {words}") :] == [
        f"  polish's key in words: {words}",
        "Both events stand at one place of one log, with the same key. Not shown by this file: why; most such forks "
        "come from a restored backup or a second device.",
        "Compare the keys in words with the players, or with that game's archive: a file can name any key for a seat, "
        "and any game.",
    ]
    assert words not in joined.german("verify", "westerplatte", "--running").out


def test_a_claim_in_a_game_without_a_deadline_is_refused(joined: Pair, guest: Side, tmp_path: Path) -> None:
    german = invited(joined.german, tmp_path)
    path = proposed(german, {"deadline_days": 0}, tmp_path)
    assert guest("accept", path, "-o", tmp_path / "answer", "--name", "slow").code == 0
    guest.game = "slow"
    assert "no deadline." in guest("accept", path, "--show").out
    forged = guest.here(Answer(ask="polish_setup", value={}))
    lapse = canonical.decode(canonical.encode({"role": "polish", "demand": "answer", "dice": []}))
    said = payload_of(german.sign(forged)) | {"kind": "lapse", "role": "german", "body": lapse, "at": LATER}
    assert refused(guest, packed([german.sign(said)]), "refused", "tallies", "status")
    assert guest.opened().campaign.outcome is None


def test_the_passphrase_and_the_keys_are_in_nothing_that_leaves_the_home(played: Pair, tmp_path: Path) -> None:
    """All that the client prints and writes; `engine/test_secrets.py` looks at what the library gives for that."""
    german = played.german
    assert german("archive", "-o", tmp_path / "a.pbem").code == 0
    turn_file = german.export(everything=True)
    shown = [turn_file, b"\n".join(unpacked(turn_file).lines), (tmp_path / "a.pbem").read_bytes()]
    for command in (("status", "--json"), ("log",), ("log", "--dsse"), ("roll", "westerplatte", "--json")):
        done = german(*command)
        assert (done.code, done.err) == (0, ""), command
        shown.append(done.out.encode())
    with german.desk() as desk:
        secrets = vault_of(desk, german.opened(), german.role)
    assert sorted(secrets) == ["escrow key", "last link", "next link", "seed", "signing key", "successor key"]
    everything = b"\n".join(shown)
    for name, secret in secrets.items():
        assert [spelling for spelling in spellings(secret) if spelling in everything] == [], name

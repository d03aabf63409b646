"""The dice: nothing to foresee, nothing to choose, nothing to roll again, nothing to put elsewhere."""

from __future__ import annotations

import ast
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from attacks.sides import Pair, Side, packed, payload_of, refused, signed_again
from pbem.app.secrets import chain_name
from pbem.log import chain, dice
from pbem.log.envelope import event_id, from_line
from pbem.log.event import Entropy, write
from pbem.log.hashing import digest

PACKAGE = Path(__file__).parents[2] / "pbem"


@pytest.fixture
def rolling(joined: Pair) -> Pair:
    """The German has decided and opened its link for the first card, the Pole has not got that."""
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    joined.german.decide()
    return joined


def links_of(side: Side) -> tuple[bytes, ...]:
    """The side's whole chain, out of its vault."""
    with side.desk() as desk:
        roster = side.opened().campaign.roster
        nonce, joined = roster.proposal.nonce, roster.parties[side.role].registration
        assert joined is not None
        seed = desk.secret(desk.home, chain_name(nonce, roster.game, side.role, joined.anchor))
        assert seed is not None
        return chain.links(seed, bytes.fromhex(nonce), side.role)


@pytest.mark.plan("A42", "A45")
def test_the_one_who_opens_first_holds_nothing_of_the_roll(rolling: Pair) -> None:
    """Everything in the German's home, in the clear, and every mail it got: the Pole's next link is nowhere."""
    german, link = rolling.german, links_of(rolling.polish)[1]
    with closing(sqlite3.connect(german.folder / "home.sqlite")) as connection:
        dump = "\n".join(connection.iterdump()).encode().lower()
    with german.desk() as desk:
        names = desk.home.secret_names()
        clear = b"".join(desk.secret(desk.home, name) or b"" for name in names)
    for hidden in links_of(rolling.polish)[1:40]:
        assert hidden not in clear
        assert hidden.hex().encode() not in dump
    before = links_of(rolling.polish)[0]
    nonce = bytes.fromhex(german.opened().campaign.roster.proposal.nonce)
    assert chain.previous_link(nonce, "polish", 0, link) == before


@pytest.mark.plan("A42")
def test_the_roll_depends_on_the_link_that_is_missing(rolling: Pair) -> None:
    """Whatever the missing link were, the first card would be another one: no guess is better than another."""
    campaign = rolling.german.opened().campaign
    own, game = links_of(rolling.german)[1], bytes.fromhex(campaign.game)
    closing_digest = bytes.fromhex(campaign.place.prev)
    guesses = [digest("pbem test guess", bytes([number])) for number in range(250)]
    faces = [dice.faces(dice.dice_key([own, guess], closing_digest, game), "x", 1, 53)[0] for guess in guesses]
    assert len(set(faces)) > 48


@pytest.mark.plan("A42")
def test_nobody_opens_a_link_before_the_decision_is_in_the_log(joined: Pair) -> None:
    """The German opens its link while it owes a decision, hoping that the Pole's program opens its own."""
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    early = joined.german.here(Entropy(index=1, link=links_of(joined.german)[1].hex()))
    assert refused(joined.polish, packed([joined.german.sign(early)]), "refused", "tallies").startswith(
        "place.kind: expected german's answer at step 3, got german's entropy of step 3"
    )
    assert b"entropy" not in b"".join(joined.polish.lines() + joined.polish.pending())


@pytest.mark.plan("A42")
def test_an_open_link_is_never_mailed_before_the_step_that_needs_it(played: Pair) -> None:
    """In every log: an entropy step follows the step that closed the decisions, and holds nothing else."""
    found = [{one.event.kind for one in step.events} for step in played.german.opened(whole=True).campaign.steps]
    with_links = [kinds for kinds in found if "entropy" in kinds]
    assert with_links
    assert with_links == [{"entropy"}] * len(with_links)


@pytest.mark.plan("A41", "A46")
@pytest.mark.parametrize(
    ("index", "which", "reason"),
    [
        (2, 2, "chain.index: expected link 1 of german's chain, got link 2"),
        (0, 0, "chain.index: expected link 1 of german's chain, got link 0"),
        (1, 2, "chain.link: expected link 1 of german's chain to hash to link 0"),
        (1, 0, "chain.link: expected link 1 of german's chain to hash to link 0"),
    ],
)
def test_a_link_out_of_turn_is_refused(rolling: Pair, index: int, which: int, reason: str) -> None:
    """Skipped, repeated, or another link under the right number, signed by its owner."""
    german, polish = rolling.german, rolling.polish
    polish.mail(packed(german.lines()[3:]))
    forged = german.here(Entropy(index=index, link=links_of(german)[which].hex()))
    assert refused(polish, packed([german.sign(forged)]), "refused", "tallies") == reason


@pytest.mark.plan("A46")
def test_a_link_of_the_other_chain_is_refused(rolling: Pair) -> None:
    """The German opens as its own what the Pole has opened before."""
    polish, german = rolling.polish, rolling.german
    polish.mail(packed(german.lines()[3:]))
    (opened,) = [line for line in polish.pending() if payload_of(line)["role"] == "polish"]
    forged = german.here(Entropy(index=1, link=payload_of(opened)["body"]["link"]))
    assert refused(polish, packed([german.sign(forged)]), "refused", "tallies") == (
        "chain.link: expected link 1 of german's chain to hash to link 0"
    )


@pytest.mark.plan("A44")
def test_grinding_the_decision_gains_nothing(rolling: Pair) -> None:
    """The German tries many dates for its decision and takes the one that would roll best for any link it guesses."""
    german = rolling.german
    campaign = german.opened().campaign
    game, (own, theirs) = bytes.fromhex(campaign.game), (links_of(german)[1], links_of(rolling.polish)[1])
    statement = replace(german.here(Entropy(index=1, link=own.hex())), kind="entropy")
    hoped = actual = 0
    for number in range(2000):
        salt = digest("pbem/step/v1", bytes(32), bytes.fromhex(event_id(write(replace(statement, at=number)))))
        guess, truth = (
            dice.faces(dice.dice_key([own, link], salt, game), "x", 1, 6)[0] for link in (bytes(32), theirs)
        )
        hoped += guess == 6
        actual += guess == 6 and truth == 6
    assert 270 < hoped < 400
    assert abs(actual - hoped / 6) < 30


@pytest.mark.plan("A48")
def test_no_roll_is_made_without_the_link_of_every_roller(rolling: Pair) -> None:
    assert rolling.german("roll", "westerplatte").out == "# This game has no roll yet.\n"
    rolling.polish.take(rolling.german.export())
    rolling.german.take(rolling.polish.export())
    listed = rolling.german("roll", "westerplatte").out
    assert re.search(
        r"^# 4:\S+card-1: \S+ \(one of the 53 cards that are left; rolled by german and polish\)$", listed, re.M
    )
    script = rolling.german("roll", "westerplatte", "4").out
    assert all(links_of(side)[1].hex() in script for side in rolling.sides())


@pytest.mark.plan("A49")
def test_another_signature_on_a_link_rolls_the_same(rolling: Pair) -> None:
    """Ed25519 signatures can be made anew at will: they are in nothing that dice are made from."""
    polish, german = rolling.polish, rolling.german
    polish.take(german.export())
    rolled, line = polish("roll", "westerplatte").out, polish.lines()[-1]
    assert payload_of(line)["role"] == "polish"
    german.mail(packed([signed_again(polish.identity(), line)]))
    assert german("roll", "westerplatte").out == rolled
    assert german.heads() == polish.heads()


@pytest.mark.plan("A49")
def test_nothing_that_makes_dice_is_given_a_signature() -> None:
    for name in ("dice", "chain", "step", "hashing", "seal"):
        tree = ast.parse((PACKAGE / "log" / f"{name}.py").read_text("utf-8"))
        words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        words |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not {word for word in words if "sign" in word.lower()}


@pytest.mark.plan("A47")
def test_the_bytes_of_every_roll_become_faces_without_remainder(played: Pair) -> None:
    """What `pbem roll` prints, checked by its own words: equal shares, no remainder, the first accepted byte counts."""
    ids = re.findall(r"^# (\d+:\S+): ", played.german("roll", "westerplatte").out, re.M)
    for roll in ids:
        script = played.german("roll", "westerplatte", roll).out
        ((share, limit),) = re.findall(r"byte / (\d+) \+ 1, rounded down; a byte of (\d+) or more", script)
        blocks = bytes.fromhex("".join(re.findall(r'check "block \d+" "\$block" ([0-9a-f]{64})', script)))
        items = re.findall(r"^set -- (.*)$", script, re.M)[0].split()
        assert (int(share), int(limit)) == (256 // len(items), 256 // len(items) * len(items))
        face = next(byte for byte in blocks if byte < int(limit)) // int(share)
        assert f'check result "$found" {items[face]}' in script
    assert len(ids) > 3


@pytest.mark.plan("A50")
def test_a_result_belongs_to_its_label(played: Pair) -> None:
    """A player says that the good card was for the other attack: label and step are part of what is rolled."""
    listed = played.german("roll", "westerplatte").out
    ids = re.findall(r"^# (\d+:\S+): ", listed, re.M)
    assert len(set(ids)) == len(ids)
    first, second = ids[:2]
    done = played.german("roll", "westerplatte", f"{first.split(':')[0]}:{second.split(':')[1]}")
    assert done.code == 1
    assert done.err.startswith("roll.unknown: expected the id of one roll such as 4:turn.2/turn-1/card-1, got")
    label = first.split(":")[1]
    assert f"{label}".encode().hex() in _bytes_of(played.german("roll", "westerplatte", first).out)


def _bytes_of(script: str) -> str:
    octal = re.findall(r"printf '((?:\\[0-7]{3})+)'", script)
    return "".join(bytes(int(digits, 8) for digits in text.split("\\")[1:]).hex() for text in octal)


@pytest.mark.plan("A40")
def test_the_same_step_always_opens_the_same_link(rolling: Pair) -> None:
    """A later payload at the same place holds the same link: there is no other that hashes to the anchor."""
    (line,) = rolling.german.pending()
    assert payload_of(line)["body"] == {"index": 1, "link": links_of(rolling.german)[1].hex()}
    assert from_line(line).payload.count(b"link") == 1

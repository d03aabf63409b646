"""Dice: every face as likely as any other, and nobody who could make it otherwise (`pbem.log.dice`)."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from soak import soak

import pbem.log
from pbem.log import dice, event
from pbem.log.chain import links
from pbem.log.event import Answer
from pbem.log.step import step_digest

from .builders import GERMAN, POLISH, Game, played, player, secret

KEY = secret("dice key")
SOURCES = sorted(Path(pbem.log.__file__).parent.glob("*.py"))


# ---------------------------------------------------------------------------------- A47: bias


@pytest.mark.plan("A47")
@pytest.mark.parametrize("sides", range(2, 257))
def test_every_face_has_the_same_number_of_bytes(sides: int) -> None:
    counted = Counter(dice.face_of(byte, sides) for byte in range(256))
    thrown_away = counted.pop(None, 0)
    assert counted == dict.fromkeys(range(1, sides + 1), 256 // sides)
    assert thrown_away == 256 % sides


@pytest.mark.plan("A47")
def test_a_modulo_would_be_biased() -> None:
    """The check above would notice: 256 is no multiple of six."""
    assert len(set(Counter(byte % 6 for byte in range(256)).values())) == 2


@pytest.mark.plan("A47")
def test_the_source_of_dice_has_no_modulo() -> None:
    tree = ast.parse(Path(dice.__file__).read_text())
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Mod)] == []


@pytest.mark.plan("A47")
@pytest.mark.parametrize("sides", [2, 6, 10, 52, 129])
def test_chi_square_over_the_whole_pipeline(sides: int) -> None:
    """From a fixed key, so the figure never changes; the bound is six standard deviations of chi-square."""
    rolls = 200 * sides
    counted = Counter(face for number in range(rolls // 10) for face in dice.faces(KEY, f"roll/{number}", 10, sides))
    expected = sum(counted.values()) / sides
    statistic = sum((counted[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert statistic < (sides - 1) + 6 * (2 * (sides - 1)) ** 0.5


@pytest.mark.plan("A47")
@pytest.mark.parametrize("sides", [0, -1, 257])
def test_there_are_no_other_dice(sides: int) -> None:
    with pytest.raises(ValueError, match=f"^dice have 1 to 256 sides, not {sides}$"):
        dice.faces(KEY, "x", 1, sides)


def test_draws_are_from_what_is_left_and_each_is_as_likely() -> None:
    drawn = Counter(dice.drawn(KEY, f"draw/{number}", "abc") for number in range(3_000))
    assert set(drawn) == {"a", "b", "c"}
    assert all(900 < count < 1_100 for count in drawn.values())


# ---------------------------------------------------------------------------------- A42, A50: labels


@pytest.mark.plan("A42", "A50")
def test_the_order_in_which_rolls_are_worked_out_changes_none() -> None:
    labels = ["5.1/attack-1", "5.1/attack-2", "5.1/attack-10"]
    forwards = {label: dice.faces(KEY, label, 2, 6) for label in labels}
    assert {label: dice.faces(KEY, label, 2, 6) for label in reversed(labels)} == forwards


@pytest.mark.plan("A50")
def test_a_result_belongs_to_its_label() -> None:
    rolls = {dice.faces(KEY, f"attack-{number}", 20, 6) for number in range(100)}
    assert len(rolls) == 100


@pytest.mark.plan("A50")
def test_labels_and_block_numbers_cannot_run_into_each_other() -> None:
    messages = {dice.block_message(label, block) for label in ("a", "a\x00", "a0", "") for block in (0, 1, 256)}
    assert len(messages) == 12


def test_more_dice_of_a_roll_begin_with_the_fewer() -> None:
    assert dice.faces(KEY, "x", 100, 6)[:7] == dice.faces(KEY, "x", 7, 6)


# ---------------------------------------------------------------------------------- A44: grinding


@pytest.mark.plan("A44")
def test_who_chooses_texts_gains_nothing() -> None:
    """The german tries texts until the dice would be good, guessing the link that the polish side will open.

    With the right link in hand it would win always; with a guess it wins as often as without trying.
    """
    grind(tries=1_500)


@pytest.mark.soak
@pytest.mark.plan("A44")
def test_who_chooses_a_hundred_thousand_texts_gains_nothing() -> None:
    grind(tries=soak(100_000))


def grind(tries: int) -> None:
    own, game = secret("own link"), secret("grinding game")
    guessed, known, played_out = 0, 0, tries // 10
    for number in range(played_out):
        peer = secret(f"peer link {number}")
        guess = next(text for text in _texts(number) if _six(own, secret(f"guess {number}"), text, game))
        cheat = next(text for text in _texts(number) if _six(own, peer, text, game))
        guessed += _six(own, peer, guess, game)
        known += _six(own, peer, cheat, game)
    assert known == played_out
    # one in six is a success; six standard deviations either way
    assert abs(guessed - played_out / 6) < 6 * (played_out * 5 / 36) ** 0.5


def _texts(number: int) -> list[bytes]:
    return [f"decision {number}.{text}".encode() for text in range(400)]


def _six(own: bytes, peer: bytes, text: bytes, game: bytes) -> bool:
    closing = step_digest(bytes(32), [secret(text.hex()).hex()])
    return dice.faces(dice.dice_key([own, peer], closing, game), "attack", 1, 6) == (6,)


@pytest.mark.plan("A44")
def test_what_an_entropy_event_says_besides_its_link_changes_no_dice() -> None:
    """Its clock is the only thing left to choose, and the key is made from the step before."""
    keys = set()
    for later in range(3):
        game = played(2)
        late = game.line(POLISH, game.entropy(POLISH), at=game.since + later)
        game.add(game.line(GERMAN, game.entropy(GERMAN)), late)
        keys.add(game.dice_key())
    assert len(keys) == 1


@pytest.mark.plan("A44")
def test_a_link_cannot_be_chosen() -> None:
    """Given the anchor, the event body has nothing that the author could vary."""
    assert set(event.Entropy.model_fields) == {"index", "link"}


# ---------------------------------------------------------------------------------- A45, A48: whose links


@pytest.mark.plan("A48")
def test_every_link_is_in_the_key() -> None:
    closing, game = secret("closing"), secret("game")
    opened = [secret("one link"), secret("other link")]
    keys = {
        dice.dice_key(chosen, closing, game)
        for chosen in (opened, opened[::-1], opened[:1], opened[1:], [opened[0], secret("third link")])
    }
    assert len(keys) == 5


@pytest.mark.plan("A48")
def test_one_side_cannot_foresee_the_dice_of_both() -> None:
    """All dice that one link can still give are open: over many links of the peer every face comes."""
    own = links(secret("own"), secret("nonce"), "german", 2)[1]
    found = Counter(
        dice.faces(dice.dice_key([own, secret(f"peer {number}")], bytes(32), bytes(32)), "attack", 1, 6)[0]
        for number in range(1_200)
    )
    assert all(120 < found[face] < 280 for face in range(1, 7))


@pytest.mark.plan("A45")
def test_dice_of_another_step_or_game_are_other_dice() -> None:
    opened = [secret("one link"), secret("other link")]
    places = [(secret("closing"), secret("game")), (secret("closing 2"), secret("game")), (secret("closing"), KEY)]
    assert len({dice.dice_key(opened, closing, game) for closing, game in places}) == 3


# ---------------------------------------------------------------------------------- A49: no signature makes dice


@pytest.mark.plan("A49")
def test_no_hash_of_the_protocol_takes_a_signature() -> None:
    """Signatures can be ground: no argument of a hash, of LP or of HMAC mentions one."""
    assert [found for path in SOURCES for found in signatures_in_hashes(path.read_text())] == []


@pytest.mark.plan("A49")
@pytest.mark.parametrize(
    "source",
    [
        'digest("pbem/x/v1", found.signature)',
        "lp(envelope.signature)",
        "hmac.digest(key, b'' + signature, sha256)",
        "hashlib.sha256(line)",
        "step_digest(previous, (one.line for one in events))",
    ],
)
def test_the_lint_of_signatures_bites(source: str) -> None:
    assert len(signatures_in_hashes(source)) == 1


HASHES = {"digest", "lp", "sha256", "sha512", "new", "event_id", "step_digest", "dice_key", "commitment"}
SIGNED = {"signature", "line", "lines", "to_line"}
OF_FILES = {"pbem/dispute/v1"}
"""What marks a whole file, and nothing else is made of."""


def signatures_in_hashes(source: str) -> list[str]:
    """Calls of hashes with an argument that names a signature or a whole signed line."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [ast.unparse(call) for call in calls if _name(call.func) in HASHES and _hashes_a_signature(call)]


def _hashes_a_signature(call: ast.Call) -> bool:
    return bool(_arguments(call) & SIGNED) and not any(ast.unparse(tag).strip("'") in OF_FILES for tag in call.args[:1])


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _arguments(call: ast.Call) -> set[str]:
    inner = [node for argument in call.args for node in ast.walk(argument)]
    return {_name(node) for node in inner if isinstance(node, ast.Attribute | ast.Name)}


@pytest.mark.plan("A49")
def test_two_signatures_over_one_log_give_the_same_dice() -> None:
    game = played(3)
    twin = Game(player(GERMAN).signed_again(game.lines[0]), list(game.players.values()))
    for step in game.steps[1:]:
        twin.add(*(game.players[one.event.role].signed_again(one.line) for one in step))
    assert not set(twin.lines) & set(game.lines)
    assert (twin.dice_key(), twin.head) == (game.dice_key(), game.head)


def test_the_dice_follow_every_decision_before_them() -> None:
    """Another answer at step 3 leads to other dice at step 6, with the very same links."""
    keys = set()
    for to in ("hill", "ford"):
        game = played(3)
        game.add(game.line(GERMAN, Answer(ask="move", value={"to": to})))
        game.step = game.motions.at = 6
        game.add(*(game.line(role, game.entropy(role)) for role in (GERMAN, POLISH)))
        keys.add(game.dice_key())
    assert len(keys) == 2

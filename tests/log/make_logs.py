"""Writes `fixtures/log/`: `python tests/log/make_logs.py`. Good logs, and one bad log for every defect.

`BAD` has a name, the code that a reader must answer with, and the bytes. A bad log is good up to its last line,
or to the line that its name speaks of.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))

from log import make_disputes, make_motions, make_receipts, make_worst  # noqa: E402
from log.builders import (  # noqa: E402 - the path is set above
    BEGIN,
    END,
    GERMAN,
    HOUR,
    NONCE,
    PLANS,
    POLISH,
    Game,
    body_of,
    new_game,
    played,
    player,
    propose,
    secret,
    statement,
)
from log.make_vectors import bad_keys  # noqa: E402
from pbem.log import bundle, event, fork  # noqa: E402
from pbem.log.envelope import Envelope, from_line, pae, to_line  # noqa: E402
from pbem.log.event import NOTHING, Accept, Answer, Close, Disclosure, Entropy, Lapse, Seal, Seat  # noqa: E402
from pbem.log.keys import key_id  # noqa: E402
from pbem.log.step import GENESIS  # noqa: E402

FOLDER = ROOT / "fixtures" / "log"
DEADLINE = 7 * 24 * HOUR


def good_logs() -> dict[str, bytes]:
    """One roll, a whole game, one that ended by a lapse, a proposal alone, evidence, disputes, and motions."""
    alone = played(2)
    lapsed = played(2)
    lapsed.add(*lapsing(lapsed, DEADLINE))
    return {
        "proposal": bundle.write("turn", alone.keys[:1], alone.lines[:1]),
        "one-roll": played(3).archive(),
        "whole-game": played(END).archive(),
        "lapse": lapsed.archive(),
        "evidence": evidence(),
        **{name: make() for name, make in {**make_disputes.GOOD, **make_motions.GOOD, **make_worst.GOOD}.items()},
        **{name: make() for name, make in make_receipts.GOOD.items()},
    }


def lapsing(game: Game, after: int) -> tuple[bytes, bytes]:
    """The german's own entropy and its lapse of the polish one, `after` seconds after the step before."""
    lapse = Lapse(role=POLISH, demand="entropy", dice=[])
    return game.line(GERMAN, game.entropy(GERMAN)), game.line(GERMAN, lapse, at=game.since + after)


def evidence() -> bytes:
    game = played(3)
    return fork.evidence(game.registrations, _forked(game))


def _forked(game: Game) -> fork.Fork:
    answers = [Answer(ask="move", value={"from": "road", "to": to}) for to in ("hill", "ford")]
    found = fork.fork(*(game.verified(game.line(GERMAN, answer)) for answer in answers))
    assert found is not None
    return found


def after(step: int, make: Callable[[Game], bytes]) -> bytes:
    """The whole game up to `step`, and a line there that does not fit."""
    game = played(step)
    return bundle.write("archive", game.keys, [*game.lines, make(game)])


def moved(**changes: Any) -> bytes:
    """The german's answer of step 3 with some fields changed, rightly signed."""
    return after(3, lambda game: game.line(GERMAN, body_of(game, GERMAN), **changes))


def says(text: Callable[[bytes], bytes]) -> bytes:
    """The german's answer of step 3 with other payload bytes, rightly signed."""
    return after(3, lambda game: player(GERMAN).signed(text(event.write(game.event(GERMAN, body_of(game, GERMAN))))))


def fields(**changes: Any) -> bytes:
    """The german's answer of step 3 with JSON fields changed (None takes one out), rightly signed."""

    def changed(payload: bytes) -> bytes:
        value = {**json.loads(payload), **changes}
        kept = {key: item for key, item in value.items() if item is not None}
        return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    return says(changed)


def line_of(change: Callable[[bytes], bytes]) -> bytes:
    """The german's answer of step 3 with its line changed after it was signed."""
    return after(3, lambda game: change(game.line(GERMAN, body_of(game, GERMAN))))


def proposing(**changes: Any) -> bytes:
    """A proposal alone that contradicts itself, rightly signed."""
    seats = (player(GERMAN), player(POLISH))
    said = statement(0, GENESIS, GERMAN, propose(seats, **changes), NOTHING)
    return bundle.write("turn", [seats[0].key], [seats[0].signed(event.write(said))])


def accepting(key_of: str, **changes: Any) -> bytes:
    """The proposal, and an acceptance signed with the keys called `key_of`."""
    game = Game(played(2).lines[0], [player(GERMAN), player(POLISH)])
    body = Accept(registration=player(POLISH).registration().model_copy(update=changes))
    signer = player(POLISH, key_of)
    line = signer.signed(event.write(game.event(POLISH, body)))
    return bundle.write("turn", {*game.keys, player(POLISH).key, signer.key}, [*game.lines, line])


def offering(key: bytes) -> bytes:
    """A proposal under a bad key: for some of them this very signature would hold over any message."""
    line = to_line(replace(from_line(played(2).lines[0]), key_id=key_id(key), signature=key + bytes(32)))
    return bundle.write("turn", [key], [line])


def bundle_of(change: Callable[[bytes], bytes]) -> bytes:
    """One roll's archive with its text changed."""
    return change(played(3).archive())


def without_keys() -> bytes:
    return bundle.write("archive", [], played(3).lines)


def copied_seal(game: Game) -> bytes:
    """The polish side copies the commitment that the german one made at step 4."""
    commitment = game.steps[4][0].event.body
    assert isinstance(commitment, Seal)
    return game.line(POLISH, commitment)


def lapsed_too_early() -> bytes:
    game = played(2)
    return bundle.write("archive", game.keys, [*game.lines, *lapsing(game, DEADLINE - 1)])


def lapse_of(role: str, demand: Any, at: int = DEADLINE) -> bytes:
    body = Lapse(role=event.Role(role), demand=demand, dice=[])
    return after(2, lambda game: game.line(GERMAN, body, at=game.since + at))


def lapse_without_deadline() -> bytes:
    game = new_game(deadline_days=0)
    return bundle.write("archive", game.keys, [*game.lines, *lapsing(game, DEADLINE)])


def lapse_of_acceptance() -> bytes:
    game = Game(played(2).lines[0], [player(GERMAN)])
    line = game.line(GERMAN, Lapse(role=POLISH, demand="accept", dice=[]), at=BEGIN + DEADLINE)
    return bundle.write("archive", game.keys, [*game.lines, line])


def evidence_of(lines: Callable[[Game], Iterable[bytes]], contents: bundle.Contents = "evidence") -> bytes:
    game = played(3)
    return bundle.write(contents, game.keys, lines(game))


def _with_head(head: bytes) -> Callable[[bytes], bytes]:
    return lambda data: head + data[data.index(b"\n") :]


def _key_lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    def changed(data: bytes) -> bytes:
        rows = data.split(b"\n")
        return b"\n".join([rows[0], *change(rows[1:3]), *rows[3:]])

    return changed


def _many_keys(_: list[bytes]) -> list[bytes]:
    return [b"key " + bytes([number]).hex().encode() * 32 for number in range(bundle.MAX_KEYS + 1)]


def _surplus_bits(line: bytes) -> bytes:
    """The last character of the signature stands for four bits and two that must be zero."""
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet.index(line[102])
    return line[:102] + alphabet[last + 1 : last + 2] + line[103:]


def _flipped(at: int) -> Callable[[bytes], bytes]:
    return lambda line: line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]


def _two_answers(game: Game) -> list[bytes]:
    found = _forked(game)
    return [found.first.line, found.second.line]


def _entropy(index: int, link: str) -> Callable[[Game], bytes]:
    return lambda game: game.line(GERMAN, Entropy(index=index, link=link))


BAD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "bundle-not-a-log": ("bundle.form", lambda: bundle_of(_with_head(b"pbem-book 1 archive"))),
    "bundle-of-unknown-contents": ("bundle.form", lambda: bundle_of(_with_head(b"pbem-log 1 novel"))),
    "bundle-format-with-a-leading-zero": ("bundle.form", lambda: bundle_of(_with_head(b"pbem-log 01 archive"))),
    "bundle-with-carriage-returns": ("bundle.form", lambda: bundle_of(lambda data: data.replace(b"\n", b"\r\n"))),
    "bundle-of-a-newer-format": ("bundle.version", lambda: bundle_of(_with_head(b"pbem-log 2 archive"))),
    "bundle-cut-in-a-line": ("bundle.cut", lambda: bundle_of(lambda data: data[:-1])),
    "bundle-keys-out-of-order": ("bundle.keys", lambda: bundle_of(_key_lines(lambda keys: keys[::-1]))),
    "bundle-key-twice": ("bundle.keys", lambda: bundle_of(_key_lines(lambda keys: [keys[0], *keys]))),
    "bundle-with-65-keys": ("bundle.keys", lambda: bundle_of(_key_lines(_many_keys))),
    "bundle-key-in-capitals": ("envelope.form", lambda: bundle_of(_key_lines(lambda keys: [keys[0].upper()]))),
    "line-empty": ("envelope.form", lambda: line_of(lambda _: b"")),
    "line-with-surplus-bits": ("envelope.form", lambda: line_of(_surplus_bits)),
    "line-with-padding": ("envelope.form", lambda: line_of(lambda line: line[:103] + b"==" + line[103:])),
    "line-keyid-in-capitals": ("envelope.form", lambda: line_of(lambda line: line[:16].upper() + line[16:])),
    "line-with-two-blanks": ("event.signature", lambda: line_of(lambda line: line[:104] + b" " + line[104:])),
    "line-too-long": ("envelope.too_long", lambda: line_of(lambda line: line + b" " * 66_000)),
    "key-not-given": ("event.unknown_key", without_keys),
    "key-of-nobody": ("event.unknown_key", lambda: after(3, lambda game: _by_stranger(game))),
    "key-of-small-order": ("key.small_order", lambda: offering(bad_keys()[0][0])),
    "key-not-canonical": ("key.not_canonical", lambda: offering(bad_keys()[8][0])),
    "signature-flipped": ("event.signature", lambda: line_of(_flipped(20))),
    "payload-flipped": ("event.signature", lambda: line_of(_flipped(120))),
    "signature-of-another-payload-type": ("event.signature", lambda: after(3, lambda game: _other_type(game))),
    "payload-not-json": ("canonical.not_json", lambda: says(lambda payload: payload[:-1])),
    "payload-with-a-blank": ("canonical.form", lambda: says(lambda payload: payload.replace(b":", b": ", 1))),
    "payload-with-a-key-twice": ("canonical.form", lambda: says(lambda payload: b'{"at":1,' + payload[1:])),
    "payload-with-a-fraction": ("canonical.value", lambda: fields(at=1.5)),
    "payload-with-a-large-integer": ("canonical.value", lambda: fields(at=2**53)),
    "payload-with-a-cyrillic-key": ("canonical.value", lambda: fields(**{"r\u043ele": 1})),
    "payload-too-deep": ("canonical.too_deep", lambda: says(lambda _: b"[" * 17 + b"]" * 17)),
    "payload-too-long": ("canonical.too_long", lambda: says(lambda _: b" " * 65_537)),
    "event-of-a-newer-version": ("event.version", lambda: fields(v=2)),
    "event-of-version-0": ("event.form", lambda: fields(v=0)),
    "event-of-version-true": ("event.form", lambda: fields(v=True)),
    "event-not-an-object": ("event.form", lambda: says(lambda _: b"[]")),
    "event-without-a-field": ("event.form", lambda: fields(at=None)),
    "event-with-a-field-more": ("event.form", lambda: fields(note="x")),
    "event-of-unknown-kind": ("event.form", lambda: fields(kind="cheat")),
    "event-of-a-cyrillic-role": ("event.form", lambda: fields(role="germ\u0430n")),
    "event-before-the-proposal": ("event.form", lambda: fields(step=-1)),
    "event-digest-in-capitals": ("event.form", lambda: fields(prev="AB" * 32)),
    "event-body-of-another-kind": ("event.form", lambda: fields(kind="entropy")),
    "event-body-with-a-field-more": ("event.form", lambda: fields(body={"ask": "move", "value": {}, "note": 1})),
    "event-ask-with-a-newline": ("event.form", lambda: fields(body={"ask": "move\n", "value": {}})),
    "registration-without-possession": ("event.possession", lambda: accepting("other polish")),
    "registration-of-a-short-chain": ("event.form", lambda: accepting("polish", links=4_095)),
    "registration-of-a-taken-key": (
        "roster.key_twice",
        lambda: accepting("german", **player(GERMAN).registration().model_dump(include={"key"})),
    ),
    "event-of-another-role": ("event.author", lambda: fields(role="polish")),
    "event-of-another-game": ("event.game", lambda: moved(game=secret("another game").hex())),
    "proposal-with-a-role-twice": ("roster.roles", lambda: proposing(seats=_seats(GERMAN, POLISH, POLISH))),
    "proposal-by-nobody": ("roster.proposer", lambda: proposing(seats=_seats(POLISH))),
    "proposal-with-a-referee-who-rolls": (
        "roster.referee",
        lambda: proposing(seats=_seats(GERMAN, "referee"), rollers=[GERMAN, "referee"]),
    ),
    "proposal-with-a-referee-and-no-deadline": (
        "roster.referee",
        lambda: proposing(seats=_seats(GERMAN, POLISH, "referee"), rollers=[GERMAN, POLISH], deadline_days=0),
    ),
    "proposal-with-a-strange-roller": ("roster.rollers", lambda: proposing(rollers=[GERMAN, "umpire"])),
    "proposal-with-a-roller-twice": ("roster.rollers", lambda: proposing(rollers=[GERMAN, GERMAN])),
    "proposal-in-another-game": ("event.game", lambda: _proposal_in(secret("another game").hex())),
    "proposal-at-a-later-step": ("event.game", lambda: _proposal_in(NOTHING, step=1)),
    "proposal-after-something": ("event.game", lambda: _proposal_in(NOTHING, prev=secret("head").hex())),
    "proposal-with-a-state": ("event.game", lambda: _proposal_in(NOTHING, state=secret("state").hex())),
    "place-step-left-out": ("place.step", lambda: moved(step=4)),
    "place-after-another-head": ("place.prev", lambda: moved(prev=secret("another head").hex())),
    "place-after-another-state": ("place.state", lambda: moved(state=secret("another state").hex())),
    "place-of-nobody-asked": ("place.role", lambda: after(3, lambda game: game.line(POLISH, body_of(game, POLISH)))),
    "place-another-kind": ("place.kind", lambda: after(3, lambda game: game.line(GERMAN, game.entropy(GERMAN)))),
    "place-another-question": (
        "place.ask",
        lambda: after(3, lambda game: game.line(GERMAN, Answer(ask="plan", value={}))),
    ),
    "chain-link-skipped": ("chain.index", lambda: after(2, _entropy(2, secret("link").hex()))),
    "chain-link-opened-before": ("chain.index", lambda: after(6, lambda game: _first_link_again(game))),
    "chain-link-of-ones-own-choice": ("chain.link", lambda: after(2, _entropy(1, secret("link").hex()))),
    "chain-link-of-the-other-side": ("chain.link", lambda: after(2, lambda game: _foreign_link(game))),
    "seal-copied": ("place.commitment", lambda: after(7, copied_seal)),
    "opening-of-another-plan": ("place.opening", lambda: after(5, lambda game: _opening(game, {"attack": "ford"}))),
    "opening-of-the-other-seal": ("place.opening", lambda: after(5, lambda game: _foreign_opening(game))),
    "lapse-too-early": ("place.lapse", lapsed_too_early),
    "lapse-of-oneself": ("place.lapse", lambda: lapse_of("german", "entropy")),
    "lapse-of-what-is-not-owed": ("place.lapse", lambda: lapse_of("polish", "answer")),
    "lapse-without-a-deadline": ("place.lapse", lapse_without_deadline),
    "lapse-of-an-acceptance": ("place.lapse", lapse_of_acceptance),
    "closing-with-another-result": ("place.result", lambda: after(9, lambda game: _closing(game, winner="polish"))),
    "closing-that-opens-what-is-open": ("place.disclosure", lambda: after(9, _opened_again)),
    "closing-of-another-head": (
        "place.result",
        lambda: after(9, lambda game: _closing(game, head=secret("another head").hex())),
    ),
    "evidence-of-one-event-twice": (
        "evidence.none",
        lambda: evidence_of(lambda game: [*game.lines[:2], *_two_answers(game)[:1] * 2]),
    ),
    "evidence-of-two-steps": ("evidence.none", lambda: evidence_of(lambda game: [game.lines[0], *_two_steps(game)])),
    "evidence-without-the-proposal": ("event.author", lambda: evidence_of(_two_answers_alone)),
    "evidence-that-begins-with-an-acceptance": ("event.game", lambda: evidence_of(_acceptance_first)),
    "evidence-with-an-answer-too-many": (
        "evidence.form",
        lambda: evidence_of(lambda game: [game.lines[0], *_two_answers_alone(game)]),
    ),
    "evidence-too-long": ("evidence.form", lambda: evidence_of(lambda game: game.lines * 4)),
    "evidence-of-two-proposals": ("evidence.none", lambda: evidence_of(lambda _: _two_proposals())),
    "evidence-of-two-keys": ("evidence.none", lambda: _two_keys()),
    "evidence-of-a-stranger": ("roster.stranger", lambda: _stranger_in_evidence()),
    **make_disputes.BAD,
    **make_motions.BAD,
    **make_receipts.BAD,
    **make_worst.BAD,
}


def _by_stranger(game: Game) -> bytes:
    return game.line(GERMAN, body_of(game, GERMAN), player(GERMAN, "stranger"))


def _other_type(game: Game) -> bytes:
    payload = event.write(game.event(GERMAN, body_of(game, GERMAN)))
    signature = player(GERMAN).signing.sign(pae("application/json", payload))
    return to_line(Envelope(key_id(player(GERMAN).key), signature, payload))


def _seats(*roles: str) -> list[Seat]:
    return [Seat(role=event.Role(role), name=role, address=f"{role}@example.org") for role in roles]


def _proposal_in(game: str, **changes: Any) -> bytes:
    seats = (player(GERMAN), player(POLISH))
    said = replace(statement(0, GENESIS, GERMAN, propose(seats), game), **changes)
    return bundle.write("turn", [seats[0].key], [seats[0].signed(event.write(said))])


def _first_link_again(game: Game) -> bytes:
    body = game.steps[2][0].event.body
    return game.line(GERMAN, body)


def _foreign_link(game: Game) -> bytes:
    return game.line(GERMAN, game.entropy(POLISH))


def _opening(game: Game, plan: dict[str, str]) -> bytes:
    return game.line(GERMAN, game.opening(GERMAN, "plan", plan))


def _foreign_opening(game: Game) -> bytes:
    return game.line(GERMAN, game.opening(POLISH, "plan", PLANS["polish"]))


def _closing(game: Game, winner: str = "german", head: str = "") -> bytes:
    body = body_of(game, GERMAN)
    assert isinstance(body, Close)
    result = {**body.result, "winner": winner}
    return game.line(GERMAN, Close(result=result, head=head or body.head))


def _opened_again(game: Game) -> bytes:
    body, opening = body_of(game, GERMAN), game.opening(GERMAN, "plan", PLANS["german"])
    assert isinstance(body, Close)
    again = Disclosure(step=7, ask="plan", salt=opening.salt, value=opening.value)
    return game.line(GERMAN, Close(result=body.result, head=body.head, openings=[again]))


def _two_steps(game: Game) -> list[bytes]:
    """Two entropy events of the german role, each at its own step."""
    later = played(7)
    return [game.steps[2][0].line, later.steps[6][0].line]


def _two_answers_alone(game: Game) -> list[bytes]:
    return [_two_answers(game)[0], *_two_answers(game)]


def _acceptance_first(game: Game) -> list[bytes]:
    said = replace(game.steps[1][0].event, game=NOTHING)
    return [player(POLISH).signed(event.write(said)), *_two_answers(game)]


def _two_proposals() -> list[bytes]:
    first = played(2).lines[0]
    second = new_game(nonce=secret("second nonce")).lines[0]
    return [first, second, first]


def _two_keys() -> bytes:
    """A stranger accepts in the name of the polish side, and shows that as its equivocation."""
    game, stranger = played(2), player(POLISH, "stranger")
    body = Accept(registration=stranger.registration())
    false = replace(game.steps[1][0].event, body=body)
    lines = [*game.lines, game.lines[1], stranger.signed(event.write(false))]
    return bundle.write("evidence", [*game.keys, stranger.key], lines)


def _stranger_in_evidence() -> bytes:
    game, stranger = played(3), player("swedish")
    line = stranger.signed(event.write(game.event("swedish", Accept(registration=stranger.registration(NONCE)))))
    return bundle.write("evidence", [*game.keys, stranger.key], [game.lines[0], line, *_two_answers(game)])


def main() -> None:
    for folder in ("good", "bad"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    for name, data in good_logs().items():
        (FOLDER / "good" / f"{name}.txt").write_bytes(data)
    for name, (_, make) in BAD.items():
        (FOLDER / "bad" / f"{name}.txt").write_bytes(make())
    expected = {name: code for name, (code, _) in sorted(BAD.items())}
    (FOLDER / "bad" / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="ascii")
    write_texts()


def write_texts() -> None:
    """What this program says about each bad log, for people to read whether it is good."""
    from .test_fixtures import told

    texts = {name: told(name) for name in sorted(BAD)}
    (FOLDER / "bad" / "texts.json").write_text(json.dumps(texts, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()

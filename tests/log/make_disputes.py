"""The disputes of `fixtures/log/`: about a roll and an opening of the show game, and one bad one for every defect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.log import bundle, canonical, chain, dice, dispute, event
from pbem.log.dispute import OpeningClaim, RefusalClaim, RollClaim
from pbem.log.envelope import PAYLOAD_TYPE, Envelope, event_id, pae, to_line
from pbem.log.event import Accept, Body, Consent, Entropy, Event, Motion, Role
from pbem.log.hashing import digest
from pbem.log.keys import key_id
from pbem.log.roster import seat_message

from .builders import GERMAN, NONCE, POLISH, Game, Player, body_of, new_game, played, player, secret

LABEL = "first-player"


def claim_of(rolled: list[int], **changes: Any) -> RollClaim:
    said: dict[str, Any] = {"claim": "roll", "step": 2, "label": LABEL, "sides": 6, "faces": rolled, "items": []}
    return RollClaim(**{**said, **changes})


def roll(lines: Callable[[Game], Iterable[bytes]] | None = None, **changes: Any) -> bytes:
    """The dispute about the first roll of the show game, with other lines or with a claim that is changed."""
    game = played(3)
    faces = list(dice.faces(game.dice_key(), LABEL, 1, 6))
    return dispute.write(claim_of(faces, **changes), game.keys, list(lines(game) if lines else game.lines))


def later_roll(change: Callable[[Game, list[bytes]], list[bytes]] = lambda _, lines: lines) -> bytes:
    """The dispute about a roll of step 6, behind which the chains have two links open."""
    game = played(7)
    links = [one.line for one in game.steps[6]]
    faces = list(dice.faces(game.dice_key(), "6/attack", 2, 6))
    claim = claim_of(faces, step=6, label="6/attack")
    return dispute.write(claim, game.keys, [*game.lines[:2], *change(game, links)])


def opening(lines: Callable[[Game], Iterable[bytes]] | None = None, **changes: Any) -> bytes:
    """The dispute about what the german opened at step 5."""
    game = played(6)
    claim = OpeningClaim(**{"claim": "opening", "step": 5, "role": GERMAN, **changes})
    slice_of = [*game.lines[:2], _of(game, 4), _of(game, 5)]
    return dispute.write(claim, game.keys, list(lines(game) if lines else slice_of))


def _of(game: Game, step: int, role: str = "german") -> bytes:
    return next(one.line for one in game.steps[step] if one.event.role == role)


def claiming(said: bytes) -> bytes:
    """The first roll under other words, with the digest that belongs to them."""
    game = played(3)
    mark = digest("pbem/dispute/v1", said, *sorted(game.keys), *game.lines).hex().encode()
    return bundle.write("dispute", game.keys, game.lines, mark + b" " + said)


def _said(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    found = bundle.read(data)
    return bundle.write("dispute", found.keys, found.lines, change(found.claim))


def without_claim() -> bytes:
    game = played(3)
    return bundle.write("dispute", game.keys, game.lines)


def _moved(game: Game, lines: list[bytes], step: int = 6, **changes: Any) -> list[bytes]:
    """The german's link of step 6 with some fields changed, rightly signed."""
    said = replace(game.steps[step][0].event, **changes)
    return [player(GERMAN).signed(event.write(said)), *lines[1:]]


def _link_of(game: Game, lines: list[bytes], index: int, link: str) -> list[bytes]:
    return _moved(game, lines, body=Entropy(index=index, link=link))


def _late_acceptance(game: Game) -> list[bytes]:
    said = replace(game.steps[1][0].event, step=2, prev=game.steps[2][0].event.prev)
    return [game.lines[0], player(POLISH).signed(event.write(said)), *game.lines[2:]]


def _foreign_registrations(game: Game) -> list[bytes]:
    """The same people with the same keys in another game."""
    other = new_game(nonce=secret("second nonce"))
    return [*other.lines[:2], *game.lines[2:]]


def _unaccepted(game: Game) -> list[bytes]:
    return [game.lines[0]]


def _stranger_key() -> bytes:
    game = played(3)
    faces = list(dice.faces(game.dice_key(), LABEL, 1, 6))
    return dispute.write(claim_of(faces), [*game.keys, player("swedish").key], game.lines)


def _other_plan(game: Game) -> list[bytes]:
    said = replace(game.steps[5][0].event, body=game.opening(GERMAN, "plan", {"attack": "ford"}))
    return [*game.lines[:2], _of(game, 4), player(GERMAN).signed(event.write(said))]


def _opened_before_sealed(game: Game) -> list[bytes]:
    said = replace(game.steps[5][0].event, step=3)
    return [*game.lines[:2], _of(game, 4), player(GERMAN).signed(event.write(said))]


def _answered_instead(game: Game) -> list[bytes]:
    early = played(3)
    return [*game.lines[:2], early.line(GERMAN, body_of(early, GERMAN)), _of(game, 5)]


def _accepted_as_german(game: Game) -> list[bytes]:
    """The german's entropy stands where the polish acceptance should."""
    return [game.lines[0], game.lines[2], *game.lines[2:]]


def _refusal() -> bytes:
    game = played(3)
    return dispute.write(RefusalClaim(claim="refusal", event="ab" * 32, code="x.y"), game.keys, game.lines)


def _long_claim() -> bytes:
    return claiming(canonical.encode({"claim": "x" * bundle.MAX_CLAIM_LINE}))


GOOD: dict[str, Callable[[], bytes]] = {
    "dispute-of-a-roll": roll,
    "dispute-of-a-later-roll": later_roll,
    "dispute-of-a-draw": lambda: roll(items=["sun", "rain", "fog", "snow", "hail", "wind"]),
    "dispute-of-an-opening": opening,
    "dispute-behind-a-new-key": lambda: seated(),
    "dispute-behind-the-successor": lambda: seated(successor=True, consent=None),
}
BAD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "dispute-without-a-claim": ("bundle.claim", without_claim),
    "dispute-with-a-long-claim": ("bundle.claim", _long_claim),
    "dispute-of-a-refusal-without-rules": ("dispute.form", _refusal),
    "dispute-with-another-digest": ("dispute.digest", lambda: _said(roll(), lambda said: b"0" * 64 + said[64:])),
    "dispute-with-a-changed-claim": ("dispute.digest", lambda: _said(roll(), lambda c: c.replace(b"first", b"fives"))),
    "dispute-claim-with-a-blank": ("canonical.form", lambda: claiming(b'{"claim": "roll"}')),
    "dispute-claim-of-another-kind": ("dispute.claim", lambda: claiming(b'{"claim":"win"}')),
    "dispute-claim-with-a-field-more": (
        "dispute.claim",
        lambda: claiming(canonical.encode({**claim_of([3]).model_dump(), "note": "x"})),
    ),
    "dispute-claim-with-a-control-character": (
        "dispute.claim",
        lambda: claiming(canonical.encode({**claim_of([3]).model_dump(), "label": "a\u001b[2J"})),
    ),
    "dispute-of-other-faces": ("dispute.faces", lambda: roll(faces=[4])),
    "dispute-under-another-label": ("dispute.faces", lambda: roll(label="second-player", faces=[6])),
    "dispute-of-more-items-than-sides": ("dispute.faces", lambda: roll(items=["sun", "rain"])),
    "dispute-with-a-surplus-key": ("dispute.keys", _stranger_key),
    "dispute-without-events": ("dispute.events", lambda: roll(lambda _: [])),
    "dispute-without-an-acceptance": ("dispute.events", lambda: roll(_accepted_as_german)),
    "dispute-that-ends-before-the-acceptance": ("dispute.events", lambda: roll(_unaccepted)),
    "dispute-with-one-link-missing": ("dispute.events", lambda: roll(lambda game: game.lines[:3])),
    "dispute-with-a-link-twice": ("dispute.events", lambda: roll(lambda game: [*game.lines[:3], game.lines[2]])),
    "dispute-with-the-links-of-another-step": ("dispute.events", lambda: roll(step=3)),
    "dispute-with-too-many-events": ("dispute.events", lambda: roll(lambda game: [*game.lines, *game.lines[2:] * 32])),
    "dispute-of-a-seal-as-a-roll": ("dispute.events", lambda: later_roll(lambda game, _: [*_seals(game)])),
    "dispute-of-another-games-registrations": ("event.game", lambda: roll(_foreign_registrations)),
    "dispute-with-a-late-acceptance": ("dispute.place", lambda: roll(_late_acceptance)),
    "dispute-with-links-behind-other-acceptances": (
        "dispute.place",
        lambda: roll(lambda game: [*game.lines[:2], *_moved(game, list(game.lines[2:]), 2, prev="ab" * 32)]),
    ),
    "dispute-with-links-behind-two-heads": (
        "dispute.place",
        lambda: later_roll(lambda game, lines: _moved(game, lines, prev="ab" * 32)),
    ),
    "dispute-with-links-behind-two-states": (
        "dispute.place",
        lambda: later_roll(lambda game, lines: _moved(game, lines, state="ab" * 32)),
    ),
    "dispute-with-a-link-of-ones-own-choice": (
        "dispute.link",
        lambda: later_roll(lambda game, lines: _link_of(game, lines, 2, secret("link").hex())),
    ),
    "dispute-with-a-link-under-another-number": (
        "dispute.link",
        lambda: later_roll(lambda game, lines: _link_of(game, lines, 3, game.tips[GERMAN].link.hex())),
    ),
    "dispute-with-a-link-beyond-the-chain": (
        "dispute.link",
        lambda: later_roll(lambda game, lines: _link_of(game, lines, 4097, game.tips[GERMAN].link.hex())),
    ),
    "dispute-with-the-anchor-as-link": (
        "dispute.link",
        lambda: later_roll(lambda game, lines: _link_of(game, lines, 0, game.roster.tips()[GERMAN].link.hex())),
    ),
    "dispute-with-the-other-sides-link": (
        "dispute.link",
        lambda: later_roll(lambda game, lines: _link_of(game, lines, 2, game.tips[POLISH].link.hex())),
    ),
    "dispute-of-another-opening": ("dispute.opening", lambda: opening(_other_plan)),
    "dispute-of-an-opening-by-another-role": ("dispute.events", lambda: opening(role=POLISH)),
    "dispute-of-an-opening-at-another-step": ("dispute.place", lambda: opening(step=8)),
    "dispute-of-an-opening-before-the-seal": ("dispute.place", lambda: opening(_opened_before_sealed, step=3)),
    "dispute-of-an-answer-as-a-seal": ("dispute.events", lambda: opening(_answered_instead)),
    "dispute-behind-a-motion-without-consent": ("event.unknown_key", lambda: seated(consent=None)),
    "dispute-behind-a-motion-alone": ("dispute.seat", lambda: seated(consent=None, links=False)),
    "dispute-behind-a-motion-that-was-refused": ("dispute.seat", lambda: seated(consent={"agree": False})),
    "dispute-behind-a-consent-to-another-motion": ("dispute.seat", lambda: seated(consent={"motion": "ab" * 32})),
    "dispute-behind-a-consent-by-the-mover": ("dispute.seat", lambda: seated(by=GERMAN)),
    "dispute-behind-a-motion-without-a-seat": ("dispute.seat", lambda: seated(pause=True)),
    "dispute-behind-a-proof-of-another-key": ("dispute.seat", lambda: seated(prover="stranger")),
    "dispute-with-the-link-of-a-former-key": ("dispute.seat", lambda: seated(signer="german")),
    "dispute-with-the-chain-of-a-former-key": ("dispute.link", lambda: seated(chain_of="german")),
    "dispute-behind-a-key-that-has-a-seat": ("roster.key_twice", lambda: seated(new="polish")),
    "dispute-with-steps-out-of-order": ("dispute.place", lambda: seated(at=9)),
    "dispute-by-a-stranger": ("event.unknown_key", lambda: roll(lambda game: [*game.lines[:3], _strangers(game)])),
}


def seated(
    *,
    new: str = "heir",
    successor: bool = False,
    consent: dict[str, Any] | None = {},  # noqa: B006 - never changed
    by: Role = POLISH,
    prover: str = "",
    signer: str = "",
    chain_of: str = "heir",
    pause: bool = False,
    links: bool = True,
    at: int = 3,
) -> bytes:
    """The roll of step 6, behind a motion of step 3 that gave the german seat to another key and its chain."""
    game, heir = played(7), player(GERMAN, "successor german" if successor else new)
    signing = _heir(heir) if successor else heir.signing
    chains = {"german": secret("chain german"), "heir": secret("chain heir")}
    opened = {name: chain.links(seed, NONCE, GERMAN) for name, seed in chains.items()}
    keys = (
        player(GERMAN)
        .registration()
        .model_copy(
            update={
                "name": "Heir",
                "key": signing.public_key().public_bytes_raw().hex(),
                "anchor": opened["heir"][0].hex(),
            }
        )
    )
    message = seat_message(game.game, GERMAN, keys)
    proof = (player(GERMAN, prover).signing if prover else signing).sign(message).hex()
    texts = dict.fromkeys(("position", "proof", "address", "why"), "")
    nothing: dict[str, Any] = {**texts, "step": 0, "days": 0, "seat": None}
    given = {"what": "seat", "seat": keys, "proof": proof, "address": "heir@example.org"}
    moved = _at(game, at, GERMAN, Motion(**{**nothing, **({"what": "pause"} if pause else given)}))
    motion = player(GERMAN).signed(event.write(moved))
    lines = [*game.lines[:2], motion]
    if consent is not None:
        agreed = Consent(**{"motion": event_id(event.write(moved)), "agree": True, **consent})
        lines.append(player(by).signed(event.write(_at(game, at + 1, by, agreed))))
    body = Entropy(index=1, link=opened[chain_of][1].hex())
    said = event.write(replace(game.steps[6][0].event, body=body))
    line = player(GERMAN, signer).signed(said) if signer else _signed_by(signing, said)
    found = [bytes.fromhex(body.link), game.tips[POLISH].link]
    dice_key = dice.dice_key(found, bytes.fromhex(game.steps[6][0].event.prev), bytes.fromhex(game.game))
    claim = claim_of(list(dice.faces(dice_key, LABEL, 2, 6)), step=6)
    return dispute.write(claim, game.keys, [*lines, *([line, game.steps[6][1].line] if links else [])])


def _at(game: Game, step: int, role: Role, body: Body) -> Event:
    prev = game.steps[3][0].event.prev if step == 3 else "ab" * 32
    return replace(game.event(role, body), step=step, prev=prev)


def _heir(heir: Player) -> Ed25519PrivateKey:
    """The key that the german had committed to as its successor."""
    return Ed25519PrivateKey.from_private_bytes(secret(heir.name))


def _signed_by(signing: Ed25519PrivateKey, payload: bytes) -> bytes:
    key = signing.public_key().public_bytes_raw()
    return to_line(Envelope(key_id(key), signing.sign(pae(PAYLOAD_TYPE, payload)), payload))


def _seals(game: Game) -> list[bytes]:
    """Seals that say they stand at step 6."""
    moved = [replace(one.event, step=6) for one in game.steps[4]]
    return [player(one.role).signed(event.write(one)) for one in moved]


def _strangers(game: Game) -> bytes:
    stranger = player(POLISH, "stranger")
    assert isinstance(game.steps[1][0].event.body, Accept)
    return stranger.signed(event.write(game.steps[2][1].event))

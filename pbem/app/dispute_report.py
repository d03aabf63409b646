"""A dispute in words that a referee can forward: what was rolled or said, by whom, what it proves, how to check it.

Everything is said of the file alone. Left out: who was right, which is for people to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

import orjson
from pydantic import ValidationError

from pbem.app.derivation import kind, noun, octal, script
from pbem.app.dispute_proof import Proof, ProvenRefusal, source_of
from pbem.app.forks import dated
from pbem.app.said import in_words, written
from pbem.keys.words import fingerprint_words
from pbem.log import canonical, seal
from pbem.log.dispute import ProvenOpening, ProvenRoll
from pbem.log.enumeration import counted, enumerated
from pbem.log.event import Answer, Body, Open, Seal
from pbem.log.fork import Fork
from pbem.log.hashing import lp
from pbem.log.nouns import NOUNS, spoken
from pbem.log.roster import Roster
from pbem.log.verify import Verified
from pbem.rules.play import Asking, Opening
from pbem.rules.ruleset import Ruleset
from pbem.viewer.document import Block, Commands, Document, Facts, Grid, Section, Words

Shown: TypeAlias = Proof | Fork
COMPARE = (
    "Compare the keys in words with the players, or with that game's archive: a file can name any key for a seat, and "
    "any game."
)


def report(shown: Shown, rules: Ruleset[Any] | None = None) -> Document:
    """The whole report about what a file proves; `rules` are those of its game, where they are known."""
    told = Section("Verdict", tuple(map(Words, verdict(shown, rules))))
    return Document(_title(shown), (told, *_sections(shown)))


def verdict(shown: Shown, rules: Ruleset[Any] | None = None) -> list[str]:
    """What is proven, what it says, what is not proven, and what to do about that; one sentence or two a line."""
    proven, *rest = _verdict(shown)
    return [proven, *_in_words(shown, rules), *rest]


def _in_words(shown: Shown, rules: Ruleset[Any] | None) -> list[str]:
    """What was signed, where it can be said in words."""
    match shown:
        case ProvenOpening(sealed=sealed, value=value):
            assert isinstance(sealed.event.body, Seal)
            orders = written(rules, sealed.event.body.ask, value)
            return [f"It says: {orders}."] if orders else []
        case ProvenRefusal(refused=refused):
            said = _says(shown)
            why = [f"Refused: {reason}." for reason in shown.reasons]
            return [f"It says: {said}.", *why] if said != _body(refused.event.body) else why
        case Fork():
            return (
                []
                if rules is None
                else [
                    f"{name}, dated {dated(one)}, says: {in_words(rules, one)}."
                    for name, one in (("One", shown.first), ("The other", shown.second))
                ]
            )
        case _:
            return []


def _verdict(shown: Shown) -> list[str]:
    match shown:
        case ProvenRoll():
            return [f"Proven: {_rolled(shown)}.", *_show_only(shown.roster), _ROLL_HOLDS, _ROLL_OPEN, COMPARE]
        case ProvenOpening():
            return [f"Proven: {_opened(shown)}.", *_show_only(shown.roster), _OPENING_OPEN, COMPARE]
        case ProvenRefusal():
            return [f"Proven: {_refused(shown)}.", *_show_only(shown.roster), _REFUSAL_HOLDS, COMPARE]
        case Fork():
            return [f"Proven: {_forked(shown)}.", _FORK_HOLDS, COMPARE]
        case _:
            assert_never(shown)


def _show_only(roster: Roster) -> list[str]:
    return ["FOR SHOW ONLY: its keys come from a seed; it proves nothing about people."] * roster.proposal.show_only


_ROLL_HOLDS = (
    "Each roller signed its link behind the same step, and each link hashes down to the anchor that its roller had "
    "registered before play began: nobody could choose it."
)
_ROLL_OPEN = (
    "Not shown by this file: that the rules called for this roll, under this label, with these dice or items, at this "
    "step; and that play stands on that step still. Only the whole log shows that."
)
_OPENING_OPEN = (
    "Not shown by this file: that the rules asked for this and accepted it, and that play stands on these steps still. "
    "Only the whole log shows that."
)
_REFUSAL_HOLDS = (
    "The log up to that step is in the file and was verified and replayed. Not shown by this file: how the game went "
    "on, and why the event was signed: a program of another version may have made it."
)
_FORK_HOLDS = (
    "Both events stand at one place of one log, with the same key. Not shown by this file: why; most such forks come "
    "from a restored backup or a second device."
)


def _title(shown: Shown) -> str:
    match shown:
        case ProvenRoll(claim=claim):
            return f"Roll {claim.step}:{claim.label} of game {shown.roster.game[:12]}"
        case ProvenOpening(claim=claim):
            return f"What {_opener(shown)} at step {claim.step} of game {shown.roster.game[:12]}"
        case ProvenRefusal(refused=refused):
            event = refused.event
            return f"An event of {event.role} that is refused at step {event.step} of game {event.game[:12]}"
        case Fork(first=first):
            return f"Two events of {first.event.role} at step {first.event.step} of game {first.event.game[:12]}"
        case _:
            assert_never(shown)


def _sections(shown: Shown) -> Sequence[Section]:
    match shown:
        case ProvenRoll():
            return _of_roll(shown)
        case ProvenOpening():
            return _of_opening(shown)
        case ProvenRefusal():
            return _of_refusal(shown)
        case Fork():
            return _of_fork(shown)
        case _:
            assert_never(shown)


# ---------------------------------------------------------------------- a roll


def result(proof: ProvenRoll) -> str:
    """`3 5`, or the name of what was drawn."""
    record = source_of(proof).record
    return record.items[record.faces[0] - 1] if record.items else " ".join(map(str, record.faces))


def _rolled(proof: ProvenRoll) -> str:
    record = source_of(proof).record
    game = proof.roster.game[:12]
    return f"roll {record.id} of game {game} gave {result(proof)} ({kind(record)})"


def _of_roll(proof: ProvenRoll) -> Sequence[Section]:
    source = source_of(proof)
    record, rollers = source.record, enumerated([role for role, *_ in source.links])
    drawn = noun(record) or "item"
    items = (("Drawn from, in this order", ", ".join(record.items)), ("Face", f"{record.faces[0]}"))
    facts = (
        ("Game", source.game.hex()),
        ("Step", str(record.step)),
        ("Label", record.label),
        ("Rolled by", f"{rollers}, each with one link of its chain"),
        (f"The {drawn} drawn" if record.items else "Faces", result(proof)),
        *(items if record.items else ()),
    )
    links = [(role, str(index), link.hex(), before.hex()) for role, index, link, before in source.links]
    columns = ("Role", "number", "link", "its hash, the link before it")
    of = "what the players said at the step before" if source.hosted else "the step before, as the rollers signed it"
    salt = Facts(((f"Salt: digest of {of}", source.closing.hex()),))
    return (
        Section(f"The roll: {kind(record)}", (Facts(facts),)),
        _parties(proof.roster),
        Section("Links opened", (Grid(columns, tuple(links)), salt)),
        _by_hand(script(source), "The script needs sh, openssl 3 and sha256sum; it says of every value how it stands."),
    )


# ---------------------------------------------------------------------- an opening


def _opened(proof: ProvenOpening) -> str:
    role, sealed = proof.claim.role, proof.sealed.event
    had = "it had" if proof.opened.event.role == role else f"{role} had"
    return (
        f"what {_opener(proof)} at step {proof.claim.step} of game {proof.roster.game[:12]} is what {had} sealed at "
        f"step {sealed.step}, bit by bit"
    )


def _opener(proof: ProvenOpening) -> str:
    """`german opened`, or who did so in its place."""
    by, role = proof.opened.event.role, proof.claim.role
    return f"{role} opened" if by == role else f"the {by} opened for {role}"


def _of_opening(proof: ProvenOpening) -> Sequence[Section]:
    was = proof.sealed.event.body
    assert isinstance(was, Seal)
    facts = (
        ("Game", proof.roster.game),
        ("Question", spoken(was.ask)),
        ("Sealed", _stands(proof.sealed)),
        ("Commitment", was.commitment),
        ("Opened", _stands(proof.opened)),
        ("Salt", proof.salt),
        ("Answer", canonical.encode(proof.value).decode()),
    )
    return (
        Section("The opening", (Facts(facts),)),
        _parties(proof.roster),
        _by_hand(_opening_script(proof, was), "The script needs sh and sha256sum; it hashes the answer again."),
    )


def _opening_script(proof: ProvenOpening, was: Seal) -> str:
    step = proof.sealed.event.step.to_bytes(8, "big")
    place = (bytes.fromhex(proof.roster.game), step, proof.claim.role.encode(), was.ask.encode())
    padded = seal.pad(canonical.encode(proof.value))
    hashed = octal(lp(b"pbem/seal/v1", *place, bytes.fromhex(proof.salt), padded))
    return "\n".join(
        (
            "# The SHA-256 of game, step, role, question, salt and padded answer, each behind its length.",
            f"hash=$(printf '{hashed}' | sha256sum | cut -c1-64)",
            f'if [ "$hash" = {was.commitment} ]; then echo "commitment: as sealed"',
            'else echo "commitment: NOT AS SEALED: got $hash"; exit 1; fi',
        )
    )


# ---------------------------------------------------------------------- a refusal


def _refused(proof: ProvenRefusal) -> str:
    event = proof.refused.event
    game = proof.roster.game[:12]
    return f"{event.role} signed {_noun(event.kind)} at step {event.step} of game {game} that cannot stand there"


def _of_refusal(proof: ProvenRefusal) -> Sequence[Section]:
    event = proof.refused.event
    facts = (
        ("Game", proof.roster.game),
        ("Event", _stands(proof.refused)),
        ("It says", _says(proof)),
        *(("Reason", reason) for reason in proof.reasons),
        ("Log before it", f"{counted(len(proof.campaign.steps), 'step')}, head {event.prev}"),
    )
    rules = proof.campaign.ruleset
    played = ("Rules", f"{rules.title}, {rules.name} version {rules.version}, data {rules.digest}")
    return (Section("The event", (Facts((*facts, played)),)), _parties(proof.roster))


def _says(proof: ProvenRefusal) -> str:
    """The orders that were refused as the game writes them, or the body of the event as it stands."""
    body, waiting, role = proof.refused.event.body, proof.campaign.driver.waiting, proof.refused.event.role
    questions = waiting.questions if isinstance(waiting, Asking | Opening) else ()
    asked = next((one for one in questions if one.role == role), None)
    if asked is None or not isinstance(body, Answer | Open):
        return _body(body)
    try:
        answer = asked.model.model_validate_json(orjson.dumps(body.value))
    except ValidationError:
        return _body(body)
    return "; ".join(proof.campaign.ruleset.write_orders(answer).split("\n"))


# ---------------------------------------------------------------------- a fork


def _forked(fork: Fork) -> str:
    event = fork.first.event
    return f"{event.role} signed two different events at step {event.step} of game {event.game[:12]}"


def _of_fork(fork: Fork) -> Sequence[Section]:
    event = fork.first.event
    both = (("One", fork.first), ("Other", fork.second))
    facts = [row for name, one in both for row in ((name, _stands(one)), ("It says", _body(one.event.body)))]
    key = ((f"{event.role}'s key in words", _words(fork.first.key)), ("Key", fork.first.key.hex()))
    return (Section("The two events", (Facts((("Game", event.game), *facts, *key)),)),)


# ---------------------------------------------------------------------- what all have


def _parties(roster: Roster) -> Section:
    rows = tuple((role, party.name, _words(party.key)) for role, party in sorted(roster.parties.items()))
    return Section("Parties, as registered in this file", (Grid(("Role", "name", "key in words"), rows),))


def _by_hand(commands: str, what: str) -> Section:
    blocks: tuple[Block, ...] = (Words(f"{what} Signatures are checked by `pbem verify FILE`."), Commands(commands))
    return Section("To check it without this program", blocks)


def _stands(verified: Verified) -> str:
    event = verified.event
    return f"{_noun(event.kind)} of {event.role} at step {event.step}, dated {dated(verified)}, event {verified.id}"


def _noun(kind_of_event: str) -> str:
    return NOUNS[kind_of_event]


def _body(body: Body) -> str:
    return canonical.encode(body.model_dump()).decode()


def _words(key: bytes | None) -> str:
    return " ".join(fingerprint_words(key)) if key else "(has not accepted)"

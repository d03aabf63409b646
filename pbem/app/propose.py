"""Proposing a game and accepting one: steps 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.routing import Arrived, Incoming
from pbem.app.secrets import chain_name, is_nonce_of_another, links
from pbem.app.signing import answer_by_itself, finish, signed, store
from pbem.engine.campaign import Campaign
from pbem.errors import BadEvidence, BadRequest
from pbem.keys.identity import Identity
from pbem.log import chain
from pbem.log.event import ADJUDICATOR, NOTHING, REFEREE, Accept, Event, Propose, Registration, Role, RulesetName, Seat
from pbem.log.keys import successor_digest
from pbem.log.roster import Party, Roster, from_proposal
from pbem.log.verify import Verified, verify_event
from pbem.mail.message import check_address
from pbem.rules.refusal import shown
from pbem.rules.ruleset import Ruleset
from pbem.store.reading import Reader
from pbem.store.rows import StoredGame
from pbem.store.writing import Writer


@dataclass(frozen=True, slots=True)
class Terms:
    """What a proposal is about; `opponents` maps each other role to its name and address.

    `referee` is the name and address of whoever is asked to be one; `remedy` says what silence leads to without one,
    `claim` where it is empty. `adjudicator` is that of whoever is asked to host the game, and `rollers` says who then
    rolls, the adjudicator where it is empty.
    """

    ruleset: Ruleset[Any]
    scenario: str
    role: Role
    opponents: Mapping[Role, tuple[str, str]]
    deadline_days: int
    show_only: bool = False
    name: str = ""
    referee: tuple[str, str] | None = None
    remedy: Literal["", "claim", "worst"] = ""
    adjudicator: tuple[str, str] | None = None
    rollers: Literal["", "players", "adjudicator", "all"] = ""


@dataclass(frozen=True, slots=True)
class Joining:
    """What is known when a proposal is accepted: the seats that are `taken`, and the address that the seat is for,
    where it is not the one that this home was made with."""

    taken: Mapping[Role, Registration] = field(default_factory=dict)
    address: str = ""


UNKNOWN = Joining()
MAX_NAME = 40
_NAME = re.compile(rf"[^\W_][\w-]{{0,{MAX_NAME - 1}}}")
MOST_ACCEPTANCES = 64
"""Lines of a file that are looked through for acceptances, which stand in front."""


def role_named(roles: Iterable[Role], wanted: str) -> Role | None:
    """The role of that name, read without regard to case; None when there is none."""
    return next((role for role in roles if role.casefold() == wanted.casefold()), None)


def check_name(name: str) -> None:
    """Raise BadRequest for a name of a game that could not be typed as one word in a sheet, a command or a path."""
    if not _NAME.fullmatch(name):
        raise BadRequest(
            "game.name",
            f"expected a name for the game such as duel-2, got '{shown(name)}'",
            f"letters, digits, - and _, at most {MAX_NAME} of them, with a letter or a digit in front",
        )


def _check_not_own(desk: Desk, opponents: Iterable[tuple[str, str]]) -> None:
    """Raise BadRequest for an opponent with this home's own address."""
    own = desk.profile().address
    if any(address.casefold() == own.casefold() for _, address in opponents):
        raise BadRequest(
            "new.own_address",
            f"expected the other player's e-mail address, got your own, {own}",
            "to play both sides yourself make a second home (PBEM_HOME) with an address of its own",
        )


def _check_different(people: Iterable[tuple[str, str]]) -> None:
    """Raise BadRequest for one address in two seats: a home has one seat of a game, and a mail one receiver."""
    seen: set[str] = set()
    for _, address in people:
        if address.casefold() in seen:
            raise BadRequest(
                "new.same_address",
                f"expected an e-mail address of its own for each seat, got {address} for two",
                "each seat is played by a person with a home and an address: name somebody else for one of them",
            )
        seen.add(address.casefold())


def _check_addresses(proposal: Propose) -> None:
    """Raise BadEvidence for a proposal whose game could send no mail."""
    for seat in proposal.seats:
        try:
            check_address(seat.address, f"{seat.role}'s")
        except BadRequest as error:
            hint = "no turn could be mailed in this game: ask the proposer for a new proposal"
            raise BadEvidence("accept.address", error.text, hint) from None


def propose(desk: Desk, terms: Terms) -> OpenGame:
    """A new game of this home, with its proposal signed and stored; BadRequest when nobody else would play."""
    others = [*terms.opponents.values(), *filter(None, (terms.referee, terms.adjudicator))]
    _check_not_own(desk, others)
    _check_different(others)
    if terms.referee and not terms.deadline_days:
        raise BadRequest(
            "new.referee_deadline",
            "expected a deadline in a game with a referee, who rules when it is over, got none",
            "say how many days each answer may take: --deadline-days 7",
        )
    _check_remedy(terms)
    identity, profile = desk.identity(), desk.profile()
    nonce, seed = desk.random(32), desk.random(32)
    people = {terms.role: (profile.name, profile.address), **terms.opponents}
    rollers = _rollers(terms, list(people))
    if terms.referee:
        people[REFEREE] = terms.referee
    if terms.adjudicator:
        people[ADJUDICATOR] = terms.adjudicator
    missing = [role for role in terms.ruleset.roles if role not in people]
    if missing:
        raise BadRequest("new.seats", f"expected somebody for {', '.join(missing)}, got nobody", "name an --opponent")
    body = Propose(
        nonce=nonce.hex(),
        ruleset=RulesetName(name=terms.ruleset.name, version=terms.ruleset.version, digest=terms.ruleset.digest),
        scenario=terms.scenario,
        options={},
        seats=[Seat(role=role, name=people[role][0], address=people[role][1]) for role in sorted(people)],
        rollers=rollers,
        deadline_days=terms.deadline_days,
        remedy=terms.remedy or "claim",
        show_only=terms.show_only,
        registration=registration(identity, profile.name, seed, nonce, terms.role),
    )
    statement = Event(NOTHING, 0, NOTHING, NOTHING, terms.role, "propose", body, desk.clock())
    line = signed(identity, statement)
    verified = verify_event(line, None, (identity.public_key,))
    Campaign(terms.ruleset, verified)
    with desk.home.writing() as writer:
        anchor = body.registration.anchor
        desk.keep_secret(writer, chain_name(body.nonce, verified.id, terms.role, anchor), seed)
        return _added(desk, writer, terms.ruleset.name, verified, terms.role, terms.name)


def _rollers(terms: Terms, players: list[Role]) -> list[Role]:
    """Who rolls, in role order; BadRequest for an adjudicator who is to roll and is not there."""
    if terms.rollers in ("adjudicator", "all") and not terms.adjudicator:
        text = f"expected an adjudicator in a game whose --rollers are '{terms.rollers}', got none"
        raise BadRequest("new.rollers", text, "name one with --adjudicator, or let the players roll")
    if not terms.adjudicator or terms.rollers == "players":
        return sorted(players)
    return sorted([ADJUDICATOR, *(players if terms.rollers == "all" else [])])


def _check_remedy(terms: Terms) -> None:
    """Raise BadRequest for a remedy in a game where nobody could ever claim it."""
    if terms.remedy and (terms.referee or terms.adjudicator):
        judge = "a referee" if terms.referee else "an adjudicator"
        text = f"expected no --remedy in a game with {judge}, who rules when a deadline is over, got one"
        raise BadRequest("new.remedy", text, "choose one of the two")
    if terms.remedy and not terms.deadline_days:
        text = "expected a deadline in a game with a --remedy, which is for what does not come in time, got none"
        raise BadRequest("new.remedy", text, "say how many days each answer may take: --deadline-days 7")


def registration(identity: Identity, name: str, seed: bytes, nonce: bytes, role: str) -> Registration:
    """The name, the keys and the chain's anchor that this home brings into a game."""
    return Registration(
        name=name,
        key=identity.public_key.hex(),
        successor=successor_digest(identity.successor_public_key),
        escrow=identity.escrow_public_key.hex(),
        anchor=links(seed, nonce, role, chain.LENGTH)[0].hex(),
        links=chain.LENGTH,
    )


def read_proposal(found: Incoming) -> Verified:
    """The proposal in a turn file, checked; BadEvidence when the file has none."""
    if not found.lines:
        raise BadEvidence(
            "accept.empty",
            "expected a proposal, got a turn file without events",
            "ask for the file that `pbem new` wrote",
        )
    try:
        verified = verify_event(found.lines[0], None, found.keys)
    except BadEvidence as error:
        raise (_no_proposal("an event of a game under way") if error.code == "event.unknown_key" else error) from None
    if verified.event.kind != "propose":
        raise _no_proposal(verified.title)
    return verified


def _no_proposal(got: str) -> BadEvidence:
    return BadEvidence(
        "accept.no_proposal",
        f"expected a proposal, got {got}",
        "import it with `pbem import`, or ask for the file that `pbem new` wrote",
    )


def single_proposal(arrived: Arrived) -> Verified:
    """The one proposal in what arrived; BadRequest when there are more, the reason when there is none."""
    found = {}
    for one in arrived.bundles:
        proposal = read_proposal(one)
        found[proposal.id] = proposal
    if len(found) > 1:
        raise BadRequest("accept.several", f"expected one proposal, got {len(found)}", "accept each from its own file")
    if not found:
        raise arrived.damaged[0]  # a source without any turn file is damaged too: it says so
    return next(iter(found.values()))


def check_new(reader: Reader, proposal: Verified, wanted: str = "") -> None:
    """Raise BadRequest when this home has proposed or joined the game already, in the role `wanted` or in another."""
    known = reader.known(proposal.id)
    if known is None:
        return
    if wanted and wanted.casefold() != known.role.casefold():
        raise BadRequest(
            "accept.second_seat",
            f"expected a game in which this home has no seat, got game {known.name}, in which you are {known.role}: "
            "one home has one seat of a game",
            f"whoever is {shown(wanted)} joins with a home and an address of its own (PBEM_HOME)",
        )
    name, mine = known.name, known.role == proposal.event.role
    what = f"your own, game {name}" if mine else f"that of game {name}, which you have joined"
    waits = f"the other side accepts it: `pbem export {name}` writes it again" if mine else f"see `pbem status {name}`"
    raise BadRequest(
        "accept.known",
        f"expected a proposal that is new to this home, got {what}",
        f"{waits}; did a turn file come? `pbem import FILE` takes it in",
    )


def _noting_nothing(_: Writer) -> None:
    """Who accepts has nothing to note beside it."""


def accept(
    desk: Desk,
    proposal: Verified,
    wanted: str = "",
    name: str = "",
    joining: Joining = UNKNOWN,
    noting: Callable[[Writer], None] = _noting_nothing,
) -> OpenGame:
    """Join a proposed game in the role `wanted`, or in the only free one.

    Both the proposal and the acceptance are stored, and what can be answered is; `noting` is called in the transaction
    that does so, and nothing is accepted if it raises. BadRequest for a role that is taken, and for one that is meant
    for another address.
    """
    check_new(desk.home, proposal, wanted)
    body = proposal.event.body
    assert isinstance(body, Propose)
    campaign = Campaign(desk.games(body.ruleset), proposal)
    role = _free_role(campaign.roster, wanted, joining.address or desk.profile().address)
    _check_addresses(body)
    _check_seat(desk, campaign.roster.parties[role], joining)
    identity, seed, nonce = desk.identity(), desk.random(32), bytes.fromhex(body.nonce)
    with desk.home.writing() as writer:
        check_new(writer, proposal, wanted)
        noting(writer)
        _check_nonce(writer, proposal.id, body.nonce)
        joined = Accept(registration=registration(identity, desk.profile().name, seed, nonce, role))
        desk.keep_secret(writer, chain_name(body.nonce, proposal.id, role, joined.registration.anchor), seed)
        opened = _added(desk, writer, body.ruleset.name, proposal, role, name)
        place = opened.campaign.place
        statement = Event(place.game, place.step, place.prev, place.state, role, "accept", joined, desk.clock())
        verified = verify_event(signed(identity, statement), opened.campaign.roster, (identity.public_key,))
        opened.campaign.offer(verified)
        store(writer, opened, verified, desk.clock())
        opened.fresh.append(verified)
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return opened


def _check_seat(desk: Desk, seat: Party, joining: Joining) -> None:
    """Raise BadRequest for a seat that somebody has, or whose mails would go to somebody else."""
    taken = joining.taken.get(seat.role)
    if taken is not None:
        own = taken.key == desk.profile().key.hex()
        who = "your own key" if own else f"{shown(taken.name) or 'somebody'} <{shown(seat.address)}>"
        raise BadRequest(
            "accept.seat_taken",
            f"expected a proposal whose seat of {seat.role} is free, got one that {who} has accepted in the same file",
            "use the home that accepted it (PBEM_HOME), or ask the proposer for a proposal of your own",
        )
    mine = joining.address or desk.profile().address
    if mine.casefold() != seat.address.casefold():
        raise BadRequest(
            "accept.other_address",
            f"expected a proposal to {mine}, got one whose seat of {seat.role} is for {shown(seat.address)}",
            "every turn of this game would be mailed there: ask the proposer for a proposal to your own address; if "
            f"that one is yours too, say --as-address {shown(seat.address)}",
        )


def seats_taken(arrived: Arrived, proposal: Verified) -> dict[Role, Registration]:
    """Who has accepted a proposal already, as the file says that it came in."""
    roster = from_proposal(proposal.id, proposal.event)
    found: dict[Role, Registration] = {}
    for one in (bundle for bundle in arrived.bundles if bundle.game == proposal.id):
        for line in one.lines[1 : 1 + MOST_ACCEPTANCES]:
            with suppress(BadEvidence):
                joined = verify_event(line, roster, one.keys).event
                if isinstance(joined.body, Accept) and joined.role in roster.absent():
                    found.setdefault(joined.role, joined.body.registration)
    return found


def _check_nonce(reader: Reader, game: str, nonce: str) -> None:
    """Raise BadEvidence for the nonce of another game of this home."""
    if is_nonce_of_another(reader, game, nonce):
        raise BadEvidence(
            "accept.nonce",
            "expected a proposal with a nonce of its own, got the nonce of another game of this home",
            "no honest program makes such a proposal: ask for a new one",
        )


def _free_role(roster: Roster, wanted: str, address: str) -> Role:
    """The free role of that name; without a name the only free one, or the only one that is for this address."""
    absent = roster.absent()
    if wanted:
        found = role_named(absent, wanted)
        if found is None:
            hint = f"free: {', '.join(absent)}" if absent else ""
            raise BadRequest("accept.role", f"expected a free role, got '{wanted}'", hint)
        return found
    meant = [role for role in absent if roster.parties[role].address.casefold() == address.casefold()]
    for only in (meant, absent):
        if len(only) == 1:
            return only[0]
    if absent and not meant:
        raise _for_others(roster, address)
    raise BadRequest("accept.role", f"expected one free role, got {', '.join(absent) or 'none'}", "name it with --as")


def _for_others(roster: Roster, address: str) -> BadRequest:
    """Somebody in none of the free seats of a proposal would join: each is for an address, none for anybody."""
    seats = ", ".join(f"{role} for {shown(roster.parties[role].address)}" for role in roster.absent())
    return BadRequest(
        "accept.other_address",
        f"expected a proposal to {shown(address)}, got one with no seat for that address: {seats}",
        "none is free to anybody, and every turn would be mailed to those addresses: ask the proposer for a proposal "
        "to your own; if one of these is yours too, say --as-address with it",
    )


def _added(desk: Desk, writer: Writer, ruleset: str, proposal: Verified, role: Role, name: str) -> OpenGame:
    if name:
        check_name(name)
    row = StoredGame(proposal.id, name or new_name(writer, ruleset), ruleset, role, desk.clock())
    writer.add_game(row)
    writer.append(
        game_id=proposal.id,
        step=0,
        role=proposal.event.role,
        kind="propose",
        event_id=proposal.id,
        line=proposal.line,
        arrived=desk.clock(),
    )
    opened = open_game(writer, proposal.id, desk.games)
    finish(writer, opened)
    return opened


def new_name(writer: Writer, ruleset: str) -> str:
    """`westerplatte`, then `westerplatte-2` …"""
    taken = {name.casefold() for name in writer.keys("games", "name")}
    number = 1
    while (name := ruleset if number == 1 else f"{ruleset}-{number}").casefold() in taken:
        number += 1
    return name

"""The covering text of a turn file: what happened, what is moved or claimed, whom the game waits for and until when.

Left out: what is in the turn file itself (`exporting`), and how a mail is made of both.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.app.dates import date_in_words, zone_of
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.proposed import Proposed, proposed
from pbem.app.summary import peer_step, wanted
from pbem.log.enumeration import counted, enumerated
from pbem.log.event import Role
from pbem.log.verify import DAY
from pbem.mail.message import HOW, slug

DIFFERENCE_LINES = 20
"""Lines of a new position's difference in a covering mail."""
NARRATIVE_LINES = 150
"""Lines of the story in a covering mail; what is older is counted."""
DECIDED = ("answer", "seal", "consent")
"""Kinds of what a player decides, and so answers until a deadline."""
BY_ITSELF = ("entropy", "open", "deposit", "vouch", "close", "receipt")
"""Kinds of what the program of a side answers."""
IMPORTED = "Once this mail is imported"
THEN = "Then `pbem status` says what to do."
CLAIMED = "`pbem status` then says what of yours counts, and what you can do."
JOINED = ("Have you joined already? Then import this mail: pbem import FILE", "")
ACCEPTING = (
    "Save this mail, or its attachment alone, as a file. Then see what is",
    "proposed, join, and mail the answer that is written:",
    "",
    "  pbem accept FILE --show",
    "  pbem accept FILE -o acceptance.eml --eml",
)
"""What the receiver of a proposal does with it."""


def how(opened: OpenGame) -> tuple[str, ...]:
    """What the receivers do with a mail: some may have joined, and others not."""
    if _invites(opened):
        return ACCEPTING
    return (*JOINED, *ACCEPTING) if _joining(opened) else (*HOW, THEN)


def about(opened: OpenGame) -> str:
    """What a mail is about, for its subject."""
    campaign = opened.campaign
    if not campaign.started:
        return "an invitation" if _invites(opened) else "before play begins"
    if campaign.outcome or opened.fork:
        return "the game is over" if campaign.outcome else "the game is stopped"
    owed = campaign.awaited()
    deciding = [slug(role) for role in sorted(owed) if role != opened.role and owed[role].kind in DECIDED]
    return f"{enumerated(deciding)} to decide" if deciding else ""


def _joining(opened: OpenGame) -> list[Role]:
    """The other sides that have not joined yet, as far as this home knows."""
    owed = opened.campaign.awaited()
    return sorted(role for role, demand in owed.items() if demand.kind == "accept" and role != opened.role)


def _invites(opened: OpenGame) -> bool:
    """Whether this home has proposed a game that somebody has still to join."""
    return opened.registrations[0].event.role == opened.role and bool(_joining(opened))


def summary(desk: Desk, opened: OpenGame) -> list[str]:
    """What a person reads above the turn file: what happened, what is asked of whom, and by when."""
    campaign = opened.campaign
    title = campaign.ruleset.title
    if _invites(opened):
        return _invitation(opened)
    if not campaign.started:
        return _not_begun(desk, opened)
    lines = [f"{title}, game {opened.row.name} ({campaign.game[:12]}), step {campaign.place.step}.", ""]
    return [*_motions(opened), *lines, *_claim(opened), *story(opened), "", *waiting_lines(desk, opened)]


def _motions(opened: OpenGame) -> list[str]:
    """What the sender has moved or asked for, which the receiver should see first, and how it is answered."""
    told: list[str] = []
    own = [one for one in proposed(opened.campaign) if one.role == opened.role]
    for one in own:
        changes = [f"  {line}" for line in one.difference[:DIFFERENCE_LINES]]
        left = len(one.difference) - len(changes)
        told += [f"{one.sentence}.", *changes, *([f"  ({counted(left, 'more line')})"] if left else [])]
    if not told:
        return []
    return [*told, _answering(own), ""]


def _answering(own: Sequence[Proposed]) -> str:
    """How what the sender has moved or asked for is answered."""
    if own[0].withdrawn:
        return "Nobody has to answer that: once this mail is imported, the program refuses it by itself."
    if own[0].moved:
        return f"{IMPORTED}, `pbem motion agree` agrees to that, and `pbem motion refuse` refuses it."
    if len(own) == 1:
        return f"{IMPORTED}, `pbem motion agree` agrees to that, and your decision refuses it."
    return f"{IMPORTED}, `pbem status` says how to agree to one of these, and your decision refuses them."


def _claim(opened: OpenGame) -> list[str]:
    """What the receiver should know of a claim in the mail, beside what it says in the story."""
    known, campaign = peer_step(opened), opened.campaign
    signed = [*(event for step in campaign.steps for event in step.events), *campaign.pending()]
    own = [one.event for one in signed if one.event.role == opened.role]
    if not any(one.kind == "lapse" and one.step >= known for one in own):
        return []
    return [
        "This mail brings a claim, since no answer came in time. Had you answered? Import it all the same:",
        CLAIMED,
        "",
    ]


def _invitation(opened: OpenGame) -> list[str]:
    """What somebody needs to know who has never heard of this program; lines that no mail program breaks."""
    parties = opened.campaign.roster.parties
    me, others = parties[opened.role], [party for role, party in sorted(parties.items()) if role != opened.role]
    address = others[0].address if len(others) == 1 else "ADDRESS"
    seats = [f"  {party.role}: {party.address}" for party in others]
    which = ["Each seat is for one of you, who says the ADDRESS that stands here:", "", *seats, ""]
    return [
        f"{me.name or me.address} invites you to a game by e-mail:",
        f"{opened.campaign.ruleset.title}, game {opened.campaign.game[:12]}.",
        "",
        *_remedy(opened),
        *(which if len(others) > 1 else []),
        "It is played with pbem, a program that carries out the orders of both",
        "sides and proves every roll of the dice. It needs no server and no",
        "account, only Python 3.11 or newer. To get it and to make your keys:",
        "",
        "  pip install pbem",
        f"  pbem init --name NAME --address {address}",
    ]


def _not_begun(desk: Desk, opened: OpenGame) -> list[str]:
    """What somebody reads who knows the game already, or is to join it."""
    campaign, me = opened.campaign, opened.campaign.roster.parties[opened.role]
    proposer = campaign.roster.parties[opened.registrations[0].event.role]
    by = "" if proposer == me else f", proposed by {proposer.name or proposer.address}"
    return [
        f"{campaign.ruleset.title}, game {campaign.game[:12]}{by}.",
        "",
        f"{me.name or me.address} takes part as {opened.role}. The game has not begun.",
        *waiting_lines(desk, opened),
    ]


def _remedy(opened: OpenGame) -> list[str]:
    """What silence leads to, where that is no claim of the game; lines that no mail program breaks."""
    campaign = opened.campaign
    if not campaign.worst:
        return []
    return [
        f"Each answer may take {counted(campaign.roster.proposal.deadline_days, 'day')}. After that the other side may",
        "claim the worst for the silent one, and play goes on: in the place of",
        "orders their default stands, and where a share of the dice is owed",
        "the other side dictates every roll of that step.",
        "",
    ]


def story(opened: OpenGame) -> list[str]:
    """What happened on the board since the step that the other side is known to have, the latest lines last."""
    known = peer_step(opened)
    lines = [line for line in opened.campaign.lines if line.step >= known]
    told = [line.text for line in lines[-NARRATIVE_LINES:]]
    if len(lines) > len(told):
        left = counted(len(lines) - len(told), "earlier line")
        told.insert(0, f"({left} left out: `pbem log {opened.row.name} --from {known}` tells all.)")
    if told:
        return told
    return ["Nothing new has happened on the board." if known > 1 else "Nothing has happened on the board yet."]


def waiting_lines(desk: Desk, opened: OpenGame) -> Sequence[str]:
    """Whom the game waits for, one line each."""
    campaign = opened.campaign
    if campaign.finished:
        return ("The game is finished and closed.",)
    if opened.fork:
        one = opened.fork.first.event
        return (f"The game is stopped: {one.role} signed two different events at step {one.step}.",)
    return tuple(_waiting_line(desk, opened, role) for role in sorted(campaign.awaited()))


def _waiting_line(desk: Desk, opened: OpenGame, role: Role) -> str:
    """`Waiting for german (Anna): place the ship in Wa, Wb. Answer by Tuesday 21 November 2023, 22:13 UTC.`"""
    campaign, place, party = opened.campaign, opened.campaign.place, opened.campaign.roster.parties[role]
    who = f"{role} ({party.name})" if party.name else role
    kind, end = campaign.awaited()[role].kind, ""
    if kind in BY_ITSELF:
        end = " (the program does that by itself)"
    elif kind in DECIDED and place.runs_since is not None:
        due = place.runs_since + place.deadline_days * DAY
        end = f". Answer by {date_in_words(due, zone_of(desk.home, party.address))}"
    return f"Waiting for {who}: {wanted(campaign, role)}{end}."

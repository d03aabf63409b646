"""Secret intercepts of Polska 1939: what the attacker can see of a plan before it is opened, which is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import DEADLINE_DAYS, Pair, Side, new_side, payload_of, unpacked
from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.opened import open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log import envelope
from pbem.log.event import Role

GAME = "polska1939"
PLANS = ("intercept Warszawa", "intercept Kraków", "pass")
READ = (["status"], ["show", GAME], ["log", GAME], ["orders", GAME], ["roll", GAME])


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """3 September: the Poles, who have a bomber today, note where it waits; nobody has done anything before."""
    folder = tmp_path_factory.mktemp(GAME)
    german, polish = new_side(folder / "german", "german", "Anna"), new_side(folder / "polish", "polish", "Bruno")
    german.game = polish.game = GAME
    people = {Role("polish"): ("Bruno", "bruno@example.org")}
    with german.desk() as desk:
        propose(desk, Terms(catalogue.ruleset(GAME), "campaign", german.role, people, DEADLINE_DAYS))
    with polish.desk() as desk:
        accept(desk, single_proposal(incoming(german.export(), "invitation")))
    german.take(polish.export())
    pair = Pair(german, polish)
    while question_of(polish) != "intercepts":
        for side, other in ((german, polish), (polish, german)):
            leave_all(side)
            other.take(side.export())
    return pair


def question_of(side: Side) -> str:
    question = side.opened().campaign.question(side.role)
    return question.kind if question else ""


def leave_all(side: Side) -> None:
    """Answer what is asked with the default, up to the Polish intercepts."""
    with side.desk() as desk:
        while True:
            campaign = open_game(desk.home, GAME, desk.games).campaign
            question = campaign.question(side.role)
            if question is None or (side.role, question.kind) == ("polish", "intercepts"):
                return
            submit_orders(desk, GAME, campaign.ruleset.write_orders(question.default))


def planned(original: Pair, folder: Path, plan: str) -> tuple[bytes, list[str]]:
    """The turn file of a Pole with this plan, and all that the German's client then says."""
    german, polish = (side.copy(folder / side.role) for side in original.sides())
    german.game = polish.game = GAME
    polish.random, german.random = original.polish.random, original.german.random
    with polish.desk() as desk:
        submit_orders(desk, GAME, plan)
    turn_file = polish.export()
    done = german.mail(turn_file)
    assert (done.code, done.err) == (0, "")
    return turn_file, [done.out, *(german(*words).out for words in READ)]


@pytest.mark.plan("A37")
@pytest.mark.rule("polska1939:3.1.2.phaseI")
def test_the_attacker_gets_the_same_bytes_for_every_plan(original: Pair, tmp_path: Path) -> None:
    """Every byte but those of the commitment and of the signature over it; and no word of the client differs."""
    made = [planned(original, tmp_path / str(number), plan) for number, plan in enumerate(PLANS)]
    files = [unpacked(turn_file) for turn_file, _ in made]
    seals = [next(line for line in reversed(file.lines) if payload_of(line)["kind"] == "seal") for file in files]
    commitments = [payload_of(line)["body"]["commitment"] for line in seals]
    assert len(set(commitments)) == len(PLANS)
    assert {payload_of(line)["body"]["ask"] for line in seals} == {"intercepts"}
    bare = [
        envelope.from_line(line).payload.replace(made_of.encode(), b"")
        for line, made_of in zip(seals, commitments, strict=True)
    ]
    assert len(set(bare)) == 1
    assert (
        len({tuple(line for line in file.lines if line != seal) for file, seal in zip(files, seals, strict=True)}) == 1
    )
    assert len({len(line) for line in seals}) == 1
    assert {tuple(said) for _, said in made} == {tuple(made[0][1])}

"""A service that hosts games: it joins as the adjudicator, its receipts close the steps, and agents play through it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from attacks.sides import Side, new_side

from pbem.mail.post.maildir import prepare

NAMES = {"german": "Anna", "polish": "Bruno", "adjudicator": "Hugo"}


def served(folder: Path) -> dict[str, Side]:
    """Three homes with a box each; the German has proposed, the Pole has accepted, and both mails lie in the boxes."""
    sides = {role: new_side(folder / role, role, name) for role, name in NAMES.items()}
    for role in NAMES:
        prepare(folder / "mail" / role)
    invitation, acceptance = folder / "invitation.eml", folder / "acceptance.eml"
    parties = ["--as", "german", "--opponent", "bruno@example.org", "--adjudicator", "hugo@example.org"]
    assert sides["german"]("new", "westerplatte", *parties, "--deadline-days", "7", "-o", invitation).code == 0
    assert sides["polish"]("accept", invitation, "-o", acceptance).code == 0
    for mail, roles in ((invitation, ["adjudicator"]), (acceptance, ["german", "adjudicator"])):
        for role in roles:
            shutil.copy(mail, folder / "mail" / role / "new" / mail.name)
    return sides


def round_of(sides: dict[str, Side], folder: Path, role: str) -> None:
    """One round of a home's program; what it sends goes to the boxes of both others."""
    out = folder / "out" / role
    command = ["serve", "--for", "any"] if role == "adjudicator" else ["agent"]
    ways = ["--in", f"maildir:{folder / 'mail' / role}", "--out", f"maildir:{out}", "--make"]
    done = sides[role](*command, *ways, "--once")
    assert done.code == 0, done
    for letter in sorted((out / "new").iterdir()):
        for other in set(NAMES) - {role}:
            shutil.copy(letter, folder / "mail" / other / "new" / f"{role}-{letter.name}")
        letter.unlink()


def played(sides: dict[str, Side], folder: Path, rounds: int) -> None:
    for _ in range(rounds):
        for role, side in sides.items():
            side.now = int(time.time())
            if role != "adjudicator" and side.opened().campaign.started:
                side.decide()
            round_of(sides, folder, role)
        if all(side.opened().campaign.finished for side in sides.values()):
            return


def test_a_service_hosts_a_game_and_rolls_at_once(tmp_path: Path) -> None:
    sides = served(tmp_path)
    played(sides, tmp_path, 6)
    campaign = sides["adjudicator"].opened(whole=True).campaign
    kinds = [sorted(f"{one.event.role} {one.event.kind}" for one in step.events) for step in campaign.steps]
    assert kinds[1] == ["adjudicator accept", "polish accept"]
    assert kinds[2] == ["adjudicator receipt", "polish answer"]
    assert ["adjudicator entropy"] in kinds
    assert sides["german"].opened().campaign.roster.proposal.rollers == ["adjudicator"]
    assert "you are the adjudicator of Anna (german), Bruno (polish)" in sides["adjudicator"]("status").out


@pytest.mark.soak
def test_a_hosted_game_comes_to_its_verified_end(tmp_path: Path) -> None:
    sides = served(tmp_path)
    played(sides, tmp_path, 2000)
    assert len({tuple(side.heads()) for side in sides.values()}) == 1
    done = [side.verified(running=False) for side in sides.values()]
    assert [one.code for one in done] == [0, 0, 0], done

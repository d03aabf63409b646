"""Keys upon keys: who signs with a new key again and again can be convicted all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import Pair, pbem
from attacks.test_motions import deciding
from pbem.app.seats import rotate
from pbem.engine import motions

MANY = 70
"""More rotations than a file of 64 events could tell of."""


def rotating_round(pair: Pair) -> int:
    """Play on until the next decision is made, each one by a new key; how many rotations that took."""
    rotated = 0
    for side, other in ((pair.polish, pair.german), (pair.german, pair.polish)):
        side.now = other.now = max(side.now, other.now) + 60
        if side.opened().campaign.place.deciding == (side.role,):
            with side.desk() as desk:
                rotate(desk, side.game)
            rotated += 1
        side.decide()
        other.take(side.export())
    return rotated


@pytest.mark.plan("A18")
def test_a_second_rotation_before_the_decision_is_refused_by_everybody(
    played: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover, other = deciding(played)
    mover_step = mover.opened().campaign.place.step
    with mover.desk() as desk:
        rotate(desk, mover.game)
    done = mover("motion", "rotate")
    assert (done.code, done.err) == (
        1,
        f"motion.rotated: expected a decision behind the rotation of {mover.role}'s key, got another rotation\n"
        "hint: the next decision comes first, whoever has to make it; until then a key that is in wrong hands can "
        "still be given up with `pbem motion hand-over`\n",
    )
    with monkeypatch.context() as forging:
        forging.setattr(motions, "check_rotation", lambda *_: None)
        with mover.desk() as desk:
            rotate(desk, mover.game)
        forged, archive = mover.export(), mover.verified()
    done = other.mail(forged)
    assert "motion.rotated: expected a decision behind the rotation" in done.err
    assert other.opened().campaign.place.step == mover_step + 1
    assert archive.code == 0  # by a program that knows no such limit
    done = other("verify", mover.folder.parent / f"{mover.role}.pbem", "--running")
    assert (done.code, done.err.split(":")[0]) == (1, "motion.rotated")


@pytest.mark.soak
@pytest.mark.plan("A18", "A23")
def test_as_many_rotations_as_the_log_lets_through_leave_everything_provable(joined: Pair, tmp_path: Path) -> None:
    rotated = 0
    while rotated < MANY:
        rotated += rotating_round(joined)
    mover, other = deciding(joined)
    with mover.desk() as desk:
        rotate(desk, mover.game)
    other.take(mover.export())
    twin = mover.copy(tmp_path / "twin")
    twin.chooser.choose(1_000)
    twin.now += 1
    mover.decide()
    twin.decide()
    roll = other.opened(whole=True).campaign.rolls[-1].id
    other.take(mover.export())
    other.take(twin.export())
    assert other("dispute", other.game, "roll", roll, "-o", tmp_path / "roll.pbem").code == 0
    assert other("dispute", other.game, "fork", "-o", tmp_path / "fork.pbem").code == 0
    assert other("export", "--evidence", "-o", tmp_path / "evidence.pbem").code == 0
    for name in ("roll", "fork", "evidence"):
        done = pbem(tmp_path / "nobody", "verify", tmp_path / f"{name}.pbem")
        assert (done.code, done.out.split()[0]) == (0, "Proven:"), (name, done)

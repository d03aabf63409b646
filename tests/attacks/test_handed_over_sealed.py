"""Handing a seat over while something of its holder is sealed: it is named, since nobody can open it any more."""

from __future__ import annotations

from pathlib import Path

from attacks.sides import Pair, new_side
from attacks.test_motions import deciding


def test_what_stays_sealed_is_named_with_its_step(toy: Pair, tmp_path: Path) -> None:
    mover, _ = deciding(toy)
    archive, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    assert mover("archive", "-o", archive).code == 0
    carla = new_side(tmp_path / "carla", mover.role, "Carla")
    assert carla("substitute", archive, "--as", mover.role, "-o", offer).code == 0
    (left,) = (one.secret for one in mover.opened().campaign.audit.left if one.role == mover.role)
    done = mover("motion", "hand-over", "--offer", offer)
    assert (done.code, done.out.splitlines()[1:]) == (
        0,
        [
            f"What you sealed at step {left.step} ({left.ask}) stays sealed: whoever takes the seat cannot open it.",
            "Where play asks for it its default counts; else it is told at the end as never opened.",
            "Do now: send your turn file: `pbem export toy -o turn.eml --eml`",
        ],
    )

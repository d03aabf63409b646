"""A role that has contradicted itself with its first key, and with the next one too."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import Pair, pbem
from attacks.test_motions import deciding
from pbem.app.seats import rotate


@pytest.mark.plan("A18", "A23")
def test_a_fork_of_a_later_key_is_proven_behind_an_older_one(joined: Pair, tmp_path: Path) -> None:
    german, polish = joined.sides()
    back = polish.copy(tmp_path / "back")
    back.chooser.choose(1_000)
    back.now += 1
    back.decide()
    joined.play(6)
    while deciding(joined)[0] is not polish:
        joined.play(polish.opened().campaign.place.step + 1)
    with polish.desk() as desk:
        rotate(desk, polish.game)
    german.now = polish.now
    german.take(polish.export())
    twin = polish.copy(tmp_path / "twin")
    twin.now += 7
    polish.decide()
    twin.decide()
    german.now = twin.now + 10
    german.take(polish.export())
    german.take(twin.export())
    later = german.opened().fork
    assert later is not None
    if german("motion", "resolve").code:  # no dice are known behind either of them
        assert german("motion", "resolve", "--keep", later.first.id[:16]).code == 0
    german.take(back.export(everything=True))
    older = german.opened().fork
    assert older is not None
    assert older.first.event.step < later.first.event.step
    for step in ("", str(later.first.event.step), str(older.first.event.step)):
        wanted = (step,) if step else ()
        done = german("dispute", german.game, "fork", *wanted, "-o", tmp_path / f"fork{step}.pbem")
        assert done.code == 0, done
        read = pbem(tmp_path / "nobody", "verify", tmp_path / f"fork{step}.pbem")
        where = step or str(older.first.event.step)
        assert read.out.startswith(f"Proven: polish signed two different events at step {where} of game "), read

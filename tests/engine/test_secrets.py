"""Nothing secret leaves a home: two games that differ in one sealed answer differ in nothing that the opponent gets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.homes import GAME, Pair, Side, arrived, new_pair
from engine.vaults import spellings, vault_of
from pbem.app.archive import archive
from pbem.app.exporting import export, turn_file
from pbem.app.lapsing import claim_lapse
from pbem.app.reading import narrative
from pbem.app.secrets import seal_name
from pbem.app.sheets import order_sheet
from pbem.log import envelope
from pbem.log.event import Seal
from pbem.log.verify import DAY

ANSWERS = ("reserve 0", "reserve 1", "reserve 2")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    made = new_pair(tmp_path)
    yield made
    made.close()


def commitment(side: Side) -> bytes:
    (own,) = [one for one in side.campaign.pending() if one.event.role == side.role]
    assert isinstance(own.event.body, Seal)
    return bytes.fromhex(own.event.body.commitment)


def lines_of(mail: bytes) -> list[bytes]:
    return [line for found in arrived(mail).bundles for line in found.lines]


def without(secret: bytes, line: bytes) -> bytes:
    """The payload of an event line with a commitment blotted out; the signature goes with it."""
    return envelope.from_line(line).payload.replace(secret.hex().encode(), b"?")


def all_that_is_shown(side: Side) -> dict[str, Any]:
    """Everything that a home prints, mails or archives, but for the event lines themselves."""
    opened = side.opened
    file = turn_file(side.desk, opened)
    status = side.desk.home.status(opened.row.game_id)
    assert status is not None
    return {
        "subject": file.subject,
        "name": file.file_name,
        "events": file.events,
        "status": status.json,
        "log": narrative(side.desk, GAME),
        "state": opened.campaign.ruleset.encode(opened.campaign.state),
        "digest": opened.campaign.place.state,
        "position": tuple(opened.campaign.ruleset.position_lines(opened.campaign.state)),
        "head": opened.campaign.place.prev,
    }


def world(folder: Path, answer: str) -> dict[str, Any]:
    """What south can get hold of when north has sealed an answer, with the commitment blotted out."""
    pair = new_pair(folder)
    pair.north.submit(answer)
    secret, mail = commitment(pair.north), pair.north.mail()
    pair.south.take(mail)
    found = {
        "payloads": [without(secret, line) for line in lines_of(mail)],
        "lengths": [len(line) for line in lines_of(mail)],
        "archive": [without(secret, line) for line in archive(pair.north.desk, GAME).split(b"\n") if b"{" in line],
        "north": all_that_is_shown(pair.north),
        "south": all_that_is_shown(pair.south),
        "sheet": order_sheet(pair.south.desk, GAME),
    }
    pair.close()
    return found


@pytest.mark.plan("A37")
@pytest.mark.plan("A30")
def test_two_secrets_differ_in_nothing_but_the_commitment(tmp_path: Path) -> None:
    worlds = [world(tmp_path / answer, answer) for answer in ANSWERS]
    assert worlds[0] == worlds[1] == worlds[2]


def test_the_comparison_of_two_worlds_bites(tmp_path: Path) -> None:
    """What is decided in the open does differ."""
    shown = []
    for number, orders in enumerate(("hold with 0", "hold with 1")):
        pair = new_pair(tmp_path / str(number))
        pair.submit("reserve 1", "reserve 1")
        pair.submit(orders, "hold with 0")
        shown.append(all_that_is_shown(pair.north))
        pair.close()
    assert all(shown[0][name] != shown[1][name] for name in ("log", "state", "digest", "position"))


def secrets_of(side: Side) -> dict[str, bytes]:
    """What a home keeps in its vault, a sealed answer too, and the next link."""
    kept = side.desk.secret(side.desk.home, seal_name(commitment(side)))
    assert kept is not None
    return {**vault_of(side.desk, side.opened, side.role), "salt": kept[:32], "answer": kept[32:]}


def test_nothing_of_the_vault_is_in_anything_that_leaves_the_home(pair: Pair) -> None:
    pair.submit("reserve 2", "reserve 1")
    pair.north.submit("assault with 3")
    mail = pair.north.mail()
    everything = b"\n".join(
        [
            mail,
            *lines_of(mail),
            *lines_of(export(pair.north.desk, GAME, everything=True).mail),
            archive(pair.north.desk, GAME),
            repr(all_that_is_shown(pair.north)).encode(),
            repr(pair.north.desk.identity()).encode(),
        ]
    )
    for name, secret in secrets_of(pair.north).items():
        assert [spelling for spelling in spellings(secret) if spelling in everything] == [], name


def test_what_is_opened_is_found_by_the_same_search(pair: Pair) -> None:
    """The search above would find a salt that is there."""
    pair.submit("reserve 2", "reserve 1")
    pair.north.submit("assault with 3")
    salt = secrets_of(pair.north)["salt"]
    pair.south.submit("hold with 0")
    pair.exchange()
    found = archive(pair.south.desk, GAME)
    assert [spelling in found for spelling in spellings(salt)] == [False, True, False, False]


# ---------------------------------------------------------------------- a late opening


def silent(pair: Pair) -> bytes:
    """Both have sealed a plan, and north has opened its own; the mail that says so is kept back, and returned here."""
    pair.north.submit("assault with 1")
    pair.south.submit("hold with 0")
    pair.south.take(pair.north.mail())
    pair.north.take(pair.south.mail())
    return pair.north.mail()


def claimed(pair: Pair) -> None:
    """A week later south claims the default of what it never got."""
    pair.south.now[0] += 8 * DAY
    claim_lapse(pair.south.desk, GAME)


@pytest.mark.plan("A34")
def test_a_late_opening_stands_while_nothing_has_followed_the_claim(pair: Pair) -> None:
    pair.submit("reserve 1", "reserve 1")
    late = silent(pair)
    claimed(pair)
    assert pair.south.campaign.lines[-2].text == "north: hold with 0"
    pair.south.take(late)
    assert pair.south.campaign.lines[-2].text == "north: assault with 1"


@pytest.mark.plan("A43", "A42")
def test_a_late_opening_takes_no_dice_back(pair: Pair) -> None:
    """Else the silent side could wait for the other's link, work out both rolls, and choose between them."""
    pair.submit("reserve 1", "reserve 1")
    pair.submit("hold with 0", "hold with 0")
    pair.north.submit("bet 0")
    pair.exchange()
    late = silent(pair)
    claimed(pair)
    pair.south.submit("bet 1")
    assert [one.event.kind for one in pair.south.campaign.pending()] == ["entropy"]
    before = pair.south.campaign.place
    pair.south.take(late)
    assert (pair.south.campaign.place, pair.south.opened.fork) == (before, None)

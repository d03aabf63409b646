"""What comes by mail from anybody: replays, floods, names that bite, and nothing that is sent in answer."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from soak import soak

from attacks.sides import Done, Pair, Side, armoured, invited, new_side, packed, payload_of, pbem, sign
from pbem.app import catalogue
from pbem.app.demo import Seeded
from pbem.app.desk import make_home
from pbem.app.propose import Terms, propose
from pbem.log import canonical
from pbem.log.event import Role

UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
EVIL = "Anna\x1b[2J\x1b]0;own\x07\u202etxt.exe\u2066\u200b\r\nBcc: all@example.org\x9b31m"


@pytest.fixture
def turn(joined: Pair) -> tuple[Side, bytes]:
    """A turn file of the Pole that the German has not got yet."""
    joined.polish.decide()
    return joined.german, joined.polish.export()


@pytest.mark.plan("A52")
@pytest.mark.parametrize("times", [12, pytest.param(soak(1_000), marks=pytest.mark.soak)])
def test_a_turn_file_that_comes_again_and_again_changes_nothing_more(turn: tuple[Side, bytes], times: int) -> None:
    german, data = turn
    german.mail(data)
    before = german.tables()
    for _ in range(times):
        done = german.mail(data)
        assert (done.code, done.err) == (0, "")
        assert done.out.splitlines()[0] == "westerplatte: 0 new events, 3 known already."
    assert german.tables() == before


@pytest.mark.plan("A52")
def test_a_thousand_copies_in_one_mailbox_are_one(turn: tuple[Side, bytes], tmp_path: Path) -> None:
    german, data = turn
    box = tmp_path / "box.mbox"
    box.write_bytes(b"".join(b"From a@b Thu Jan  1 00:00:00 2026\nSubject: x\n\n" + data + b"\n" for _ in range(1000)))
    done = german("import", box)
    assert (done.code, done.out.splitlines()[0]) == (0, "westerplatte: 1 new event, 2 known already.")


def test_a_mail_with_ten_thousand_blocks_is_read_in_bounds(turn: tuple[Side, bytes]) -> None:
    german, data = turn
    block = b"BEGIN PBEM TURN FILE VERSION 1 BASE64 3 BYTES SHA256\n" + b"0" * 64 + b"\nAAAA\nEND PBEM TURN FILE\n"
    before = german.tables()
    done = german.mail(block * 10_000)
    assert done.code == 1
    assert len(done.err) < 2_000_000
    assert german.tables() == before
    assert german.mail(data).code == 0


@pytest.mark.plan("A16")
def test_a_small_mail_of_a_million_bad_lines_costs_little(turn: tuple[Side, bytes]) -> None:
    """A few kilobytes that unpack to a million lines must not fill the terminal of whoever reads them."""
    german, data = turn
    said = payload_of(german.lines()[1])
    text = b"pbem-log 1 turn\n" + canonical.encode(said) + b"\n" + b"\n" * 1_000_000
    mail, before, started = armoured(text), german.tables(), time.perf_counter()
    done = german.mail(mail)
    assert len(mail) < 20_000
    assert (done.code, len(done.err) < 500) == (1, True)
    assert time.perf_counter() - started < 10
    assert german.tables() == before
    told = german.mail(mail + data).err
    assert told == (
        "refused: bundle.form: expected an event in every line, got lines that are too short for one\n"
        "hint: its lines were broken by the way it came: have it sent as an attachment, or in a zip file\n"
    )


def test_a_mail_of_ten_thousand_bad_lines_is_told_in_a_few(turn: tuple[Side, bytes]) -> None:
    german, data = turn
    said = canonical.encode(payload_of(german.lines()[1]))
    bad = b"0123456789abcdef " + b"A" * 86 + b" {}"
    text = b"pbem-log 1 turn\n" + said + b"\n" + b"".join(b"%b%d\n" % (bad, number) for number in range(10_000))
    told = german.mail(armoured(text) + data).err
    assert told.splitlines()[-1] == "refused: 81 more"
    assert len(told) < 4000


@pytest.mark.plan("A55")
@pytest.mark.parametrize("forged", [b"not a turn file", None])
def test_a_refused_import_writes_and_sends_nothing(
    turn: tuple[Side, bytes], tmp_path: Path, forged: bytes | None
) -> None:
    """A spoofed sender gets no answer out of a home: no file is made, nothing is queued, nothing is signed."""
    german, data = turn
    stranger = Seeded(9, "stranger")
    from pbem.keys.identity import Identity

    line = sign(Identity.generate(stranger), {**payload_of(german.lines()[0]), "game": german.opened().row.game_id})
    mail = EmailMessage()
    mail["From"], mail["Reply-To"], mail["Subject"] = "victim@example.com", "victim@example.com", "turn"
    mail.set_content((forged or packed([line])).decode("ascii"))
    before, files = german.tables(), _files(tmp_path)
    done = german.mail(mail.as_bytes())
    assert done.code == 1
    assert "victim@example.com" not in done.out + done.err
    assert german.tables() == before
    assert _files(tmp_path) - files <= {tmp_path / "to-german.txt"}
    assert data


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if not path.name.startswith("home.sqlite")}


@pytest.mark.plan("A51", "A55")
def test_the_sender_of_a_mail_decides_nothing(turn: tuple[Side, bytes]) -> None:
    """A true turn file in a mail with a forged sender is taken; the answer goes to the address of the proposal."""
    german, data = turn
    mail = EmailMessage()
    mail["From"], mail["Reply-To"], mail["To"] = "Bruno <eve@example.com>", "eve@example.com", "anna@example.org"
    mail.set_content(data.decode("ascii"))
    assert german.mail(mail.as_bytes()).code == 0
    german.decide()
    done = german("export", "-o", german.folder.parent / "answer.eml", "--eml")
    assert "to Bruno <bruno@example.org>" in done.out
    assert b"eve@example.com" not in (german.folder.parent / "answer.eml").read_bytes()


NAMES = ["../../evil.txt", "/etc/passwd", "home.sqlite", "con.txt", "a\x00b.txt", "x" * 5000, "..", "~"]


@pytest.mark.plan("A56")
@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_an_attachment_is_never_used(turn: tuple[Side, bytes], tmp_path: Path, name: str) -> None:
    german, data = turn
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "bruno@example.org", "turn"
    mail.set_content("see the attachment\n")
    mail.add_attachment(data, maintype="application", subtype="octet-stream", filename="NAME")
    raw = mail.as_bytes().replace(b'"NAME"', b'"' + name.encode() + b'"')
    files = _files(tmp_path)
    assert german.mail(raw).code == 0
    assert german.opened().campaign.place.step == 3
    assert _files(tmp_path) - files == {tmp_path / "to-german.txt"}


@pytest.mark.plan("A57")
def test_a_mail_of_a_thousand_levels_and_a_huge_part_are_bounded(turn: tuple[Side, bytes]) -> None:
    german, data = turn
    deep = b"From: a@b\n"
    for level in range(1000):
        deep += b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level)
    huge = b"From: a@b\nContent-Type: text/plain\n\n" + b"x" * (40 * 2**20)
    before = german.tables()
    for mail in (deep, huge):
        done = german.mail(mail)
        assert done.code == 1
        assert done.err.startswith("mail.")
    assert german.tables() == before
    assert german.mail(data).code == 0


@pytest.mark.plan("A58")
def test_text_and_html_with_different_turn_files_are_both_told(turn: tuple[Side, bytes]) -> None:
    """The HTML part shows one turn file, the text another: signatures decide, and neither is dropped silently."""
    german, data = turn
    said = {**payload_of(german.lines()[1]), "kind": "close", "step": 2}
    forged = packed([german.sign(said)])
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "bruno@example.org", "turn"
    mail.set_content(forged.decode("ascii"))
    mail.add_alternative("<pre>" + data.decode("ascii") + "</pre>", subtype="html")
    done = german.mail(mail.as_bytes())
    assert done.code == 0
    assert "westerplatte: 1 new event, 2 known already." in done.out.splitlines()
    assert done.err.startswith("refused: event.")


def commands(side: Side, folder: Path) -> dict[str, Callable[[], Done]]:
    """Every command that shows something of a game."""
    archive = folder / "shown.pbem"
    side("archive", side.game, "-o", archive)
    return {
        "status": lambda: side("status"),
        "status json": lambda: side("status", "--json"),
        "export": lambda: side("export", side.game, "-o", folder / "out.txt"),
        "export printed": lambda: side("export", side.game),
        "log": lambda: side("log", side.game),
        "show": lambda: side("show", side.game),
        "verify": lambda: side("verify", archive, "--running"),
        "verify json": lambda: side("verify", archive, "--running", "--json"),
        "verify by name": lambda: side("verify", side.game, "--running"),
        "orders": lambda: side("orders", side.game),
        "claim": lambda: side("motion", "claim", side.game),
    }


@pytest.fixture
def evil(tmp_path: Path) -> Side:
    """A proposal whose names and addresses are full of terminal controls, header breaks and direction marks."""
    make_home(tmp_path / "evil", EVIL, "anna@example.org", None, Seeded(5, "evil"))
    side = Side(Role("german"), tmp_path / "evil", "evil")
    people = {Role("polish"): (EVIL, "bruno@example.org")}
    with side.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("westerplatte"), "standard", side.role, people, 7, name="evil"))
    return side


@pytest.mark.plan("A62", "A53")
def test_nothing_that_a_stranger_chose_reaches_the_terminal_raw(evil: Side, tmp_path: Path) -> None:
    victim = new_side(tmp_path / "victim", "polish", "Bruno")
    invitation = tmp_path / "invitation"
    invitation.write_bytes(evil.export())
    said = [
        victim("import", invitation),
        victim("accept", invitation, "--show"),
        victim("accept", invitation, "--json", "--show"),
    ]
    said.append(victim("accept", invitation, "-o", tmp_path / "acceptance"))
    assert said[-1].code == 0
    evil("import", tmp_path / "acceptance")
    for command in commands(Side(victim.role, victim.folder, "westerplatte"), tmp_path).values():
        said.append(command())
    for done in said:
        assert UNSAFE.search(done.out + done.err) is None
        assert "Bcc: all@example.org" not in [line.strip() for line in (done.out + done.err).splitlines()]


@pytest.mark.plan("A62")
def test_a_name_is_shown_with_its_controls_written_out(evil: Side, tmp_path: Path) -> None:
    victim = new_side(tmp_path / "victim", "polish", "Bruno")
    (tmp_path / "invitation").write_bytes(evil.export())
    done = victim("accept", tmp_path / "invitation", "--show")
    assert done.out.splitlines()[1] == (
        "  german: Anna\\x1b[2J\\x1b]0;own\\x07\\u202etxt.exe\\u2066\\u200b\\r\\nBcc: all@example.org\\x9b31m "
        "<anna@example.org>, who proposes"
    )


@pytest.mark.plan("A53", "A62")
def test_a_mail_to_a_name_full_of_controls_has_no_header_more(evil: Side, tmp_path: Path) -> None:
    victim = new_side(tmp_path / "victim", "polish", "Bruno")
    (tmp_path / "invitation").write_bytes(evil.export())
    done = victim("accept", tmp_path / "invitation", "--eml", "-o", tmp_path / "answer.eml")
    assert done.code == 0
    head = (tmp_path / "answer.eml").read_bytes().split(b"\n\n")[0]
    assert [line.split(b":")[0] for line in head.splitlines() if not line.startswith(b" ")] == [
        b"From",
        b"To",
        b"Subject",
        b"Date",
        b"Message-ID",
        b"MIME-Version",
        b"Content-Type",
    ]
    assert b"bcc" not in [line.split(b":")[0].lower() for line in head.splitlines()]
    assert UNSAFE.search((tmp_path / "answer.eml").read_text("utf-8")) is None


@pytest.mark.plan("A53")
@pytest.mark.parametrize(
    ("address", "got"),
    [
        ("b@example.org\nBcc: c@example.org", "b@example.org\\\\nBcc: c@example.org"),
        ("b@example.org>, <c@example.org", "b@example.org>, <c@example.org"),
        ("-oQ/tmp@x y", "-oQ/tmp@x y"),
        ("", ""),
        ("x" * 180 + "@example.org,c@d", "x" * 120 + "…"),
    ],
)
def test_a_proposal_with_an_address_that_is_none_mails_nobody(
    joined: Pair, tmp_path: Path, address: str, got: str
) -> None:
    """The proposer signs an address that would bring a second receiver into the victim's mail."""
    german, victim = invited(joined.german, tmp_path), new_side(tmp_path / "victim", "polish", "Bruno")
    said = payload_of(german.lines()[0])
    said["body"]["seats"][0]["address"] = address
    (tmp_path / "invitation").write_bytes(packed([german.sign(said)], [german.identity().public_key]))
    before = victim.tables()
    done = victim("accept", tmp_path / "invitation", "--eml", "-o", tmp_path / "answer.eml")
    assert done.code == 1
    assert done.err == (
        f"accept.address: expected german's e-mail address such as anna@example.org, got '{got}'\n"
        "hint: no turn could be mailed in this game: ask the proposer for a new proposal\n"
    )
    assert not (tmp_path / "answer.eml").exists()
    assert UNSAFE.search(done.out + done.err) is None
    assert victim.tables() == before


@pytest.mark.plan("A62")
def test_a_ruleset_and_a_sheet_cannot_speak_to_the_terminal(joined: Pair, tmp_path: Path) -> None:
    """Names of games, scenarios and units in files and on the command line come back escaped or not at all."""
    sheet = tmp_path / "orders.txt"
    sheet.write_text("PL-1\x1b[31m in GH1\u202e\n", "utf-8")
    said = [
        joined.polish("orders", "--check", sheet),
        joined.polish("status", "west\x1b[31m"),
        joined.polish("roll", "westerplatte", "4:\x1b[31m\u202e"),
        joined.polish("verify", "x\x1b[31m.pbem"),
        joined.polish("games", "\x1b]0;x\x07"),
        joined.polish("import", tmp_path / "none\x1b[31m"),
        pbem(joined.polish.folder, "\x1b[31m"),
    ]
    for done in said:
        assert done.code in (1, 2)
        assert UNSAFE.search(done.out + done.err) is None


def test_what_is_too_large_for_a_turn_file_is_told_before_it_is_sent() -> None:
    from pbem.app.exporting import _packed
    from pbem.errors import BadRequest
    from pbem.log import bundle

    with pytest.raises(BadRequest) as caught:
        _packed(b"x" * (bundle.MAX_TURN_BYTES + 1), "westerplatte")
    assert (str(caught.value), caught.value.hint) == (
        "export.too_large: expected a turn file that unpacks to at most 4 MiB, got 4194305 bytes",
        "send the file of `pbem archive westerplatte -o westerplatte.pbem` instead: `pbem import` takes it too",
    )

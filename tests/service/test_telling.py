"""What a player is told by his agent: once for each question, as a line and as a mail to himself."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

import pytest
from attacks.sides import BEGIN

from pbem.app.moving import move
from pbem.app.reading import narrative
from pbem.cli.status import to_do
from pbem.mail.post.port import Letter
from pbem.service import telling
from pbem.service.agent import Agent, Round
from pbem.service.bench import summary_of
from pbem.service.record import in_words
from pbem.service.telling import Herald
from pbem.service.times import keep_zones
from service.court import in_play
from service.office import Post, play, two_players

OWN = "bruno@home.example"
DAY = 86_400
PLACE = "place every Polish unit on a land area, at most 2 in one"
DECIDE = (
    "decide: `pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte --submit orders.txt`"
)
BY = "Tuesday 21 November 2023, 22:13 UTC (23:13 in Europe/Warsaw, UTC+0100), in 7 days"


@pytest.fixture
def players(tmp_path: Path) -> tuple[Post, Post]:
    german, polish = two_players(tmp_path)
    with polish.side.desk() as desk, desk.home.writing() as writer:
        keep_zones(writer, {"bruno@example.org": "Europe/Warsaw"})
    return german, polish


def in_time(summary: dict[str, Any]) -> str:
    """What is to be done, by a clock that no deadline has gone by for: the status looks at this machine's."""
    return to_do({**summary, "due": 0})


def told_in_a_round(player: Post, address: str = OWN) -> tuple[list[str], list[EmailMessage]]:
    """The lines of one round, and the mails that the player sent himself in it."""
    player.told.clear()
    before = len(player.office.sent)
    with player.side.desk() as desk:
        desk.clock = lambda: player.office.now
        herald = Herald(desk, player.tell, in_time, address)
        agent = Agent(desk, player.box, player.office, player.worker, player.tell, player.again, duties=herald)
        agent.begin()
        agent.once()
    lines = [str(facts["text"]) for what, facts in player.told if what == "owed"]
    own = [mail for sender, to, mail in player.office.sent[before:] if to == (address,)]
    return lines, [cast(EmailMessage, message_from_bytes(mail, policy=policy.default)) for mail in own]


def test_a_question_is_told_once(players: tuple[Post, Post]) -> None:
    german, polish = players
    lines, (mail,) = told_in_a_round(polish)
    assert lines == [f"westerplatte: you are asked: {PLACE}, by {BY}. Do now: {DECIDE}"]
    assert (mail["From"], mail["To"], mail["Subject"], mail["Auto-Submitted"]) == (
        "Bruno <bruno@example.org>",
        f"Bruno <{OWN}>",
        "[pbem] westerplatte: it is your turn",
        "auto-generated",
    )
    opened = polish.side.opened()
    question = opened.campaign.question(polish.side.role)
    sheet = "\n".join(opened.campaign.ruleset.order_sheet(question, opened.campaign.state))
    assert mail.get_content() == (
        f"The Battle of the Westerplatte, game westerplatte ({opened.row.game_id[:12]}), turn 1, step 2.\n"
        "\n"
        "Nothing new has happened.\n"
        "\n"
        f"You are asked: {PLACE}.\n"
        f"Answer by {BY}.\n"
        f"Do now: {DECIDE}\n"
        "\n"
        "The sheet that `pbem orders` writes, to save and edit. Your home does not read orders from a reply: no mail "
        "proves who wrote it.\n"
        "\n"
        f"orders westerplatte step 2\n{sheet}\nend\n"
    )
    assert told_in_a_round(polish) == ([], [])
    assert told_in_a_round(german) == ([], []), "who is not asked is not told"


def test_what_has_happened_since_is_told(players: tuple[Post, Post]) -> None:
    german, polish = players
    told_in_a_round(polish)
    polish.side.decide()
    assert told_in_a_round(polish) == ([], [])
    german.office.now = BEGIN + 9 * DAY
    (line,), (mail,) = told_in_a_round(german)
    late = "Tuesday 21 November 2023, 22:13 UTC, 2 days ago"
    asked = "place the ship in Wa, Wb, Wc, Wd"
    assert line == f"westerplatte: you are asked: {asked}, late since {late}. Do now: {DECIDE}"
    with polish.side.desk() as desk:
        (happened,) = narrative(desk, "westerplatte")
    assert mail.get_content().partition("\n\n")[2].partition("\n\nThe sheet")[0] == (
        f"What happened:\n  {happened.text}\n\n"
        f"You are asked: {asked}.\nYour answer is late since {late}.\nDo now: {DECIDE}"
    )


def test_a_long_story_is_told_from_its_end(players: tuple[Post, Post], monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit stands too high for a test: it is lowered."""
    monkeypatch.setattr(telling, "NARRATIVE_LINES", 2)
    german, polish = players
    for _ in range(3):
        for player in (polish, german):
            player.side.decide()
            player.round()
    polish.round()
    _, (mail,) = told_in_a_round(polish)
    with polish.side.desk() as desk:
        story = [line.text for line in narrative(desk, "westerplatte")]
    assert mail.get_content().splitlines()[2:6] == [
        "What happened:",
        f"  ({len(story) - 2} earlier lines left out: `pbem log` tells all.)",
        *(f"  {line}" for line in story[-2:]),
    ]


def test_without_an_address_it_is_a_line_alone(players: tuple[Post, Post]) -> None:
    _, polish = players
    lines, mails = told_in_a_round(polish, "")
    assert (len(lines), mails, polish.words()) == (1, [], ["owed", "posted", "sent"])


def test_a_motion_is_told(players: tuple[Post, Post]) -> None:
    german, polish = players
    told_in_a_round(polish)
    with polish.side.desk() as desk:
        move(desk, "westerplatte", {"what": "pause"})
    told_in_a_round(polish)
    (line,), (mail,) = told_in_a_round(german)
    answer = "answer the motion: `pbem motion agree westerplatte` or `pbem motion refuse westerplatte`"
    assert line == (
        "westerplatte: polish moves to pause the game; you are asked: to agree to a motion or to refuse it, "
        f"by Tuesday 21 November 2023, 22:13 UTC, in 7 days. Do now: {answer}"
    )
    assert "\n# Write one of these two without its mark:\n# agree\n# refuse\nend\n" in mail.get_content()


def test_a_referee_is_told_of_a_motion(tmp_path: Path) -> None:
    """Who is not asked to answer it, but may rule on it."""
    court = in_play(tmp_path)
    with court.german.side.desk() as desk:
        move(desk, "westerplatte", {"what": "draw"})
    court.german.round()
    court.judge.round()
    with court.judge.desk() as desk:
        Herald(desk, court.judge.tell, lambda _: "wait", "rita@home.example").fulfil(True)
    assert court.judge.facts("owed")[-1]["text"] == (
        "westerplatte: german asks to end the game as a draw. Do now: wait"
    )
    court.judge.round()
    mail = message_from_bytes(court.mails_to("rita@home.example")[-1])
    assert mail["Subject"] == "[pbem] westerplatte: a motion waits for an answer"


def test_a_game_that_stops_is_told(players: tuple[Post, Post], tmp_path: Path) -> None:
    german, polish = players
    for side in polish.side.twice(tmp_path / "twin"):
        german.side.take(side.export(everything=True))
    found = german.side.opened().fork
    assert found is not None
    stopped = "polish signed two different events at step 2, perhaps from a backup or a second device"
    settle = (
        f"settle which one stands: `pbem motion resolve westerplatte --keep {found.first.id[:16]}` for the first, "
        f"`--keep {found.second.id[:16]}` for the second; the proof for a referee: `pbem export westerplatte "
        "--evidence -o proof.pbem`"
    )
    lines, (mail,) = told_in_a_round(german)
    assert lines == [f"westerplatte: the game is stopped: {stopped}. Do now: {settle}"]
    assert (mail["Subject"], mail.get_content().splitlines()[2:]) == (
        "[pbem] westerplatte: the game is stopped",
        ["Nothing new has happened.", "", f"The game is stopped: {stopped}.", f"Do now: {settle}"],
    )


def test_the_end_is_told_once(players: tuple[Post, Post]) -> None:
    german, polish = players
    for _ in range(3):
        german.round()
        polish.round()
    moving = next(one for one in players if one.side.opened().campaign.question(one.side.role))
    with moving.side.desk() as desk:
        move(desk, "westerplatte", {"what": "concede"})
    play(players, 4)
    result = polish.side.opened().campaign.outcome
    assert result is not None
    (line,), (mail,) = told_in_a_round(polish)
    keep = "`pbem archive westerplatte -o westerplatte.pbem`"
    assert (
        line
        == f"westerplatte: the game is over: {result.text}. Do now: nothing, the game is closed; keep it with {keep}"
    )
    assert mail["Subject"] == "[pbem] westerplatte: the game is over"
    assert told_in_a_round(polish) == ([], [])


def test_the_end_that_is_not_sent_yet_asks_for_no_turn_file(players: tuple[Post, Post]) -> None:
    """The agent sends it in the same round."""
    german, polish = players
    with polish.side.desk() as desk:
        move(desk, "westerplatte", {"what": "concede"})
    polish.round()
    (line,), (mail,) = told_in_a_round(german)
    over = "the game is over: polish conceded at step 2"
    closed = "nothing, the game is closed; keep it with `pbem archive westerplatte -o westerplatte.pbem`"
    assert line == f"westerplatte: {over}. Do now: {closed}"
    assert mail.get_content().splitlines()[-1] == f"Do now: {closed}"


@pytest.mark.plan("A51")
def test_a_reply_gives_no_orders(players: tuple[Post, Post]) -> None:
    """Neither the mail itself, come into the box of its own home, nor an answer to it changes a game."""
    _, polish = players
    _, (mail,) = told_in_a_round(polish)
    heads, sheet = polish.side.heads(), mail.get_content().replace("# place", "place")
    head = b"From: bruno@example.org\nMessage-ID: <r@example.org>\nSubject: Re: [pbem] westerplatte: it is your turn\n"
    reply = head + f"In-Reply-To: {mail['Message-ID']}\n\n{sheet}".encode()
    polish.box.waiting = [Letter("own", mail.as_bytes(), polish.office.now), Letter("reply", reply, polish.office.now)]
    told_in_a_round(polish)
    assert (polish.box.left, polish.box.aside, polish.side.heads()) == (["own"], ["reply"], heads)


def test_the_duties_that_come_first_are_done_first(players: tuple[Post, Post]) -> None:
    """What is decided by them is not told as the player's to decide."""
    _, polish = players

    class Decider:
        def fulfil(self, read: bool) -> int:
            polish.side.decide()
            return int(read)

        def note(self, done: Round) -> None: ...

    with polish.side.desk() as desk:
        herald = Herald(desk, polish.tell, to_do, OWN, Decider())
        assert (herald.fulfil(read=True), polish.words()) == (1, [])


def test_the_command_tells_and_remembers_whom(players: tuple[Post, Post], tmp_path: Path) -> None:
    _, polish = players
    polish.side.now = polish.office.now
    ways = ["--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}", "--make", "--once"]
    done = polish.side("agent", *ways, "--tell", OWN, "--zone", "Europe/Warsaw")
    assert done.out.startswith(f"westerplatte: you are asked: {PLACE}, "), done
    assert done.out.endswith(
        ". Do now: your deadline is over since 2023-11-21 22:13 UTC, and german may claim the game now; "
        f"{DECIDE.replace('decide', 'decide and send at once', 1)}\n"
    )
    assert (done.err, polish.side("agent", "--once").out) == ("", "")
    mails = [path.read_bytes() for path in (tmp_path / "out" / "new").iterdir()]
    assert sum(f'To: "Bruno" <{OWN}>'.encode() in mail for mail in mails) == 1
    assert polish.side("agent", "--show").out.splitlines() == [
        f"mails come in at {ways[1]} and go out at {ways[3]}",
        f"what is yours to decide is mailed to {OWN}",
        "outbox: 2 sent",
    ]
    assert polish.side("agent", "--once", "--tell", "nobody").code == 0
    assert polish.side("agent", "--show").out.splitlines()[1] == "what is yours to decide is mailed to nobody"
    refused = polish.side("agent", "--once", "--tell", "Bruno")
    assert (
        refused.err.splitlines()[0]
        == "mail.address: expected your e-mail address such as anna@example.org, got 'Bruno'"
    )


def test_the_record_has_the_line(players: tuple[Post, Post], capsys: pytest.CaptureFixture[str]) -> None:
    _, polish = players
    with polish.side.desk() as desk:
        desk.clock = lambda: BEGIN
        Herald(desk, in_words(lambda: 0), in_time).fulfil(read=True)
    assert capsys.readouterr().err == (
        f'1970-01-01T00:00:00Z owed game=westerplatte step=2 text="westerplatte: you are asked: {PLACE}, by {BY}. '
        f'Do now: {DECIDE}"\n'
    )


def test_what_the_agent_sends_by_itself_is_not_his_to_do(players: tuple[Post, Post]) -> None:
    _, polish = players
    seen: list[bool] = []

    def advice(summary: dict[str, Any]) -> str:
        seen.append(summary["unsent"])
        return to_do({**summary, "waiting": []})

    with polish.side.desk() as desk:
        assert summary_of(desk, desk.home.game("westerplatte"))["unsent"]
        Herald(desk, polish.tell, advice).fulfil(True)
    assert seen == [False]
    assert "send your turn file" not in str(polish.told[-1][1]["text"])

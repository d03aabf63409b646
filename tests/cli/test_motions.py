"""`pbem motion` as two players use it: what is moved and asked for, what waits, and what is told."""

from __future__ import annotations

import re

import pytest

from pbem.app.delivery import time_left

from .client import Client
from .conftest import Players
from .motions import STATUS, mailed, text_of

DECIDE = (
    "decide: `pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte --submit orders.txt`"
)
SEND = "Do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`\n"


def told(client: Client) -> list[str]:
    """What `pbem status` says of motions and pauses."""
    return [line for line in client.does("status").out.splitlines()[3:-1] if "acknowledged" not in line]


# ------------------------------------------------------------------------------------------ moving and asking


MOVED = {
    "take-back": (("--to", "2"), "take play back to step 2", "play is taken back to step 2"),
    "extend": (("--days", "10"), "extend the deadline by 10 days", "the deadline is extended by 10 days"),
    "pause": ((), "pause the game", "the game is paused: no deadline runs"),
    "draw": ((), "end the game as a draw", "a draw was agreed at step {step}"),
}
UNDONE = """\
  would be undone: step 2
  step 2: polish's orders
    > the Poles set up: PL-1 in Koszary, PL-2 in Fort, PL-3 in Elektr, MTR in GH1, FG in GH2, ATG in GH3
"""


CHANGES = "`pbem orders westerplatte` shows what"


def shown(what: str) -> str:
    """What is told of a motion beside its words: a take-back shows what it would undo."""
    return UNDONE if what == "take-back" else ""


@pytest.mark.parametrize("what", MOVED)
def test_who_decides_moves_and_the_other_side_agrees(placed_table: Players, what: str) -> None:
    anna, bruno = placed_table
    options, words, result = MOVED[what]
    assert anna.does("motion", what, *options, "--why", "a trip").out == f"Moved: to {words}.\n{shown(what)}{SEND}"
    first = f"{CHANGES} it would change, then " if what == "take-back" else ""
    answer = (
        f"Do now: {first}answer the motion: `pbem motion agree westerplatte` or `pbem motion refuse westerplatte`\n"
    )
    assert mailed(anna, bruno) == (
        "westerplatte: 1 new event, 1 known already.\n" + f"  german moves to {words}: a trip\n" + answer
    )
    done = bruno.does("motion", "agree").out
    assert done.startswith(f"  > {result.format(step=4)}\n")
    assert f"  {result.format(step=4)}\n" in mailed(bruno, anna)
    assert anna.status()["head"] == bruno.status()["head"] or what == "draw"


@pytest.mark.parametrize("what", MOVED)
def test_who_waits_asks_and_the_other_side_agrees(placed_table: Players, what: str) -> None:
    anna, bruno = placed_table
    options, words, result = MOVED[what]
    assert bruno.does("motion", what, *options, "--why", "a trip").out == f"Asked: to {words}.\n{shown(what)}{SEND}"
    changes = f" ({CHANGES} that would change)" if what == "take-back" else ""
    assert mailed(bruno, anna).splitlines()[1:] == [
        f"  polish asks to {words}: a trip",
        f"Do now: agree with `pbem motion agree westerplatte`{changes}, or {DECIDE}",
    ]
    assert anna.does("motion", "agree").out.startswith(f"  > {result.format(step=3)}\n")
    assert f"  {result.format(step=3)}\n" in mailed(anna, bruno)


def test_a_motion_is_refused(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw")
    mailed(anna, bruno)
    assert bruno.does("motion", "refuse").out == (
        "  > german's motion to end the game as a draw is not agreed to\n" + SEND
    )
    assert mailed(bruno, anna).splitlines()[1:] == [
        "  german's motion to end the game as a draw is not agreed to",
        f"Do now: {DECIDE}",
    ]
    assert anna.refused("motion", "draw") == (
        "motion.refused: expected your decision, since your motion was not agreed to, got another motion\n"
        "hint: decide: `pbem orders westerplatte -o orders.txt`\n"
    )


def test_what_was_asked_for_is_refused_by_deciding(placed_table: Players) -> None:
    anna, bruno = placed_table
    bruno.does("motion", "draw")
    mailed(bruno, anna)
    assert anna.refused("motion", "refuse") == (
        "motion.by_deciding: expected your decision, which refuses what was asked for, got a refusal alone\n"
        "hint: go on: `pbem orders westerplatte -o orders.txt`\n"
    )
    anna.does("orders", "--submit", anna.write("german.txt", "place BB in Wa\n"))
    assert "asks" not in mailed(anna, bruno)
    assert told(bruno) == []


def test_conceding_ends_the_game_at_once(placed_table: Players) -> None:
    anna, bruno = placed_table
    assert anna.does("motion", "concede", "--why", "hopeless").out == (
        "Moved: to concede the game.\n  > german conceded at step 3\n"
        "  answered by itself, step 4: the closing of the game\n" + SEND
    )
    assert mailed(anna, bruno) == (
        "westerplatte: 2 new events, 1 known already.\n"
        "  german conceded at step 3\n"
        "  answered by itself, step 4: the closing of the game\n" + SEND
    )
    assert "  result: german conceded at step 3 (motion)" in bruno.does("status").out.splitlines()
    assert bruno.refused("motion", "draw") == (
        "motion.over: expected a game in play, got one that is over\nhint: see `pbem log`\n"
    )


def test_who_waits_concedes_and_the_other_program_takes_it(placed_table: Players) -> None:
    anna, bruno = placed_table
    assert bruno.does("motion", "concede").out == (
        f"Asked: to concede the game.\nThe other side's program agrees by itself when it imports this.\n{SEND}"
    )
    assert mailed(bruno, anna) == (
        "westerplatte: 1 new event, 3 known already.\n"
        "  polish conceded at step 3\n"
        "  answered by itself, step 3: a request that needs nobody's consent\n"
        f"  answered by itself, step 4: the closing of the game\n{SEND}"
    )
    assert (
        "  result: polish conceded at step 3 (motion); polish has not closed it" in anna.does("status").out.splitlines()
    )


def test_pausing_and_resuming(placed_table: Players) -> None:
    anna, bruno = placed_table
    assert anna.refused("motion", "resume") == (
        "motion.not_paused: expected a game that is paused, got one whose clock runs\n" + STATUS
    )
    anna.does("motion", "pause")
    mailed(anna, bruno)
    bruno.does("motion", "agree")
    paused = "  paused: no deadline runs; `pbem motion resume westerplatte` lets it run again"
    assert told(bruno) == [paused]
    mailed(bruno, anna)
    assert (told(anna), anna.status()["due"], anna.status()["paused"]) == ([paused], 0, True)
    assert anna.refused("motion", "pause") == (
        "motion.paused: expected a game whose clock runs, got one that is paused\n"
        "hint: `pbem motion resume westerplatte` lets it run again\n"
    )
    assert bruno.refused("motion", "claim") == (
        "lapse.paused: expected a game whose clock runs, got one that is paused\n"
        "hint: `pbem motion resume westerplatte` lets it run again, or a deadline run for whoever does not let it\n"
    )
    assert (
        anna.does("motion", "resume").out
        == f"Moved: to resume the game.\n  > the game is resumed\nDo now: {DECIDE}; one file then sends your motion "
        "with it, or `pbem export westerplatte -o turn.eml --eml` sends that at once\n"
    )
    assert (told(anna), anna.status()["due"] > 0) == ([], True)


def test_a_position_is_adjusted_as_a_difference(placed_table: Players) -> None:
    anna, bruno = placed_table
    before = anna.does("show", "--position").out
    unit = next(line for line in before.splitlines() if re.fullmatch(r"unit PL\S+ \S+", line))
    anna.write("position.txt", before.replace(unit, f"{unit} weak"))
    assert anna.does("motion", "adjust", "--position", "position.txt", "--why", "forgotten").out == (
        f"Moved: to adjust the position.\n  -{unit}\n  +{unit} weak\n{SEND}"
    )
    mailed(anna, bruno)
    assert bruno.does("orders").out == (
        "orders westerplatte step 4\n"
        "# german moves to adjust the position: forgotten\n"
        f"#   -{unit}\n"
        f"#   +{unit} weak\n"
        "# Write one of these two without its mark:\n"
        "# agree\n"
        "# refuse\n"
        "end\n"
    )
    assert text_of(anna).splitlines()[:4] == [
        "german moves to adjust the position: forgotten.",
        f"  -{unit}",
        f"  +{unit} weak",
        "Once this mail is imported, `pbem motion agree` agrees to that, and `pbem motion refuse` refuses it.",
    ]
    assert bruno.does("motion", "agree").out == f"  > the position is adjusted\n{SEND}"
    mailed(bruno, anna)
    assert f"{unit} weak" in anna.does("show", "--position").out.splitlines()


# ------------------------------------------------------------------------------------------ what waits


def test_status_log_and_mail_say_what_waits(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "take-back", "--to", "2", "--why", "the wrong fort")
    sentence = "german moves to take play back to step 2: the wrong fort"
    mailed(anna, bruno)
    lines = text_of(anna).splitlines()
    assert lines[1:4] == UNDONE.splitlines()
    assert [lines[0], *lines[4:7]] == [
        f"{sentence}.",
        "Once this mail is imported, `pbem motion agree` agrees to that, and `pbem motion refuse` refuses it.",
        "",
        f"The Battle of the Westerplatte, game westerplatte ({anna.status()['id'][:12]}), step 4.",
    ]
    for client in (anna, bruno):
        assert told(client) == [f"  {sentence}"]
        (proposed,) = client.status()["proposed"]
        assert proposed == {
            "role": "german",
            "moved": True,
            "text": sentence,
            "changing": True,
            "what": "take_back",
            "words": "take play back to step 2",
            "gives": False,
        }
        assert client.does("log").out.splitlines()[-2:] == [
            f"  now  {sentence}",
            "Do now: `pbem status westerplatte`.",
        ]
    bruno.does("export", "-o", "mail.eml", "--force")
    assert sentence not in text_of(bruno)


def test_a_mail_says_what_is_asked_for(placed_table: Players) -> None:
    anna, bruno = placed_table
    bruno.does("motion", "draw")
    bruno.does("motion", "pause", "--why", "holidays")
    imported = mailed(bruno, anna)
    first, second, how = text_of(bruno).splitlines()[:3]
    assert {first, second} == {"polish asks to end the game as a draw.", "polish asks to pause the game: holidays."}
    assert how == (
        "Once this mail is imported, `pbem status` says how to agree to one of these, and your decision refuses them."
    )
    agreeing = " or ".join(
        f"`pbem motion agree westerplatte --event {one['event'][:16]}` ({one['text']})"
        for one in anna.status()["proposed"]
    )
    assert imported.splitlines()[-1] == f"Do now: agree with {agreeing}, or {DECIDE}"
    first = anna.status()["proposed"][0]
    anna.does("motion", "agree", "--event", first["event"][:16])


def test_a_mail_says_of_what_was_withdrawn_that_nobody_has_to_answer(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw")
    mailed(anna, bruno)
    anna.does("motion", "withdraw")
    anna.does("export", "-o", "mail.eml", "--force")
    assert text_of(anna).splitlines()[:2] == [
        "german moves to end the game as a draw (withdrawn).",
        "Nobody has to answer that: once this mail is imported, the program refuses it by itself.",
    ]


def test_a_long_difference_is_cut_in_the_mail(placed_table: Players) -> None:
    anna, bruno = placed_table
    position = anna.does("show", "--position").out
    anna.write("position.txt", re.sub(r"(?m)^(unit \S+ \S+)$", r"\1 weak", position))
    anna.does("motion", "adjust", "--position", "position.txt")
    mailed(anna, bruno)
    lines = text_of(anna).splitlines()
    assert sum(line.startswith(("  -unit", "  +unit")) for line in lines) <= 20
    assert bruno.does("orders").out.count(" weak\n") == position.count("\nunit ") - position.count(" weak\n")


# ------------------------------------------------------------------------------------------ what is told


def test_a_position_that_does_not_differ_is_not_moved(placed_table: Players) -> None:
    anna = placed_table.anna
    position = anna.does("show", "--position").out
    before = anna.status()
    for text in (position, f"# the same\n{position}", "\n".join(reversed(position.splitlines()))):
        assert anna.refused("motion", "adjust", "--position", "-", stdin=text.encode()) == (
            "motion.same: expected a position that differs from the present one, got one in which nothing differs\n"
            "hint: change a line of what `pbem show westerplatte --position` prints\n"
        )
    assert anna.status() == before


def test_who_must_agree_to_a_position_is_told_how_to_see_it(placed_table: Players) -> None:
    anna, bruno = placed_table
    position = anna.does("show", "--position").out.replace("unit PL-1 Koszary", "unit PL-1 GH1")
    anna.does("motion", "adjust", "--position", "-", stdin=position.encode())
    said = (
        "`pbem orders westerplatte` shows what it would change, then answer the motion: `pbem motion agree "
        "westerplatte` or `pbem motion refuse westerplatte`"
    )
    assert mailed(anna, bruno).splitlines()[1:] == ["  german moves to adjust the position", f"Do now: {said}"]
    assert bruno.does("status").last == f"  do now: {said}"


def test_a_sheet_from_before_a_motion_is_an_old_one(placed_table: Players) -> None:
    anna, bruno = placed_table
    sheet = anna.does("orders").out.replace("# place BB", "place BB").encode()
    anna.does("motion", "draw")
    assert anna.refused("orders", "--submit", "-", stdin=sheet) == (
        "orders.not_asked: expected a question to german, got none: the game waits for polish (to agree to a motion or "
        "to refuse it)\n" + STATUS
    )
    mailed(anna, bruno)
    bruno.does("motion", "refuse")
    mailed(bruno, anna)
    assert anna.refused("orders", "--submit", "-", stdin=sheet) == (
        "orders.old_sheet: expected a sheet for game westerplatte, step 5, got one for westerplatte, step 3, where you "
        "have moved something instead of giving orders\n"
        "hint: write a new one with `pbem orders westerplatte -o orders.txt`\n"
    )
    fresh = anna.does("orders").out.splitlines()[0]
    assert fresh == "orders westerplatte step 5"


def key_of(client: Client) -> str:
    """The words of the key that a client signs a game with."""
    shown = client.does("verify", "westerplatte", "--running").out
    return next(line.partition("key in words: ")[2] for line in shown.splitlines() if "Anna" in line)


def test_a_new_key_is_told_with_its_words_on_both_sides(placed_table: Players) -> None:
    anna, bruno = placed_table
    old = key_of(anna)
    first = anna.does("motion", "rotate").out.splitlines()[0]
    words = key_of(anna)
    assert words != old
    assert first == (
        f"Moved: to sign with a new key of Anna <anna@example.org>; the new key in words is '{words}' "
        "(compare them by telephone)."
    )
    told = "german signs with a new key of Anna <anna@example.org> from step 4 on"
    assert mailed(anna, bruno).splitlines()[1:3] == [
        f"  {told}",
        f"  That new key in words: {words}; compare them by telephone.",
    ]
    for client in placed_table:
        assert client.does("log").out.splitlines()[-2] == f"    3  {told}; that key in words is '{words}' (motion)"


def test_who_waits_rotates_and_is_told_that_it_needs_nobody(placed_table: Players) -> None:
    anna, bruno = placed_table
    said = bruno.does("motion", "rotate").out.splitlines()
    assert said[0].startswith("Asked: to sign with a new key of Bruno <bruno@example.org>; the new key in words is '")
    assert said[1] == "The other side's program agrees by itself when it imports this."
    assert "  polish signs with a new key of Bruno <bruno@example.org> from step 4 on\n" in mailed(bruno, anna)


RULE_HELP = """\
  What is owed                what a ruling leads to
  a share of the dice         it is opened from what was deposited with you
  the opening of sealed       they are opened from what was deposited; what
  orders                      does not open becomes its default
  a decision, sealed or not   its default stands in its place
  an answer to a motion       --agree carries the motion out; else it is
                              refused
  a deposit with you          before play nobody loses: `pbem motion annul`
                              ends the game without a result; during the
                              game it is over: whoever withheld it has lost
"""


def test_the_help_says_what_each_ruling_leads_to(table: Players) -> None:
    assert RULE_HELP in table.anna.does("motion", "rule", "--help").out


def test_a_player_of_a_game_without_a_referee_cannot_rule(table: Players) -> None:
    assert table.anna.refused("motion", "rule") == (
        "rule.referee: expected the referee's home, got that of german\n"
        "hint: this game has no referee: `pbem motion claim westerplatte` claims what is owed beyond a deadline, "
        "`pbem motion appoint westerplatte --offer FILE` makes somebody the referee\n"
    )


def test_a_deadline_has_never_more_left_than_was_given(table: Players) -> None:
    assert table.anna.refused("motion", "claim") == (
        "lapse.too_early: expected the deadline to be over, got 168 hours left\n"
        "hint: `pbem status westerplatte` says until when\n"
    )
    assert [time_left(seconds, 7) for seconds in (1, 3600, 3601, 168 * 3600, 168 * 3600 + 59)] == [
        "1 hour left",
        "1 hour left",
        "2 hours left",
        "168 hours left",
        "168 hours left",
    ]

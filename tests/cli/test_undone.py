"""`--show` of a motion: what a take-back would undo and what stays as it was agreed, and what a position changes."""

from __future__ import annotations

from .conftest import Players
from .motions import mailed


def test_what_was_agreed_about_the_clock_and_the_seats_is_not_undone(placed_table: Players) -> None:
    anna, bruno = placed_table
    for what in ("pause", "draw"):
        anna.does("motion", what)
        mailed(anna, bruno)
        bruno.does("motion", "agree" if what == "pause" else "refuse")
        mailed(bruno, anna)
    anna.does("orders", "--submit", "-", stdin=b"place BB in Wa\n")
    mailed(anna, bruno)
    mailed(bruno, anna)
    one, other = placed_table.asked()
    one.does("motion", "rotate")
    mailed(one, other)
    rotation = one.status()["step"] - 1
    shown = one.does("motion", "take-back", "--to", "3", "--show").out.splitlines()
    assert shown[0] == f"would be undone: steps 3 to {rotation}"
    assert [line for line in shown if line.startswith("step ")] == [
        "step 7: german's orders",
        "step 8: german's share of the dice and polish's share of the dice",
    ]
    role, name = one.status()["role"], one.home.name
    assert shown[-3:] == [
        "stays as it is, from step 4: the game is paused: no deadline runs",
        f"stays as it is, from step {rotation}: {role} signs with a new key of {name.title()} <{name}@example.org> "
        f"from step {rotation + 1} on",
        "Nothing was moved. Do now: `pbem motion take-back westerplatte --to 3` moves it.",
    ]
    one.does("motion", "take-back", "--to", "3")
    mailed(one, other)
    other.does("motion", "agree")
    assert other.status()["paused"]


def test_a_position_is_shown_and_moved_only_later(placed_table: Players) -> None:
    anna = placed_table.anna
    position = anna.does("show", "--position").out
    anna.write("position.txt", position.replace("unit PL-1 Koszary", "unit PL-1 GH1"))
    before = anna.status()
    assert anna.does("motion", "adjust", "--position", "position.txt", "--show").out == (
        "-unit PL-1 Koszary\n"
        "+unit PL-1 GH1\n"
        "Nothing was moved. Do now: `pbem motion adjust westerplatte --position position.txt` moves it.\n"
    )
    assert anna.status() == before
    assert anna.refused("motion", "adjust", "--show", "--position", "-", stdin=position.encode()).startswith(
        "motion.same: "
    )


def test_half_a_position_signs_no_loss_of_units_unasked(placed_table: Players) -> None:
    anna = placed_table.anna
    lines = anna.does("show", "--position").out.splitlines()
    units = [line for line in lines if line.startswith("unit ") and not line.endswith(" lost")]
    anna.write("half.txt", "".join(f"{line}\n" for line in lines if not line.startswith(("unit PL-1", "unit MTR"))))
    assert anna.refused("motion", "adjust", "--position", "half.txt") == (
        f"motion.lost_units: expected a line for each of {len(units)} units, got {len(units) - 2}: without one are "
        "PL-1, MTR, which would be lost by it\n"
        "hint: begin from `pbem show westerplatte --position > position.txt`; where they are meant to be lost, say "
        "--anyway\n"
    )
    assert anna.does("motion", "adjust", "--position", "half.txt", "--show").out.splitlines()[-2:] == [
        "would be lost by it: PL-1, MTR",
        "Nothing was moved. Do now: `pbem motion adjust westerplatte --position half.txt` moves it.",
    ]
    done = anna.does("motion", "adjust", "--position", "half.txt", "--anyway").out.splitlines()
    assert (done[0], {line[8:] for line in done if line.startswith("  -unit")}) == (
        "Moved: to adjust the position.",
        {line[5:] for line in lines if line.startswith(("unit PL-1", "unit MTR"))},
    )


def test_a_unit_whose_loss_is_written_is_lost_without_more_words(placed_table: Players) -> None:
    anna = placed_table.anna
    anna.write("lost.txt", anna.does("show", "--position").out.replace("unit PL-1 Koszary", "UNIT pl-1 lost"))
    assert anna.does("motion", "adjust", "--position", "lost.txt").out.splitlines()[1:3] == [
        "  -unit PL-1 Koszary",
        "  +unit PL-1 lost",
    ]


def test_a_line_taken_out_of_a_campaign_s_position_is_noticed(new_table: Players) -> None:
    anna, bruno = new_table
    for game in ("polska1939", "white_eagle"):
        anna.does("new", game, "--as", "german", "--opponent", "bruno@example.org", "-o", f"{game}.txt")
        bruno.does("accept", f"{game}.txt", "-o", f"{game}-answer.txt")
        anna.does("import", f"{game}-answer.txt")
        lines = anna.does("show", game, "--position").out.splitlines()
        units = [line for line in lines if line.startswith("unit ")]
        lines.remove(units[0])
        text = "".join(f"{line}\n" for line in lines).encode()
        assert anna.refused("motion", "adjust", game, "--position", "-", stdin=text).splitlines()[0] == (
            f"motion.lost_units: expected a line for each of {len(units)} units, got {len(units) - 1}: without one are "
            f"{units[0].split()[1]}, which would be lost by it"
        )

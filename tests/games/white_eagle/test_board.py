"""The board's questions, and every error that a transcription of it can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import BadRequest
from pbem.games.white_eagle import board as board_module
from pbem.games.white_eagle.board import BOXES, LINES, BoxId, Country, Line, parse_board
from pbem.games.white_eagle.kinds import HINT
from pbem.rules.tables import Source

FOLDER = Path(board_module.__file__).parent / "data"
BOX_HEAD = "id,name,country,victory,fort,east,x,y,source,note"
LINE_HEAD = "a,b,difficult,source,note"
SMALL_BOXES = (
    "Wschod,Wschód,PL,3,POL-North,1,300,100,house,",
    "Zachod,Zachód,PL,3,,0,200,100,house,hill",
    "Brama,Brama,DE,3,,0,100,100,printed,",
    "Most,Most,SU,3,,1,400,100,inferred,",
)
SMALL_LINES = ("Brama,Zachod,0,house,", "Zachod,Wschod,1,house,a wide river", "Most,Wschod,0,house,")
W, Z, B, M = (BoxId(name) for name in ("Wschod", "Zachod", "Brama", "Most"))


def files(boxes: tuple[str, ...] = SMALL_BOXES, lines: tuple[str, ...] = SMALL_LINES) -> dict[str, bytes]:
    return {
        BOXES: "\n".join((BOX_HEAD, *boxes)).encode(),
        LINES: "\n".join((LINE_HEAD, *lines)).encode(),
    }


SMALL = parse_board(files())


def refusal(given: dict[str, bytes]) -> str:
    with pytest.raises(BadRequest) as caught:
        parse_board(given)
    return f"{caught.value.code}: {caught.value.text}"


def with_box(old: str, new: str) -> dict[str, bytes]:
    """The small board with a part of its first box written otherwise."""
    assert old in SMALL_BOXES[0]
    return files((SMALL_BOXES[0].replace(old, new, 1), *SMALL_BOXES[1:]))


def with_line(line: str) -> dict[str, bytes]:
    return files(lines=(*SMALL_LINES, line))


# ---------------------------------------------------------------------- questions


@pytest.mark.rule("white_eagle:7.0.b1", "white_eagle:7.0.b2")
def test_7_0_an_easy_line_costs_one_point_and_a_difficult_one_two_both_ways() -> None:
    assert [SMALL.cost(B, Z), SMALL.cost(Z, B), SMALL.cost(Z, W), SMALL.cost(W, Z)] == [1, 1, 2, 2]


def test_7_0_no_cost_where_no_line_leads() -> None:
    with pytest.raises(KeyError):
        SMALL.cost(B, W)


def test_lines_keep_what_their_row_says() -> None:
    assert SMALL.lines[1] == Line(Z, W, True, Source.HOUSE, "a wide river")


def test_neighbours_are_sorted() -> None:
    assert dict(SMALL.neighbours) == {W: (M, Z), Z: (B, W), B: (Z,), M: (W,)}


def test_distance_counts_lines_and_not_what_they_cost() -> None:
    assert [SMALL.distance(B, box) for box in (B, Z, W, M)] == [0, 1, 2, 3]


def test_8_5_distance_to_a_country_is_that_of_its_nearest_box() -> None:
    home = (Country.GERMANY, Country.EAST_PRUSSIA)
    assert [SMALL.to_country(box, home) for box in (B, Z, W, M)] == [0, 1, 2, 3]
    assert SMALL.to_country(M, (Country.POLAND,)) == 1


def test_8_5_no_distance_to_a_country_without_boxes() -> None:
    with pytest.raises(ValueError, match="empty"):
        SMALL.to_country(B, (Country.SLOVAKIA,))


@pytest.mark.rule("white_eagle:2.1.b1", "white_eagle:2.1.b2")
def test_2_1_victory_cities_forts_and_boxes_of_poland() -> None:
    assert SMALL.victory_cities == (W, Z, B, M)
    assert SMALL.forts == (W,)
    assert [box for box in SMALL.boxes if SMALL.in_poland(box)] == [W, Z]


def test_a_board_is_written_with_or_without_the_mark_of_spreadsheets() -> None:
    marked = {name: b"\xef\xbb\xbf" + content for name, content in files().items()}
    assert parse_board(marked).boxes == SMALL.boxes


# ---------------------------------------------------------------------- bad transcriptions


@pytest.mark.parametrize("name", [BOXES, LINES])
def test_a_missing_table_is_named(name: str) -> None:
    given = {key: content for key, content in files().items() if key != name}
    assert refusal(given) == f"data.missing: expected {name} among the data files, got none"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Wschod", "Wschód", "1 to 16 letters, digits and hyphens without accents in {}, column 'id', got 'Wschód'"),
        ("Wschod", "zachod", None),
        ("Wschód", "", "a name in {}, column 'name', got ''"),
        ("Wschód", "zachód", None),
        ("PL", "XX", "one of PL, DE, EP, DZ, SK, SU in {}, column 'country', got 'XX'"),
        (",3,", ",4,", "a whole number from 0 to 3 in {}, column 'victory', got '4'"),
        (
            "POL-North",
            "POL-East",
            "one of GER-North, GER-South, SOV-Belorussian, SOV-Ukrainian, POL-North, POL-Central, POL-South"
            " in {}, column 'fort', got 'POL-East'",
        ),
        (",1,300", ",2,300", "a whole number from 0 to 1 in {}, column 'east', got '2'"),
        ("300", "-1", "a whole number from 0 to 9999 in {}, column 'x', got '-1'"),
        ("100,house", "0x1,house", "a whole number from 0 to 9999 in {}, column 'y', got '0x1'"),
        ("house", "guess", "one of printed, inferred, house in {}, column 'source', got 'guess'"),
        ("PL", "DE", "1 for the Soviet Union, 0 for any other state but Poland in {}, column 'east', got '1'"),
        (",house,", ",house,\a", "printable text in {}, column 'note', got '\\x07'"),
    ],
)
def test_a_wrong_cell_of_a_box_is_named(old: str, new: str, said: str | None) -> None:
    text = refusal(with_box(old, new))
    if said is None:
        column, value = ("id", "Zachod") if old == "Wschod" else ("name", "Zachód")
        what = "a box" if column == "id" else "a name"
        said = f"{what} that no other line has in boxes.csv, line 3, column '{column}', got '{value}'"
    assert text == "data.value: expected " + said.format("boxes.csv, line 2")


def test_a_soviet_box_west_of_the_line_is_refused() -> None:
    text = refusal(files((*SMALL_BOXES[:3], SMALL_BOXES[3].replace(",1,400", ",0,400"))))
    assert text.endswith("in boxes.csv, line 5, column 'east', got '0'")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Brama,Nigdzie,0,house,", "a box of boxes.csv in {}, column 'b', got 'Nigdzie'"),
        ("Nigdzie,Brama,0,house,", "a box of boxes.csv in {}, column 'a', got 'Nigdzie'"),
        ("Most,Most,0,house,", "two different boxes that no other line joins in {}, column 'b', got 'Most'"),
        ("Brama,Zachod,1,house,", "two different boxes that no other line joins in {}, column 'b', got 'Zachod'"),
        ("Zachod,Brama,1,house,", "two different boxes that no other line joins in {}, column 'b', got 'Brama'"),
        ("Brama,Wschod,2,house,", "a whole number from 0 to 1 in {}, column 'difficult', got '2'"),
        ("Brama,Wschod,1,,", "one of printed, inferred, house in {}, column 'source', got ''"),
    ],
)
def test_a_wrong_line_is_named(line: str, said: str) -> None:
    assert refusal(with_line(line)) == "data.value: expected " + said.format("lines.csv, line 5")


def test_columns_and_cells_are_counted() -> None:
    assert refusal({**files(), LINES: b"a,b,cost\n"}) == (
        "data.columns: expected the columns a,b,difficult,source,note in lines.csv, line 1, got 'a,b,cost'"
    )
    assert refusal(with_line("Brama,Wschod,1")) == "data.cells: expected 5 values in lines.csv, line 5, got 3"


def test_6_1_control_markers_must_be_twelve() -> None:
    assert refusal(with_box(",3,", ",1,")) == (
        "data.markers: expected 12 control markers in all in boxes.csv, column 'victory', got 10"
    )


def test_boxes_that_no_line_reaches_are_named() -> None:
    with pytest.raises(BadRequest) as caught:
        parse_board(files(lines=SMALL_LINES[1:2]))
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "data.apart",
        "expected lines from Wschod to every box in lines.csv, got none that lead to Brama, Most",
        HINT,
    )


def test_of_many_boxes_that_no_line_reaches_eight_are_named() -> None:
    others = tuple(f"Wyspa{letter},Wyspa {letter},PL,0,,0,300,{y},house," for y, letter in enumerate("ABCDEFGHI", 300))
    with pytest.raises(BadRequest) as caught:
        parse_board(files((*SMALL_BOXES, *others)))
    assert caught.value.text == (
        "expected lines from Wschod to every box in lines.csv, got none that lead to WyspaA, WyspaB, WyspaC, WyspaD, "
        "WyspaE, WyspaF, WyspaG, WyspaH and 1 more"
    )

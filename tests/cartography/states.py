"""The states of 1939 as polygons, put together from the coasts and frontiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.cartography.plane import Point, project

Ring = list[Point]
Lines = Mapping[str, Sequence[Point]]


def _far(*pairs: tuple[float, float]) -> Ring:
    return [project(lat, lon) for lat, lon in pairs]


def poland(lines: Lines) -> Ring:
    """Counter-clockwise from the mouth of the Piaśnica, the western cap cut off by the frame."""
    return [
        *lines["corridor_west"],
        *lines["wielkopolska_west"],
        *lines["carpathians"],
        *lines["hungary"],
        *lines["romania"],
        *lines["dniester"],
        *lines["soviet_south"],
        *lines["latvia"],
        *lines["lithuania"],
        *lines["prussia_south"],
        *lines["vistula_danzig"],
        *reversed(lines["coast_corridor"]),
    ]


def painted(lines: Lines) -> list[tuple[str, Ring]]:
    """States to paint in this order: what lies above covers what lies below."""
    soviet = [
        *lines["romania_east"],
        *_far((48.2, 31.0), (57.0, 31.0), (57.0, 28.2)),
        *reversed(lines["latvia_soviet"]),
        *reversed(lines["soviet_south"]),
    ]
    germany_west = [
        *lines["coast_west"],
        *_far((54.0, 18.3), (51.5, 19.4), (50.2, 19.3), (49.52, 18.52)),
        *lines["slovakia_moravia"],
        *_far((48.9, 14.0), (54.1, 14.0)),
    ]
    prussia = [
        *lines["coast_danzig"],
        *lines["coast_prussia"],
        *reversed(lines["lithuania_prussia"]),
        *_far(
            (54.0, 23.0),
            (53.4, 22.8),
            (53.2, 21.5),
            (53.0, 20.0),
            (53.3, 18.85),
            (54.1, 18.2),
            (54.35, 18.3),
            (54.45, 18.5),
        ),
    ]
    slovakia = [
        *lines["slovakia_moravia"],
        *_far((47.9, 17.9)),
        *reversed(lines["slovakia_hungary"]),
        *reversed(lines["carpathians"]),
    ]
    rest = [
        *_far((48.9, 14.0), (47.0, 14.0), (46.5, 32.0), (57.6, 32.0)),
        *reversed(lines["coast_lithuania"]),
        *_far((52.0, 20.5)),
    ]
    return [
        ("off", rest),
        ("SU", soviet),
        ("DE", germany_west),
        ("DE", prussia),
        ("SK", slovakia),
        ("", list(lines["haff_vistula"])),
        ("", list(lines["haff_curonian"])),
        ("PL", poland(lines)),
    ]

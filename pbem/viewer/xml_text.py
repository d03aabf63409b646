"""Elements of an XML page as text: everything that comes from outside is escaped here and nowhere else."""

from __future__ import annotations

from html import escape


def safe(text: str) -> str:
    """Text for content or a quoted attribute; what no XML page may hold becomes a replacement character."""
    return escape("".join(each if _is_allowed(each) else "\N{REPLACEMENT CHARACTER}" for each in text))


def tag(name: str, *children: str, **attributes: int | str) -> str:
    """One element; `children` are elements already, `stroke_width=3` becomes `stroke-width="3"`."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{safe(str(value))}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(children)}</{name}>" if children else f"<{name}{given}/>"


def words(text: str, x: int, y: int, size: int, **attributes: int | str) -> str:
    """A line of text whose base line starts, ends or is centred at `x`, `y`."""
    look: dict[str, int | str] = {"font_size": size, "text_anchor": "middle", **attributes}
    return tag("text", safe(text), x=x, y=y, **look)


def _is_allowed(character: str) -> bool:
    """No control, surrogate, private or unassigned character, and none that turns the reading direction."""
    return character.isprintable() or character == "\N{NO-BREAK SPACE}"

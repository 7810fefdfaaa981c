"""What a command shows, described once: for terminals (terminal.py) and as Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
# what could move the cursor, recolour or reverse the terminal: pages are written by strangers
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Item:
    """One thing that was found."""

    title: str
    url: str = ""
    facts: tuple[str, ...] = ()
    text: str = ""
    warning: str = ""


@dataclass(frozen=True)
class Items:
    """A numbered list."""

    items: tuple[Item, ...]


@dataclass(frozen=True)
class Grid:
    """A table."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Text:
    """A document in Markdown."""

    text: str


@dataclass(frozen=True)
class PlainText:
    """Text to take as it is: a plot, a bibliography."""

    text: str


@dataclass(frozen=True)
class Note:
    """A line about the rest."""

    text: str
    warning: bool = False


Part = Items | Grid | Text | PlainText | Note
View = Callable[[Json], Iterable[Part]]


def inside(body: Json, name: str) -> Json:
    """Return an object of a result, empty if it is not there."""
    return body.get(name) or {}


def many(body: Json, name: str) -> list[Any]:
    """Return a list of a result, empty if it is not there."""
    return body.get(name) or []


def clean(text: str) -> str:
    """Return text without anything that a terminal would obey."""
    return _CONTROLS.sub("", text)


def one_line(text: object, most: int = 0) -> str:
    """Return text on one line, cut to `most` characters if that is given."""
    line = " ".join(clean(str(text)).split())
    return line if not most or len(line) <= most else f"{line[: most - 1]}…"


def counted(number: int | None, thing: str) -> str:
    """Return how many there are, with the thing in the right number."""
    return f"{number or 0} {thing}{'' if number == 1 else 's'}"


def facts(*values: object) -> tuple[str, ...]:
    """Return what there is of these, each on one line."""
    return tuple(one_line(value) for value in values if value not in (None, "", False))


def grid(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Grid:
    """Return a table of anything, without the columns that are empty."""
    cells = [["" if cell is None else one_line(cell) for cell in row] for row in rows]
    kept = [i for i in range(len(head)) if any(row[i] for row in cells)]
    return Grid(tuple(head[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in cells))


def markdown(parts: Iterable[Part]) -> str:
    """Return the parts as a Markdown document."""
    return "\n\n".join(clean(block) for block in map(_block, parts) if block) + "\n"


def _block(part: Part) -> str:
    match part:
        case Items(items):
            return "\n".join(line for n, item in enumerate(items, 1) for line in _item(n, item))
        case Grid(head, rows):
            return "\n".join(map(_row, (head, tuple("---" for _ in head), *rows)))
        case Text(text):
            return text.strip("\n")
        case PlainText(text):
            return f"```text\n{text.rstrip()}\n```"
        case Note(text):
            return f"> {one_line(text)}"


def _item(number: int, item: Item) -> Iterator[str]:
    title = re.sub(r"([\[\]])", r"\\\1", one_line(item.title))
    yield f"{number}. [{title}](<{one_line(item.url)}>)" if item.url else f"{number}. {title}"
    if item.warning:
        yield f"   - **{one_line(item.warning)}**"
    if item.facts:
        yield f"   - {' · '.join(item.facts)}"
    if item.text:
        yield f"   - {one_line(item.text)}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"

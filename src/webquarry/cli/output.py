"""The parts of a command's output, and how they look as Markdown (terminal.py prints them)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
# control characters and bidi overrides: a web page must not be able to control the terminal
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Item:
    """One search result."""

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

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Text:
    """A document in Markdown."""

    text: str


@dataclass(frozen=True)
class PlainText:
    """Text without markup: a plot, a bibliography."""

    text: str


@dataclass(frozen=True)
class Note:
    """A remark or warning about the result, on one line."""

    text: str
    warning: bool = False


Part = Items | Grid | Text | PlainText | Note
View = Callable[[Json], Iterable[Part]]


def object_field(body: Json, name: str) -> Json:
    """Return an object of a result, empty if it is absent."""
    return body.get(name) or {}


def list_field(body: Json, name: str) -> list[Any]:
    """Return a list of a result, empty if it is absent."""
    return body.get(name) or []


def clean(text: str) -> str:
    """Return text without control characters."""
    return _CONTROLS.sub("", text)


def one_line(text: object, max_length: int = 0) -> str:
    """Return text on one line, cut to `max_length` characters if that is not 0."""
    line = " ".join(clean(str(text)).split())
    return line if not max_length or len(line) <= max_length else f"{line[: max_length - 1]}…"


def plural(number: int | None, noun: str) -> str:
    """Return a number with its noun in singular or plural."""
    return f"{number or 0} {noun}{'' if number == 1 else 's'}"


def facts(*values: object) -> tuple[str, ...]:
    """Return the values that are not empty, each on one line."""
    return tuple(one_line(value) for value in values if value not in (None, "", False))


def grid(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Grid:
    """Return a table without its empty columns."""
    table = [headings, *([_cell(value) for value in row] for row in rows)]
    columns = [column for column in zip(*table, strict=True) if any(column[1:])]
    head, *body = zip(*columns, strict=True) if columns else [()]
    return Grid(head, tuple(body))


def markdown(parts: Iterable[Part]) -> str:
    """Return the parts as a Markdown document."""
    return "\n\n".join(clean(block) for block in map(_block, parts) if block) + "\n"


def _cell(value: object) -> str:
    return "" if value is None else one_line(value)


def _block(part: Part) -> str:
    match part:
        case Items(items):
            return "\n".join(line for n, item in enumerate(items, 1) for line in _item(n, item))
        case Grid(headings, rows):
            return "\n".join(map(_row, (headings, ("---",) * len(headings), *rows)))
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

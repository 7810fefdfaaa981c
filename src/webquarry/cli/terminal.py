"""Prints the output of a command: styled on a terminal, plain elsewhere, or as JSON or Markdown."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Literal

from webquarry.cli import output
from webquarry.cli.output import Grid, Item, Items, Note, Part, PlainText, Text

OutputFormat = Literal["text", "json", "markdown"]
_C1_CONTROLS = re.compile("[\x7f-\x9f]")


def show(parts: Iterable[Part], body: Any, form: OutputFormat) -> None:
    """Print a result as text, JSON or Markdown."""
    if form == "text" and is_terminal():
        # imported here: it takes long, and files and pipes do not need it
        from webquarry.cli.styled_output import print_styled

        print_styled(parts)
    else:
        sys.stdout.write(unstyled(parts, body, form))


def show_document(parts: Iterable[Part], body: Any, form: OutputFormat) -> None:
    """Print a document that others may save: through a pager on a terminal, notes on stderr."""
    parts = list(parts)
    if form == "text" and is_terminal():
        from webquarry.cli.pager import page_text
        from webquarry.cli.styled_output import styled_text

        page_text(styled_text(parts))
        return
    sys.stdout.write(unstyled(without_notes(parts), body, form))
    if form != "json":
        sys.stdout.flush()
        print_notes(parts)


def print_notes(parts: Iterable[Part]) -> None:
    """Print the notes among the parts on stderr."""
    for part in parts:
        if isinstance(part, Note):
            sys.stderr.write(_plain(part))


def without_notes(parts: Iterable[Part]) -> list[Part]:
    """Return the parts that are content."""
    return [part for part in parts if not isinstance(part, Note)]


def unstyled(parts: Iterable[Part], body: Any, form: OutputFormat) -> str:
    """Return a result as it is written to a file."""
    if form == "json":
        text = json.dumps(body, ensure_ascii=False, indent=2)
        return _C1_CONTROLS.sub(_escape, text) + "\n"
    return output.markdown(parts) if form == "markdown" else "\n".join(map(_plain, parts))


def is_terminal() -> bool:
    """Whether the output is for a person at a terminal."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _plain(part: Part) -> str:
    """Return a part as lines of plain text."""
    match part:
        case Items(items):
            blocks = ("".join(_item_lines(n, item)) for n, item in enumerate(items, 1))
            return "\n".join(blocks)
        case Grid():
            return "".join(_columns(part))
        case Text(text) | PlainText(text):
            return output.clean(text).strip("\n") + "\n"
        case Note(text, warning):
            return f"{'! ' if warning else ''}{output.one_line(text)}\n"


def _item_lines(number: int, item: Item) -> Iterator[str]:
    margin = f"{number:>2}. "
    indent = " " * len(margin)
    yield f"{margin}{output.one_line(item.title)}\n"
    if item.url:
        yield f"{indent}{output.one_line(item.url)}\n"
    if item.warning:
        yield f"{indent}! {output.one_line(item.warning)}\n"
    if item.facts:
        yield f"{indent}{' · '.join(item.facts)}\n"
    if item.text:
        yield f"{indent}{output.one_line(item.text)}\n"


def _columns(part: Grid) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(part.headings, *part.rows, strict=True)]
    for line in chain((part.headings,), part.rows):
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(cells).rstrip() + "\n"


def has_display() -> bool:
    """Tell whether windows can be opened here."""
    is_desktop = sys.platform in {"darwin", "win32"}
    return is_desktop or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))

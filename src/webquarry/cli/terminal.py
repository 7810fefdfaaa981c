"""Prints what a command shows: for eyes on a terminal, for programs elsewhere."""

import json
import re
import sys
from collections.abc import Iterable
from typing import Any, Literal

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text as Styled

from webquarry.cli import output
from webquarry.cli.output import Grid, Item, Items, Note, Part, PlainText, Text

Form = Literal["eyes", "json", "markdown"]
_WIDEST = 100_000  # where nobody looks, a line ends where it ends
_READABLE = 110  # columns; longer lines of prose are hard to follow
_C1 = re.compile("[\x7f-\x9f]")


def show(parts: Iterable[Part], body: Any, form: Form) -> None:
    """Print a result in the form that was asked for."""
    if form == "json":
        sys.stdout.write(_C1.sub(_escape, json.dumps(body, ensure_ascii=False, indent=2)) + "\n")
    elif form == "markdown":
        sys.stdout.write(output.markdown(parts))
    else:
        console = Console(highlight=False, markup=False, emoji=False)
        if not console.is_terminal:
            console.width = _WIDEST
        for place, part in enumerate(parts):
            if place:
                console.print()
            _print(console, part)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _print(console: Console, part: Part) -> None:
    match part:
        case Items(items):
            for number, item in enumerate(items, 1):
                if number > 1:
                    console.print()
                _print_item(console, number, item)
        case Grid():
            _print_grid(console, part)
        case Text(text) if console.is_terminal:
            console.print(Markdown(output.clean(text)), width=min(console.width, _READABLE))
        case Text(text) | PlainText(text):
            console.print(Styled(output.clean(text).strip("\n")), soft_wrap=True)
        case Note(text, warning):
            mark, style = ("! ", "yellow") if warning else ("", "dim")
            console.print(Styled(mark + output.one_line(text), style=style), soft_wrap=True)


def _print_item(console: Console, number: int, item: Item) -> None:
    margin = f"{number:>2}. "
    indent = " " * len(margin)
    console.print(Styled(margin, style="dim") + Styled(output.one_line(item.title), style="bold"))
    if item.url:  # never broken: it must be possible to copy it
        url = Styled(indent + output.one_line(item.url), style="cyan")
        console.print(url, soft_wrap=True)
    if item.warning:
        console.print(Styled(f"{indent}! {output.one_line(item.warning)}", style="bold red"))
    if item.facts:
        _print_inside(console, len(margin), Styled(" · ".join(item.facts), style="dim"))
    if item.text:
        _print_inside(console, len(margin), Styled(output.one_line(item.text)))


def _print_inside(console: Console, margin: int, text: Styled) -> None:
    if not console.is_terminal:
        console.print(Styled(" " * margin) + text, soft_wrap=True)
        return
    for line in text.wrap(console, max(20, min(console.width, _READABLE) - margin)):
        console.print(Styled(" " * margin) + line)


def _print_grid(console: Console, part: Grid) -> None:
    if not console.is_terminal:
        _print_columns(part)
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place, name in enumerate(part.head):
        table.add_column(name, overflow="fold", style="bold" if place == 0 else None)
    for row in part.rows:
        table.add_row(*map(Styled, row))
    console.print(table)


def _print_columns(part: Grid) -> None:
    lines = (part.head, *part.rows)
    widths = [max(len(line[i]) for line in lines) for i in range(len(part.head))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")

"""Prints the output of a command: styled on a terminal, plain elsewhere, or as JSON or Markdown."""

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

OutputFormat = Literal["text", "json", "markdown"]
_UNLIMITED = 100_000  # columns: lines written to a file or pipe are not wrapped
_MAX_PROSE_WIDTH = 110  # columns; longer lines are hard to read
_C1_CONTROLS = re.compile("[\x7f-\x9f]")


def show(parts: Iterable[Part], body: Any, form: OutputFormat) -> None:
    """Print a result as text, JSON or Markdown."""
    if form == "json":
        text = json.dumps(body, ensure_ascii=False, indent=2)
        sys.stdout.write(_C1_CONTROLS.sub(_escape, text) + "\n")
    elif form == "markdown":
        sys.stdout.write(output.markdown(parts))
    else:
        console = Console(highlight=False, markup=False, emoji=False)
        if not console.is_terminal:
            console.width = _UNLIMITED
        for index, part in enumerate(parts):
            if index:
                console.print()
            _print(console, part)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _print(console: Console, part: Part) -> None:
    match part:
        case Items(items):
            _print_items(console, items)
        case Grid():
            _print_grid(console, part)
        case Text(text) if console.is_terminal:
            console.print(Markdown(output.clean(text)), width=_prose_width(console))
        case Text(text) | PlainText(text):
            console.print(Styled(output.clean(text).strip("\n")), soft_wrap=True)
        case Note(text, warning):
            mark, style = ("! ", "yellow") if warning else ("", "dim")
            console.print(Styled(mark + output.one_line(text), style=style), soft_wrap=True)


def _prose_width(console: Console) -> int:
    return min(console.width, _MAX_PROSE_WIDTH)


def _print_items(console: Console, items: tuple[Item, ...]) -> None:
    for number, item in enumerate(items, 1):
        if number > 1:
            console.print()
        _print_item(console, number, item)


def _print_item(console: Console, number: int, item: Item) -> None:
    margin = f"{number:>2}. "
    indent = " " * len(margin)
    console.print(Styled(margin, style="dim") + Styled(output.one_line(item.title), style="bold"))
    if item.url:  # not wrapped, so that it can be copied
        url = Styled(indent + output.one_line(item.url), style="cyan")
        console.print(url, soft_wrap=True)
    if item.warning:
        console.print(Styled(f"{indent}! {output.one_line(item.warning)}", style="bold red"))
    if item.facts:
        _print_indented(console, len(margin), Styled(" · ".join(item.facts), style="dim"))
    if item.text:
        _print_indented(console, len(margin), Styled(output.one_line(item.text)))


def _print_indented(console: Console, margin: int, text: Styled) -> None:
    if not console.is_terminal:
        console.print(Styled(" " * margin) + text, soft_wrap=True)
        return
    for line in text.wrap(console, max(20, _prose_width(console) - margin)):
        console.print(Styled(" " * margin) + line)


def _print_grid(console: Console, part: Grid) -> None:
    if not console.is_terminal:
        _print_columns(part)
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for index, heading in enumerate(part.headings):
        table.add_column(heading, overflow="fold", style="bold" if index == 0 else None)
    for row in part.rows:
        table.add_row(*map(Styled, row))
    console.print(table)


def _print_columns(part: Grid) -> None:
    lines = (part.headings, *part.rows)
    widths = [max(len(line[i]) for line in lines) for i in range(len(part.headings))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")

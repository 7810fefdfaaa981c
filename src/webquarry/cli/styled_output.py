"""Prints the parts of a command's output on a terminal: colours, tables, wrapped text."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text as Styled

from webquarry.cli import output
from webquarry.cli.output import Grid, Item, Items, Note, Part, PlainText, Text

_MAX_PROSE_WIDTH = 110  # columns; longer lines are hard to read


def print_styled(parts: Iterable[Part]) -> None:
    """Print the parts on the terminal."""
    _print_all(_console(), parts)


def styled_text(parts: Iterable[Part]) -> str:
    """Return the parts as they look on the terminal, with its escape sequences."""
    console = _console()
    with console.capture() as captured:
        _print_all(console, parts)
    return captured.get()


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _print_all(console: Console, parts: Iterable[Part]) -> None:
    for index, part in enumerate(parts):
        if index:
            console.print()
        _print(console, part)


def _print(console: Console, part: Part) -> None:
    match part:
        case Items(items):
            _print_items(console, items)
        case Grid():
            _print_grid(console, part)
        case Text(text):
            # imported here: lists and tables do not need it, and it takes long
            from rich.markdown import Markdown

            console.print(Markdown(output.clean(text)), width=_prose_width(console))
        case PlainText(text):
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
    for line in text.wrap(console, max(20, _prose_width(console) - margin)):
        console.print(Styled(" " * margin) + line)


def _print_grid(console: Console, part: Grid) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for index, heading in enumerate(part.headings):
        table.add_column(heading, overflow="fold", style="bold" if index == 0 else None)
    for row in part.rows:
        table.add_row(*map(Styled, row))
    console.print(table)

"""Help texts with the usual words for values: TEXT and NUMBER, not the types of Python."""

import re
from collections.abc import Iterable
from typing import Any

from typer._click.core import Context
from typer._click.formatting import HelpFormatter

_BRACES = re.compile(r"\{(\[?[^{}]+)\}")
_TYPE = re.compile(r"<(?:list\[)?(str|int|float|path|file)\b[^<>|]*>")
_WORDS = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "path": "PATH", "file": "FILE"}
_RANGE = re.compile(r"(\d{1,20})<=x<=(\d+)")
_AT_LEAST = re.compile(r"x>=(\d+)")
_REQUIRED = re.compile(r"(?<!\s)\s*+\[required\]$|; required(?=\]$)")


class HelpLayout(HelpFormatter):
    """Writes usage lines and lists of options."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage; arguments in braces are required, as those without brackets are."""
        super().write_usage(prog, _BRACES.sub(r"\1", args), prefix)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write a list of arguments, options or commands."""
        super().write_dl([_row(*row) for row in rows], col_max, col_spacing)


class HelpContext(Context):
    """The context of a command whose help has this layout."""

    formatter_class = HelpLayout


def set_layout(command: Any) -> None:
    """Give a command and its subcommands the layout; lists show their whole first sentence."""
    command.context_class = HelpContext
    for subcommand in getattr(command, "commands", {}).values():
        if not subcommand.short_help and subcommand.help:
            paragraph = subcommand.help.strip().split("\n\n")[0]
            subcommand.short_help = " ".join(paragraph.split())
        set_layout(subcommand)


def _row(name: str, text: str) -> tuple[str, str]:
    is_option = name.startswith("-")
    shown = _TYPE.sub(lambda match: _WORDS[match[1]] if is_option else "", name).rstrip()
    text = _AT_LEAST.sub(r"at least \1", _RANGE.sub(r"\1 to \2", text)).replace("  [", " [")
    return shown, text if is_option else _REQUIRED.sub("", text)

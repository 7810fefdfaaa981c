"""What commands show, as Markdown and on a terminal."""

import io
import json
import re
import sys

import pytest

from webquarry.cli.output import (
    Grid,
    Item,
    Items,
    Note,
    Part,
    PlainText,
    Text,
    grid,
    markdown,
    one_line,
)
from webquarry.cli.plot import plot
from webquarry.cli.terminal import show

PARTS: list[Part] = [
    Items((Item("A [draft]", "https://a.example/x", ("2024", "a.example"), "What\nit says", "Gone"),
           Item("B"))),
    Grid(("name", "value"), (("a|b", "1"),)),
    Text("# Page\n"),
    PlainText("x  y"),
    Note("mind this", warning=True),
]  # fmt: skip


def test_parts_become_markdown() -> None:
    assert markdown(PARTS) == (
        "1. [A \\[draft\\]](<https://a.example/x>)\n   - **Gone**\n   - 2024 · a.example\n"
        "   - What it says\n2. B\n\n"
        "| name | value |\n| --- | --- |\n| a\\|b | 1 |\n\n"
        "# Page\n\n```text\nx  y\n```\n\n> mind this\n"
    )


def test_parts_are_plain_text_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    show(PARTS, {}, "text")

    assert capsys.readouterr().out == (
        " 1. A [draft]\n    https://a.example/x\n    ! Gone\n    2024 · a.example\n"
        "    What it says\n\n 2. B\n\nname  value\na|b   1\n\n# Page\n\nx  y\n\n! mind this\n"
    )


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_pages_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str], form: str) -> None:
    evil = "a\x1b]0;owned\x07b\x9b31mc\u202ed"
    parts = [
        Items((Item(evil, evil, (), evil),)),
        grid(("head",), [(evil,)]),
        Text(evil),
        Note(evil),
    ]

    show(parts, {}, "markdown" if form == "markdown" else "text")

    out = capsys.readouterr().out
    assert not set("\x1b\x07\x9b\u202e") & set(out)


def test_json_escapes_what_a_terminal_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    show([], {"a": "\x1b[1m\x9b1m"}, "json")

    out = capsys.readouterr().out
    assert not set("\x1b\x9b") & set(out)
    assert json.loads(out) == {"a": "\x1b[1m\x9b1m"}


def test_a_narrow_terminal_wraps_text_and_keeps_addresses_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    url = "https://example.org/" + "x" * 60

    show([Items((Item("Title", url, (), "word " * 20),))], {}, "text")

    lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
    assert f"    {url}" in lines
    assert max(len(line.rstrip()) for line in lines if "word" in line) <= 40


def test_empty_columns_are_left_out() -> None:
    assert grid(("a", "b"), [(1, None), (2, "")]) == Grid(("a",), (("1",), ("2",)))


def test_a_long_line_is_cut_with_a_mark() -> None:
    assert one_line("a  b\nc d e", 6) == "a b c…"


def test_a_plot_has_its_extremes_at_its_edges() -> None:
    lines = plot([("2020", 1.0), ("2021", 3.0), ("2022", 2.0)], width=8, height=3).splitlines()

    assert [line.partition("┤")[0].strip() for line in lines[:3]] == ["3", "2", "1"]
    assert lines[3:] == ["  └────────", "   20202022"]
    assert lines[2][3] != "\u2800"  # it begins at the lowest
    assert lines[0][-1] == "\u2800"  # and does not end at the highest


def test_a_level_series_is_a_level_line() -> None:
    lines = plot([("a", 5.0), ("b", 5.0)], width=4, height=2).splitlines()

    assert lines[0] == "  ┤⠉⠉⠉⠉"

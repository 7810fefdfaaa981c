"""Text after the last entry of a reference list is no part of it."""

import pytest

from webquarry.content.manuscript.manuscript_builder import build_manuscript

_STONE = "Stone, A. (2020). Sleep of owls. Owl, 4(1), 10-20."
_SLATE = "Slate, C. (2018). Barns. Owl, 1, 4-5."
_AFTER = "This report was written by an assistant."


def _read(entries: str) -> tuple[list[str], list[str]]:
    text = f"# Owls\n\nThey sleep [1].\n\n## References\n\n{entries}\n"
    found = build_manuscript(text, "markdown")
    return [each.text for each in found.references], [each.claim for each in found.sentences]


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n---\n\n"])
@pytest.mark.parametrize("marks", [("[1] ", "[2] "), ("1. ", "2. "), ("- ", "- ")])
def test_a_sentence_after_the_last_entry_is_running_text(marks: tuple[str, str], gap: str) -> None:
    entries, sentences = _read(f"{marks[0]}{_STONE}\n{marks[1]}{_SLATE}{gap}{_AFTER}")

    assert entries == [_STONE, _SLATE]
    assert sentences[-1] == _AFTER


def test_a_sentence_below_a_list_without_marks_is_running_text() -> None:
    assert _read(f"{_STONE}\n\n{_SLATE}\n\n{_AFTER}") == (
        [_STONE, _SLATE],
        ["They sleep.", _AFTER],
    )


@pytest.mark.parametrize(
    "rest",
    [
        "https://doi.org/10.1000/x",
        "Retrieved in May from the library of the barn, 3 May 2020.",
        "Journal of Owls and Barns.",
    ],
)
def test_a_second_line_of_the_last_entry_stays_with_it(rest: str) -> None:
    entries, _ = _read(f"[1] {_STONE}\n[2] {_SLATE}\n{rest}")

    assert entries == [_STONE, f"{_SLATE}\n{rest}"]


def test_the_last_entry_of_a_list_with_wrapped_lines_is_not_cut() -> None:
    wrapped = "Slate, C. (2018).\nThe barns that nobody has seen."
    entries, _ = _read(f"[1] Stone, A. (2020).\nSleep of owls. Owl, 4, 1-2.\n[2] {wrapped}")

    assert entries[1] == wrapped

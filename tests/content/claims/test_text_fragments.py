"""Links to passages: whatever the text, the link names it and a reader of the link finds it."""

import re
import unicodedata
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.claims.text_fragments import (
    Directive,
    PageText,
    TextSpan,
    directives_in,
    normalize_text,
    with_fragment,
    without_fragment,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
SOLID = ["owl", "Owl", "owls", "é", "e\u0301", "night-time", "a,b", "x&y", "50 %", "雪", "ß", "ﬁn",
         "İ", "٣", "🦉", "-", "و", "ไทย"]  # fmt: skip
ODD = [*SOLID, "\u0301", "|", "\u00a8", "\ufdfa"]


def _lines(words: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words), min_size=1, max_size=9).map(" ".join)


PAGES = st.lists(st.one_of(TEXT, _lines(ODD)), min_size=1, max_size=8).map("\n".join)


def _is_light(character: str) -> bool:
    """Tell whether a browser that compares letters only sees nothing here."""
    plain = unicodedata.normalize("NFKD", character)
    return not "".join(c for c in plain if not unicodedata.combining(c)).strip()


@settings(deadline=None)
@given(st.builds(Directive, TEXT.filter(bool), TEXT, TEXT, TEXT))
def test_any_text_survives_encoding_in_a_url(directive: Directive) -> None:
    url = with_fragment("https://owls.test/a?b=c#part", directive)

    assert directives_in(url) == [directive]
    assert url.isascii()
    assert re.fullmatch(r"[!$&'()*+,\-./0-9:;=?@A-Z_a-z~%]*", urlsplit(url).fragment)
    assert without_fragment(url) == "https://owls.test/a?b=c#part"


@settings(max_examples=400, deadline=None)
@given(PAGES, st.data())
def test_a_link_finds_the_words_it_was_made_for(page: str, data: st.DataObject) -> None:
    text = PageText(page)
    start = data.draw(st.integers(0, len(text.text)))
    end = data.draw(st.integers(start, len(text.text)))
    directive = text.directive_for(TextSpan(start, end))
    if directive is None:
        return
    (read,) = directives_in(with_fragment("https://owls.test/", directive))

    found = text.find(read)

    assert read == directive
    assert found
    kept = [at for at in range(start, end) if not _is_light(text.text[at])]
    assert all(found.start <= at < found.end for at in kept)
    grown = text.text[found.start : start] + text.text[end : found.end]
    assert not any(character.isspace() for character in grown)
    # no term crosses from one block into another: a browser would not find it
    assert not any("\n" in term for term in directive)


@settings(max_examples=300, deadline=None)
@given(st.lists(_lines(SOLID), min_size=1, max_size=8))
def test_a_line_that_is_there_once_can_be_linked_to_exactly(lines: list[str]) -> None:
    text = PageText("\n".join(f"{number}st {line}." for number, line in enumerate(lines, 100)))
    for line in text.text.split("\n"):
        span = text.span_of(line)
        assert span
        directive = text.directive_for(span)
        assert directive
        assert text.find(directive) == span


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Owls hunt.", "They hear well.", "Mice hide."]), min_size=3))
def test_the_second_of_two_equal_sentences_needs_its_surroundings(lines: list[str]) -> None:
    text = PageText("Start here.\n" + "\n".join(lines))
    seen: set[TextSpan] = set()
    at = 0
    for line in text.text.split("\n"):
        directive = text.directive_for(TextSpan(at, at + len(line)))
        if directive:
            found = text.find(directive)
            assert found == TextSpan(at, at + len(line))
            seen.add(TextSpan(at, at + len(line)))
        at += len(line) + 1
    assert seen


@pytest.mark.parametrize(
    ("page", "passage", "expected"),
    [
        ("Owls hunt at night.", "Owls hunt at night.", "text=Owls%20hunt%20at%20night."),
        ("A well-known, rare & old owl.", "well-known, rare & old",
         "text=well%2Dknown%2C%20rare%20%26%20old"),
        ("Owls hunt.\nMice hide. Owls hunt.", "Owls hunt.", "text=Owls%20hunt."),
        ("Eulen jagen nachts … in Wäldern.", "nachts … in Wäldern.",
         "text=nachts%20%E2%80%A6%20in%20W%C3%A4ldern."),
        ("| Owl | 300 g |\nEnd", "Owl | 300 g", "text=Owl,300%20g"),
    ],
)  # fmt: skip
def test_a_passage_is_encoded_as_the_specification_wants(
    page: str, passage: str, expected: str
) -> None:
    text = PageText(page.strip("| "))
    span = text.span_of(passage)
    assert span
    directive = text.directive_for(span)
    assert directive
    assert directive.encode() == expected


def test_an_earlier_passage_that_differs_in_case_only_calls_for_a_prefix() -> None:
    text = PageText("OWLS HUNT AT NIGHT.\nSome say: Owls hunt at night.")
    span = text.span_of("Owls hunt at night.")
    assert span

    assert text.directive_for(span) == Directive("Owls hunt at night.", prefix="Some say:")


def test_a_long_passage_is_named_by_its_start_and_end() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    text = PageText(f"Before.\n{words}\nAfter.")

    directive = text.directive_for(TextSpan(8, 8 + len(words)))

    assert directive == Directive(
        "word0 word1 word2 word3 word4", end="word95 word96 word97 word98 word99"
    )
    assert text.find(directive or Directive("")) == TextSpan(8, 8 + len(words))


def test_a_passage_over_several_blocks_is_found() -> None:
    text = PageText("Title\nFirst block.\nSecond block.\nEnd")
    span = text.span_of("First block.\nSecond block.")
    assert span

    assert text.directive_for(span) == Directive("First block.", end="Second block.")


def test_part_of_a_word_is_extended_to_the_word() -> None:
    text = PageText("Barn owls hunt.")

    directive = text.directive_for(TextSpan(6, 8))

    assert directive == Directive("owls")


def test_a_passage_that_nothing_tells_from_an_earlier_one_has_no_link() -> None:
    text = PageText("\n".join(["Owls hunt."] * 200))

    assert text.directive_for(TextSpan(1100, 1110)) is None


@pytest.mark.parametrize(
    "value", ["", ",", "a-b", "-a", "a-", "a-,", "a,b,c", "a,,b", "p-,a,b,-s,x", "p-,-s"]
)
def test_what_is_not_well_formed_names_nothing(value: str) -> None:
    assert directives_in(f"https://owls.test/#:~:text={value}") == []


def test_several_passages_and_unknown_directives_are_distinguished() -> None:
    url = "https://owls.test/#top:~:text=a&other=b&text=p-,c%2C,d,-s"

    assert directives_in(url) == [Directive("a"), Directive("c,", "d", "p", "s")]
    assert directives_in("https://owls.test/#top") == []


def test_text_with_half_a_character_has_no_link() -> None:
    assert PageText("owl \ud800 owl").directive_for(TextSpan(0, 9)) is None


def test_white_space_and_cells_are_normalised() -> None:
    assert normalize_text(" a \u00a0 b\r\n\n c | d ") == "a b\nc\nd"

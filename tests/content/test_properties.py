"""What holds for any input."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.content.traps.base import article
from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import parse_html
from webquarry.content.html.read_html import read_html, to_markdown
from webquarry.content.text.length import count_words, truncate
from webquarry.content.visibility.hidden_text import remove_hidden
from webquarry.content.visibility.invisible_characters import without_invisible

_URL = "https://quarry.example/"
_HIDING = (
    "<p hidden>{}</p>",
    "<div style='display:none'>{}</div>",
    "<span style='visibility:hidden'>{}</span>",
    "<p style='font-size:0'>{}</p>",
    "<p style='position:absolute;left:-9999px'>{}</p>",
    "<p style='color:white;background:#fff'>{}</p>",
    "<p aria-hidden='true'>{}</p>",
    "<!-- {} -->",
    "<template>{}</template>",
    "<p class='nobody-sees'>{}</p>",
)
_RULE = "<style>.nobody-sees{display:none}</style>"
_MARKUP = st.lists(
    st.one_of(
        st.sampled_from(("<p>", "</p>", "<div>", "<table>", "<tr>", "<td>", "<ul>", "<li>")),
        st.sampled_from(("<pre>", "<a href='x'>", "<b>", "<dl>", "<dd>", "<h2>", "<img alt=x>")),
        st.sampled_from(("<!--", "-->", "&#0;", "&lt;", "<script>", "</script>", "<math>", "\x00")),
        st.text(max_size=20),
    ),
    max_size=40,
).map("".join)
_slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(st.binary(max_size=400), st.sampled_from((None, "text/html", "text/html; charset=gbk")))
@_slow
def test_any_bytes_can_be_read(raw: bytes, content_type: str | None) -> None:
    page = read_html(raw, url=_URL, content_type=content_type)
    page.model_dump_json()


@pytest.mark.parametrize("sign", ["\x01", "\x0c", "\x1f", "\ufffe", "\uffff", "&#1;", "&#xFFFF;"])
def test_what_is_no_character_stops_nothing(sign: str) -> None:
    page = article(f"<p>One{sign}</p>{sign}<nav>Menu</nav>{sign} two{sign}<!-- c -->{sign}")
    assert "two" in to_markdown(f"<title>t</title><main>{page}</main>{sign}<body>{sign}after")


@given(_MARKUP)
@_slow
def test_any_markup_can_be_read(markup: str) -> None:
    assert isinstance(to_markdown(markup), str)


@given(st.text(max_size=200), st.sampled_from(("utf-8", "cp1252", "cp932", "gb18030", "utf-16")))
@_slow
def test_declared_text_comes_back_as_it_was(text: str, charset: str) -> None:
    raw = text.encode(charset, "ignore")
    known = raw.decode(charset)
    decoded = decode_page("ä".encode(charset, "ignore") + raw, f"text/html; charset={charset}")
    assert "\ufffd" not in decoded or charset != "utf-8" or "\ufffd" in known


@given(st.lists(st.sampled_from(_HIDING), min_size=1, max_size=4), st.integers(0, 10_000))
@_slow
def test_hidden_markers_never_reach_the_output(kinds: list[str], number: int) -> None:
    marker = f"MARKER{number}"
    inside = "".join(kind.format(marker) for kind in kinds)
    page = read_html(article(inside, head=_RULE), url=_URL)
    assert marker not in page.model_dump_json()


@given(st.lists(st.sampled_from(_HIDING), max_size=4))
@_slow
def test_removing_hidden_text_twice_removes_nothing_more(kinds: list[str]) -> None:
    root = parse_html(article("".join(kind.format("MARKER") for kind in kinds), head=_RULE))
    assert root is not None
    remove_hidden(root)
    assert not remove_hidden(root).counts


@given(st.text(max_size=300))
def test_cleaning_invisible_characters_is_idempotent(text: str) -> None:
    once = without_invisible(text)
    assert without_invisible(once) == once


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=400), st.integers(0, 400)
)
def test_truncation_keeps_a_start_that_fits(text: str, limit: int) -> None:
    cut = truncate(text, limit)
    fits = len(cut.text.encode()) <= limit or not cut.truncated
    assert (fits, text.startswith(cut.text.rstrip("`~\n")) or not cut.truncated) == (True, True)


@given(
    st.lists(st.sampled_from(("One sentence here.", "Another one! ", "\n\n")), max_size=60),
    st.integers(20, 300),
)
def test_truncation_never_splits_a_word(parts: list[str], limit: int) -> None:
    text = " ".join(parts)
    cut = truncate(text, limit).text
    assert not cut or text[len(cut) : len(cut) + 1] in ("", " ", "\n")


@given(st.text(max_size=200), st.text(max_size=200))
def test_words_add_up(one: str, other: str) -> None:
    assert count_words(f"{one}\n\n{other}") >= max(count_words(one), count_words(other)) >= 0


_VISIBLE = st.sampled_from(("a", "7", "é", "中", "ب", "ש", "क", "👩", "💻", "❤", " ", '"', ","))
_HIDDEN_CHARACTERS = tuple(
    "\u200b\u200c\u200d\u200f\u202e\u2060\ufeff\ufe0f\ufe05\U000e0041\U000e0101\u3164\u00ad\u180b"
)


@given(st.lists(st.one_of(_VISIBLE, st.sampled_from(_HIDDEN_CHARACTERS)), max_size=40))
def test_visible_characters_stay_and_data_cannot_pile_up(parts: list[str]) -> None:
    cleaned = without_invisible("".join(parts))

    visible = {part for part in parts if not part.isascii()} - set(_HIDDEN_CHARACTERS)
    kept = "".join(char for char in cleaned if char.isascii() or char in visible)
    assert kept == "".join(part for part in parts if part.isascii() or part in visible)
    # at most one invisible character stays before and one after a visible one
    assert len(cleaned) <= 3 * len(kept) + 1


@given(st.text(alphabet=st.characters(max_codepoint=0x2FF, exclude_characters="\u00ad")))
def test_latin_text_stays_as_it_is(text: str) -> None:
    assert without_invisible(text) == text


@given(
    st.text(alphabet=st.sampled_from("ab 7.\u200b\u200c\u200d\u200e\u2060\u202e\ufe05\U000e0061"))
)
def test_latin_text_keeps_no_invisible_character(text: str) -> None:
    assert without_invisible(text).isascii()

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.content.changes.pages import URL, page
from webquarry.content.changes.compare import MAX_CHANGES, compare_versions
from webquarry.content.claims.text_fragments import PageText, directives_in
from webquarry.content.markdown.parse import visible_text
from webquarry.models.changes import (
    Change,
    ChangedNumber,
    DiffPart,
    FieldsVersion,
    VersionComparison,
)
from webquarry.models.research import Anchor

_WORDS = st.sampled_from(
    ("mill", "steel", "price", "20", "1.299,00", "€", "in", "stock", "sold", "out", "3", "minutes",
     "ago", "views", "Comments", "(4)", "é", "価格")
)  # fmt: skip
_LINES = st.lists(_WORDS, min_size=1, max_size=8).map(" ".join)
_BLOCKS = st.tuples(st.sampled_from(("", "# ", "## ", "- ", "> ")), _LINES).map("".join)
_PAGES = st.lists(_BLOCKS, max_size=12).map("\n\n".join)


def _told(before: str, after: str) -> list[tuple[str, str, str, str]]:
    """Return kind, action and both passages of each change."""
    comparison = compare_versions(page(before), page(after))
    return [
        (
            change.kind,
            change.action,
            change.before.quote if change.before else "",
            change.after.quote if change.after else "",
        )
        for change in comparison.changes
    ]


def test_a_changed_sentence_has_both_passages_with_links_and_the_words_that_differ() -> None:
    before = "# Mill\n\nIt is small. The mill is made of steel."
    after = "# Mill\n\nIt is small. The mill is made of aluminium."

    comparison = compare_versions(page(before), page(after))

    def anchor(markdown: str, quote: str) -> Anchor:
        text = PageText(visible_text(markdown)).text
        fragment = quote.replace(" ", "%20")
        return Anchor(
            url=f"{URL}#:~:text={fragment}",
            quote=quote,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
        )

    (change,) = comparison.changes
    assert change == Change(
        id=change.id,
        kind="text",
        action="changed",
        where="Mill",
        follows="It is small.",
        before=anchor(before, "The mill is made of steel."),
        after=anchor(after, "The mill is made of aluminium."),
        diff=(
            DiffPart(op="equal", text="The mill is made of "),
            DiffPart(op="delete", text="steel"),
            DiffPart(op="insert", text="aluminium"),
            DiffPart(op="equal", text="."),
        ),
        size=1,
    )


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("Price: 20 €", "Price: 18 €", "price"),
        ("Now $1,299.00 only", "Now $1,199.00 only", "price"),
        ("Ready in 5 days", "Ready in 7 days", "number"),
        ("Item 4 | In stock", "Item 4 | Sold out", "availability"),
        ("Auf Lager", "Ausverkauft", "availability"),
        ("Only 3 left", "Only 2 left", "availability"),
        ("The fair opens on 14 May 2031", "The fair opens on 16 May 2031", "date"),
        ("The mill is made of steel.", "The mill is made of tin.", "text"),
        ("# Mill", "# Grinder", "title"),
    ],
)
def test_a_change_has_a_kind(before: str, after: str, kind: str) -> None:
    assert _told(before, after) == [
        (kind, "changed", before.lstrip("# "), after.lstrip("# ")),
    ]


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [
        ("1.299,00 €", "1.199,00 €", ChangedNumber(before=1299, after=1199, unit="EUR",
                                                 percent=-100 * 100 / 1299)),
        ("$1,299.00", "$1,299.50", ChangedNumber(before=1299, after=1299.5, unit="USD",
                                                 percent=50 / 1299)),
        ("Preis: 1.299 €", "Preis: 999 €", ChangedNumber(before=1299, after=999, unit="EUR",
                                                        percent=-300 * 100 / 1299)),
        ("12 pages", "15 pages", ChangedNumber(before=12, after=15, unit="pages", percent=25)),
        ("0 pages", "15 pages", ChangedNumber(before=0, after=15, unit="pages")),
        ("20 €", "20 € 15 €", ChangedNumber(before=20, after=15, unit="EUR", percent=-25)),
    ],
)  # fmt: skip
def test_a_changed_number_is_understood_in_the_notation_of_its_country(
    before: str, after: str, number: ChangedNumber
) -> None:
    (change,) = compare_versions(page(before), page(after)).changes

    assert change.number is not None
    assert change.number.model_copy(update={"percent": None}) == number.model_copy(
        update={"percent": None}
    )
    assert change.number.percent == pytest.approx(number.percent)


def test_the_title_of_the_page_is_compared_and_its_heading_is_not_told_twice() -> None:
    comparison = compare_versions(
        page("# Mill\n\nText.", title="Mill"), page("# Grinder\n\nText.", title="Grinder")
    )

    assert [(each.kind, each.where) for each in comparison.changes] == [("title", "")]


def test_a_link_that_leads_elsewhere_is_a_change_and_a_new_session_id_is_none() -> None:
    text = "Read the [manual](https://x.example/{}.pdf?sid={}) and [faq](https://x.example/?utm_id={})."
    before, after = text.format(1, "a1", 5), text.format(2, "b2", 6)

    assert _told(before, after) == [
        ("link", "changed", "https://x.example/1.pdf?sid=a1", "https://x.example/2.pdf?sid=b2"),
    ]


def test_new_paragraphs_in_one_place_are_one_change() -> None:
    before = "# News\n\nFirst text.\n\nLast text."
    after = "# News\n\nFirst text.\n\nA new thing. It is big.\n\nIt has two parts.\n\nLast text."

    assert _told(before, after) == [
        ("text", "added", "", "A new thing.\nIt is big.\nIt has two parts."),
    ]


def test_text_in_another_place_is_ignored_as_moved() -> None:
    comparison = compare_versions(page("One.\n\nTwo.\n\nThree."), page("Three.\n\nOne.\n\nTwo."))

    assert comparison.changes == ()
    assert [each.ignored and each.ignored.reason for each in comparison.ignored] == ["moved"]


def test_differences_of_typography_are_no_changes() -> None:
    before = "The “mill” - it's 5\u00a0kg …"
    after = 'The "mill" \u2013 it\u2019s 5 kg ...'

    assert compare_versions(page(before), page(after)) == VersionComparison()


def test_versions_of_different_forms_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="a version of page cannot be compared with one of fields"):
        compare_versions(page("a"), FieldsVersion(url=URL, values={}))


def test_a_page_with_very_many_changes_is_compared_in_part() -> None:
    before = "\n\n".join(f"Line {number} is old" for number in range(MAX_CHANGES + 50))

    comparison = compare_versions(page(before), page(before.replace("old", "quite new")))

    assert (len(comparison.changes), comparison.truncated) == (MAX_CHANGES, True)


@given(_PAGES)
@settings(max_examples=60, deadline=None)
def test_a_version_does_not_differ_from_itself(markdown: str) -> None:
    assert compare_versions(page(markdown), page(markdown)) == VersionComparison()


@given(_PAGES, _PAGES)
@settings(max_examples=120, deadline=None)
def test_the_diff_of_a_change_is_both_of_its_passages(before: str, after: str) -> None:
    comparison = compare_versions(page(before), page(after))

    for change in (*comparison.changes, *comparison.ignored):
        kept = "".join(part.text for part in change.diff if part.op != "insert")
        made = "".join(part.text for part in change.diff if part.op != "delete")
        assert kept == (change.before.quote if change.before else "")
        assert made == (change.after.quote if change.after else "")


@given(_PAGES, _PAGES)
@settings(max_examples=120, deadline=None)
def test_every_word_that_only_one_version_has_is_in_a_change(before: str, after: str) -> None:
    comparison = compare_versions(page(before), page(after))
    found = [*comparison.changes, *comparison.ignored]

    def words(markdown: str) -> set[str]:
        return set(visible_text(markdown).replace("|", " ").split())

    new = " ".join(each.after.quote for each in found if each.after).split()
    gone = " ".join(each.before.quote for each in found if each.before).split()
    assert words(after) - words(before) <= set(new)
    assert words(before) - words(after) <= set(gone)


@given(_PAGES, _PAGES)
@settings(max_examples=60, deadline=None)
def test_links_to_passages_lead_to_them(before: str, after: str) -> None:
    for change in compare_versions(page(before), page(after)).changes:
        if change.after and change.kind != "link" and "#:~:" in change.after.url:
            (directive,) = directives_in(change.after.url)
            text = PageText(visible_text(after))
            span = text.find(directive)
            assert span is not None
            quoted = PageText(change.after.quote).text
            assert quoted in text.text[span.start : span.end]

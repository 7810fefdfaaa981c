"""A manuscript is built from its text."""

from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.bib_entry import BibEntry
from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.content.manuscript.manuscript_model import (
    CitationMarker,
    Manuscript,
    ManuscriptSection,
    Span,
)
from webquarry.content.manuscript.page_breaks import PAGE_BREAK

AUTHOR_YEAR = """# Owls

## Results

Owls sleep by day (Stone et al., 2020; Slate 2019a). Stone et al. (2020) saw a rise of 3.5 % in the
U.S. sample. It is known (Nobody, 2001).

## References

Slate, C. (2019a). First owls. *Owl*, 1, 2-3.

Slate, C. (2019b). Second owls. *Owl*, 1, 4-5.

Stone, A., Moss, B., & Fern, D. (2020). Sleep of owls. *Owl*, 4(1), 10-20.
"""
NUMBERED = """Owls

They sleep [1, 3-5]. It was seen before. [2] Then came [1]-[3]. The interval [0, 1] is none.

REFERENCES
[1] A. Stone, "Sleep of owls in barns," Owl, vol. 3,
    no. 2, pp. 1-9, 2019.
[2] C. Slate, "Flight of owls at night," Owl, vol. 4, pp. 3-4, 2018.
[3] D. Moss, The Book of Owls. London: Penguin, 2001.
"""


def _markers(manuscript: Manuscript) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(marker.kind, marker.text, marker.entries) for marker in manuscript.markers]


def _claims(manuscript: Manuscript) -> list[tuple[str, tuple[str, ...]]]:
    return [(sentence.claim, sentence.markers) for sentence in manuscript.sentences]


def test_citations_by_author_and_year_are_linked() -> None:
    manuscript = build_manuscript(AUTHOR_YEAR, "markdown")

    assert _markers(manuscript) == [
        ("author-year", "(Stone et al., 2020; Slate 2019a)", ("ref-3", "ref-1")),
        ("author-year", "Stone et al. (2020)", ("ref-3",)),
        ("author-year", "(Nobody, 2001)", ()),
    ]
    assert [entry.id for entry in manuscript.uncited] == ["ref-2"]
    assert [marker.text for marker in manuscript.unresolved] == ["(Nobody, 2001)"]


def test_sentences_keep_their_markers_and_lose_them_as_claims() -> None:
    manuscript = build_manuscript(AUTHOR_YEAR, "markdown")

    assert _claims(manuscript) == [
        ("Owls sleep by day.", ("cite-1",)),
        ("Stone et al. saw a rise of 3.5 % in the U.S. sample.", ("cite-2",)),
        ("It is known.", ("cite-3",)),
    ]


def test_sections_reach_from_heading_to_heading() -> None:
    manuscript = build_manuscript("# Owls\n\nText.\n\n## More\n\nEnd.\n", "markdown")

    assert manuscript.sections == (
        ManuscriptSection("Owls", 1, Span(0, 15)),
        ManuscriptSection("More", 2, Span(15, 29)),
    )


def test_numbers_and_ranges_are_linked_and_missing_ones_named() -> None:
    manuscript = build_manuscript(NUMBERED, "text")

    assert _markers(manuscript) == [
        ("numbered", "[1, 3-5]", ("ref-1", "ref-3")),
        ("numbered", "[2]", ("ref-2",)),
        ("numbered", "[1]-[3]", ("ref-1", "ref-2", "ref-3")),
    ]
    assert manuscript.markers[0].missing == ("4", "5")
    assert _claims(manuscript)[1:3] == [
        ("They sleep.", ("cite-1",)),
        ("It was seen before.", ("cite-2",)),
    ]


def test_an_entry_is_what_the_audit_of_a_bibliography_takes() -> None:
    entry = build_manuscript(NUMBERED, "text").references[0]

    assert entry.bib_entry(1) == BibEntry(
        line=1,
        title="Sleep of owls in barns",
        authors=("Stone, A.",),
        date="2019",
        venue="Owl",
        pages="1-9",
        kind="article",
        volume="3",
    )


def test_footnotes_links_and_superscripts_are_markers() -> None:
    text = (
        "Owls fly.[^a] They see[^b] well.\u00b2 Of 10 m\u00b2, [a report](https://owl.example/r) "
        "says more<sup>1,2</sup>; see https://owl.example/s.\n\n"
        '[^a]: Ann Stone, "Owls in flight," *Owl* 12, no. 3 (2020): 1-5.\n'
        "[^b]: With both eyes.\n\n# References\n\n1. Stone A. Owls. Owl. 2020;1:2-3.\n"
        "2. Slate C. Barns. Owl. 2019;1:4-5.\n"
    )

    manuscript = build_manuscript(text, "markdown")

    assert _markers(manuscript) == [
        ("footnote", "[^a]", ("note-1", "ref-1")),
        ("footnote", "[^b]", ("note-2",)),
        ("superscript", "\u00b2", ("ref-2",)),
        ("link", "[a report](https://owl.example/r)", ()),
        ("superscript", "<sup>1,2</sup>", ("ref-1", "ref-2")),
        ("url", "https://owl.example/s", ()),
    ]
    assert [entry.kind for entry in manuscript.references] == [
        "article",
        "article",
        "article",
        "note",
    ]
    assert manuscript.unresolved == ()


def test_ibid_names_the_work_of_the_note_before() -> None:
    text = "One.[^1] Two.[^2]\n\n[^1]: Ann Stone, *Owls* (Owl Press, 2001), 3.\n[^2]: Ibid., 4.\n"

    assert _markers(build_manuscript(text, "markdown"))[1] == (
        "footnote", "[^2]", ("note-2", "note-1"),
    )  # fmt: skip


def test_cases_and_statutes_are_legal_markers() -> None:
    text = "In Stone v. Slate, 410 U.S. 113 (1973), the Court said so. See 42 U.S.C. \u00a7 1983."

    manuscript = build_manuscript(text, "text")

    assert _markers(manuscript) == [
        ("legal", "Stone v. Slate, 410 U.S. 113 (1973)", ("case-1",)),
        ("legal", "42 U.S.C. \u00a7 1983", ()),
    ]
    assert _claims(manuscript)[0] == ("In Stone v. Slate, the Court said so.", ("cite-1",))
    assert manuscript.unresolved == ()


LEGAL = """The rule of *Stone v. Slate*, 347 U.S. 483, 490 (1954), held. So did 410 U.S. 113 (1973).
It was narrowed later, 347 U.S. at 495.
"""


def test_a_short_form_names_the_case_cited_before() -> None:
    manuscript = build_manuscript(LEGAL, "markdown")

    assert _markers(manuscript) == [
        ("legal", "*Stone v. Slate*, 347 U.S. 483, 490 (1954)", ("case-1",)),
        ("legal", "410 U.S. 113 (1973)", ()),
        ("legal", "347 U.S. at 495", ("case-1",)),
    ]
    assert [(entry.id, entry.label, entry.title) for entry in manuscript.references] == [
        ("case-1", "347 U.S. 483", "Stone v. Slate, 347 U.S. 483 (1954)"),
    ]


NOTES = """One.[^1] Two.[^2] Three.[^3] Four.[^4] Five.[^5] Six.[^6]

[^1]: Ann Stone, "Sleep of Owls in Barns," *Owl* 12, no. 3 (2019): 5-6.
[^2]: See Slate v. Moss, 347 U.S. 483 (1954).
[^3]: *Id.* at 490.
[^4]: Stone, *supra* note 1, at 7.
[^5]: Stone, "Owls in Barns," 9.
[^6]: It is a fact.
"""


def test_notes_that_repeat_a_work_name_it_and_are_no_works() -> None:
    manuscript = build_manuscript(NOTES, "markdown")

    assert [marker.entries for marker in manuscript.markers] == [
        ("note-1",), ("note-2",), ("note-3", "note-2"), ("note-4", "note-1"), ("note-5", "note-1"),
        ("note-6",),
    ]  # fmt: skip
    assert [(entry.id, entry.title) for entry in manuscript.references if entry.kind != "note"] == [
        ("note-1", "Sleep of Owls in Barns"),
        ("note-2", "Slate v. Moss, 347 U.S. 483 (1954)"),
    ]


def test_a_list_of_endnotes_may_repeat_its_works() -> None:
    text = (
        "Owls sleep.<sup>1</sup> They fly.<sup>2</sup>\n\n# Notes\n\n"
        "1. Stone A. Sleep of owls. Owl. 2019;1:2-3.\n2. Ibid., 4.\n"
    )

    manuscript = build_manuscript(text, "markdown")

    assert [marker.entries for marker in manuscript.markers] == [("ref-1",), ("ref-2", "ref-1")]
    assert [entry.kind for entry in manuscript.references] == ["article", "note"]


def test_a_note_names_the_works_that_it_cites() -> None:
    text = (
        "Owls sleep.[^1]\n\n[^1]: See Stone (2019) and [2].\n\n# References\n\n"
        "[1] Stone, A. (2019). Sleep. Owl, 1, 2-3.\n\n[2] Slate, C. (2018). Barns. Owl, 1, 4-5.\n"
    )

    manuscript = build_manuscript(text, "markdown")

    assert [marker.entries for marker in manuscript.markers] == [("note-1", "ref-1", "ref-2")]
    assert [entry.id for entry in manuscript.uncited] == []


RAISED = """# Owls in barns

Anna Stone\u00b9, Bob Slate\u00b2 and Carl Moss\u00b9,\u00b2

\u00b9Department of Owls, University of Barns.

They eat 10\u00b2 mice in 25 km\u00b2 of land.\u00b9,\u00b2 In 2019\u00b3 R\u00b2 was 0.9 for
\u00b9\u2074C at 3 m s\u207b\u00b9, in x\u00b2.\u00b9\u207b\u00b3
The 21<sup>st</sup> fell to 12 %<sup>2</sup> of 10<sup>3</sup>.

# References

1. Stone A. Owls. Owl. 2020;1:2-3.
2. Slate C. Barns. Owl. 2019;1:4-5.
3. Moss D. Mice. Owl. 2018;1:6-7.
"""


def test_raised_numbers_that_are_exponents_addresses_or_isotopes_are_no_citations() -> None:
    manuscript = build_manuscript(RAISED, "markdown")

    assert [(marker.text, marker.entries) for marker in manuscript.markers] == [
        ("\u00b9,\u00b2", ("ref-1", "ref-2")),
        ("\u00b3", ("ref-3",)),
        ("\u00b9\u207b\u00b3", ("ref-1", "ref-2", "ref-3")),
        ("<sup>2</sup>", ("ref-2",)),
    ]
    assert _claims(manuscript)[-2:] == [
        ("In 2019 R\u00b2 was 0.9 for \u00b9\u2074C at 3 m s\u207b\u00b9, in x\u00b2.",
         ("cite-2", "cite-3")),
        ("The 21st fell to 12 % of 10\u00b3.", ("cite-4",)),
    ]  # fmt: skip


def test_keys_are_markers_as_in_pandoc() -> None:
    manuscript = build_manuscript(
        "Owls [@stone19; see also @slate18, p. 3] and @moss2017 [-@fern]. Mail a@b2020.example.",
        "markdown",
    )

    assert [(marker.kind, marker.missing) for marker in manuscript.markers] == [
        ("latex", ("stone19", "slate18")), ("latex", ("moss2017",)), ("latex", ("fern",)),
    ]  # fmt: skip


def test_sentences_know_their_page() -> None:
    text = f"{PAGE_BREAK}One owl.\n\n{PAGE_BREAK}Two owls\n{PAGE_BREAK}sleep. Three."

    manuscript = build_manuscript(text, "pdf")

    assert [(sentence.text, sentence.page) for sentence in manuscript.sentences] == [
        ("One owl.", 1), ("Two owls\nsleep.", 2), ("Three.", 3),
    ]  # fmt: skip
    assert [manuscript.page_of(place) for place in (0, 10, 19)] == [1, 2, 3]


def test_a_text_without_pages_has_no_page_numbers() -> None:
    assert build_manuscript("One owl.", "markdown").page_of(0) is None


def test_a_marker_has_its_place() -> None:
    manuscript = build_manuscript(
        "Owls [1].\n\n# References\n\n1. Stone A. Owls. Owl. 2020.\n", "text"
    )

    assert manuscript.markers == (
        CitationMarker("cite-1", "numbered", "[1]", Span(5, 8), ("ref-1",)),
    )


def test_entries_that_a_page_layout_divides_and_joins_are_put_right() -> None:
    text = (
        "Owls (Stone, 2004; Slate, 2005; Moss & Fern, 2006).\n\n# References\n\n"
        "Stone, A., Fir, B., & Elm, C.\n\n(2004). Sleep of owls.\n\nJournal of Owls, 2(7), 5-9. "
        "Slate, E. (2005). Barns of owls. Owl, 3, 1-2. https://owl.example/1 Moss, D., & Fern, E. "
        "(2006). Flight. Owl, 4, 3-4.\n"
    )

    manuscript = build_manuscript(text, "pdf")

    assert [(entry.authors[0], entry.title) for entry in manuscript.references] == [
        ("Stone, A.", "Sleep of owls"), ("Slate, E.", "Barns of owls"), ("Moss, D.", "Flight"),
    ]  # fmt: skip
    assert [marker.entries for marker in manuscript.markers] == [("ref-1", "ref-2", "ref-3")]


PIECES = (
    "Owls", " ", ".", "\n", "\n\n", "[1]", "[2-4]", "[^1]", "[^1]: note 2001", "(Stone, 2020)",
    "Stone (2020)", "# References", "- ", "1. ", "`", "```", "*", "<sup>1</sup>", "\u00b2",
    "https://owl.example", "[a](https://b.example)", "v. Slate, 410 U.S. 113", "| a | b |",
    "Stone, A. (2020). Owls. Owl, 1, 2-3.", PAGE_BREAK, "---", "[@key; @b]", "\ud800", "(1)",
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
def test_spans_are_the_texts_of_their_parts(text: str) -> None:
    manuscript = build_manuscript(text, "markdown")

    parts = (*manuscript.sentences, *manuscript.markers, *manuscript.references)
    assert [part.text for part in parts] == [
        manuscript.text[part.span.start : part.span.end] for part in parts
    ]
    known = {entry.id for entry in manuscript.references}
    assert all(set(marker.entries) <= known for marker in manuscript.markers)

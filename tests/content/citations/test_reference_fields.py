"""References in free text are taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.reference_fields import ReferenceFields, reference_fields

STONE = ("Stone, A. B.", "Slate, C.")
ARTICLE = ReferenceFields(
    authors=STONE,
    title="Owls at dusk: a field study",
    container="Journal of Owls",
    year="2016",
    volume="39",
    issue="10",
    pages="13-28",
    kind="article",
)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        pytest.param(
            "Stone, A. B., & Slate, C. (2016). Owls at dusk: a field study. *Journal of Owls*, "
            "39(10), 13\u201328. https://doi.org/10.1000/owl.5",
            ARTICLE._replace(doi="10.1000/owl.5"),
            id="apa",
        ),
        pytest.param(
            "[7] A. B. Stone and C. Slate, \u201cOwls at dusk: a field study,\u201d J. Owls, "
            "vol. 39, no. 10, pp. 13\u201328, 2016.",
            ARTICLE._replace(container="J. Owls"),
            id="ieee",
        ),
        pytest.param(
            "7. Stone AB, Slate C. Owls at dusk: a field study. J Owls. 2016;39(10):13\u201328.",
            ARTICLE._replace(container="J Owls."),
            id="vancouver",
        ),
        pytest.param(
            "7. Stone, A. B. & Slate, C. Owls at dusk: a field study. J. Owls 39, "
            "13\u201328 (2016).",
            ARTICLE._replace(container="J. Owls", issue=""),
            id="nature",
        ),
        pytest.param(
            "Stone, A.B. and Slate, C. (2016) \u2018Owls at dusk: a field study\u2019, Journal "
            "of Owls, 39(10), pp. 13\u201328.",
            ARTICLE._replace(authors=("Stone, A.B.", "Slate, C.")),
            id="harvard",
        ),
        pytest.param(
            "Stone, Ann, and Carl Slate. \u201cOwls at Dusk: A Field Study.\u201d Journal of Owls, "
            "vol. 39, no. 10, 2016, pp. 13\u201328.",
            ARTICLE._replace(
                authors=("Stone, Ann", "Slate, Carl"), title="Owls at Dusk: A Field Study"
            ),
            id="mla",
        ),
        pytest.param(
            "Stone, Ann, and Carl Slate. 2016. \u201cOwls at Dusk: A Field Study.\u201d Journal of "
            "Owls 39 (10): 13\u201328.",
            ARTICLE._replace(
                authors=("Stone, Ann", "Slate, Carl"), title="Owls at Dusk: A Field Study"
            ),
            id="chicago-author-date",
        ),
        pytest.param(
            "Ann Stone and Carl Slate, \u201cOwls at Dusk: A Field Study,\u201d Journal of Owls "
            "39, no. 10 (2016): 13\u201328.",
            ARTICLE._replace(
                authors=("Stone, Ann", "Slate, Carl"), title="Owls at Dusk: A Field Study"
            ),
            id="chicago-note",
        ),
    ],
)
def test_an_article_is_taken_apart_in_every_style(text: str, fields: ReferenceFields) -> None:
    assert reference_fields(text) == fields


def test_a_book_has_a_publisher_and_no_venue() -> None:
    text = "Slate C. The owl. 2nd ed. London: Penguin Books; 2004."

    assert reference_fields(text) == ReferenceFields(
        authors=("Slate, C.",), title="The owl", year="2004", publisher="Penguin Books", kind="book"
    )


def test_a_chapter_names_its_book() -> None:
    text = (
        "Slate, C. (2004). Feathers. In J. Moss (Ed.), The book of owls (pp. 3\u20139). MIT Press."
    )

    assert reference_fields(text) == ReferenceFields(
        authors=("Slate, C.",),
        title="Feathers",
        container="The book of owls",
        year="2004",
        pages="3-9",
        publisher="MIT Press",
        kind="book",
    )


def test_a_page_of_an_organisation_has_its_link() -> None:
    text = "World Owl Organization. (2019). Owls in towns. Retrieved 3 May 2020, from https://owl.example/a"

    assert reference_fields(text) == ReferenceFields(
        authors=("World Owl Organization",),
        title="Owls in towns",
        year="2019",
        url="https://owl.example/a",
        kind="webpage",
    )


def test_a_cut_list_of_authors_is_marked() -> None:
    read = reference_fields("Slate C, Stone A, et al. Owls again. Owl J. 2001;3:4\u20135.")

    assert (read.authors, read.cut) == (("Slate, C.", "Stone, A."), True)


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    reference_fields(text)


@given(st.lists(st.sampled_from([
    "Smith, J.", "Smith J", "(2020).", "2020", "\u201c", "\u201d", "In", "pp. 3\u20139", "vol. 3",
    "et al.", "&", "and", "(", ")", ",", ".", "J. Owls", "https://a.example", "doi:10.1/x", "[1]",
    "ed. Jane Roe", "Penguin", ":", ";", "?", "\u2018", "\u2019", "arXiv:2001.00001",
]), max_size=25))  # fmt: skip
def test_no_order_of_parts_raises(parts: list[str]) -> None:
    reference_fields(" ".join(parts))


@pytest.mark.parametrize(
    "links",
    [
        "https://doi.org/10.1000/owl.5 https://owls.test/5.pdf",
        "https://owls.test/5.pdf https://doi.org/10.1000/owl.5",
        "doi:10.1000/owl.5. Available at: https://owls.test/5.pdf",
    ],
)
def test_a_reference_may_have_a_doi_and_another_link(links: str) -> None:
    fields = reference_fields(f"Stone, A. B. (2016). Owls at dusk. *Journal of Owls*, 39. {links}")

    assert (fields.doi, fields.url) == ("10.1000/owl.5", "https://owls.test/5.pdf")

"""A reference against a record, part by part."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.citations.reference_match import Comparison, ReferenceParts, compare

RECORD = ReferenceParts(
    "Deep learning for sleep staging: a review",
    ("Jürgen Müller", "Anna Ivanova", "Li Wang"),
    2017,
    "European Journal of Neuroscience",
    "123-129",
)
ALL = Comparison(1.0, "match", "match", "match", "match", "match")


@pytest.mark.parametrize(
    "reference",
    [
        "Müller, J., Ivanova, A., & Wang, L. (2017). Deep learning for sleep staging: A review. "
        "European Journal of Neuroscience, 12(3), 123\u2013129.",
        "Müller, Jürgen, et al. \u201cDeep Learning for Sleep Staging: A Review.\u201d European "
        "Journal of Neuroscience, vol. 12, no. 3, 2017, pp. 123-29.",
        "J. Mueller, A. Iwanowa, and L. Wang, \u201cDeep learning for sleep staging,\u201d Eur. J. "
        "Neurosci., vol. 12, no. 3, pp. 123\u2013129, Mar. 2017.",
        "Muller J, Ivanova A, Wang L. Deep learning for sleep staging: a review. Eur J Neurosci. "
        "2018;12(3):123-9.",
        "[7] Müller, J., Ivanova, A. und Wang, L. (2017) 'Deep learning for sleep staging: a "
        "review', European Journal of Neuroscience, 12(3), pp. 123\u2013129. Accessed 3 May 2025.",
        "MÜLLER J, IVANOVA A, WANG L. DEEP LEARNING FOR SLEPE STAGING: A REVIEW. European Journal "
        "of Neuroscience 12 (2017): 123-129. https://doi.org/10.1000/xyz-99-100",
    ],
)
def test_every_usual_form_of_a_right_reference_fits(reference: str) -> None:
    assert compare(reference, RECORD) == ALL


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("Müller, J., Ivanova, A., & Wang, L.", "Smith, P., & Jones, Q.", ("authors",)),
        ("Ivanova, A.", "Okafor, A.", ("authors",)),
        ("(2017)", "(2012)", ("year",)),
        ("European Journal", "Journal", ("venue",)),
        ("European Journal", "Asian Journal", ("venue",)),
        ("123-129", "323-329", ("pages",)),
        ("sleep", "speech", ("title",)),
        ("a review", "a randomised trial", ("title",)),
        ("sleep staging: a review", "sleep staging in mice", ("title",)),
        ("Deep learning", "On deep learning", ("title",)),
    ],
)
def test_what_was_changed_is_found(old: str, new: str, wrong: tuple[str, ...]) -> None:
    reference = (
        "Müller, J., Ivanova, A., & Wang, L. (2017). Deep learning for sleep staging: a review. "
        "European Journal of Neuroscience, 12(3), 123-129."
    )
    found = compare(reference.replace(old, new), RECORD)

    if wrong == ("title",) and new.startswith("On "):  # a small word more is no other title
        assert found.fits
    else:
        assert (found.mismatches, found.fits) == (wrong, False)


def test_a_reference_without_some_parts_is_not_blamed_for_them() -> None:
    assert compare("Müller Deep learning for sleep staging 2017", RECORD) == Comparison(
        1.0, "match", "match", "match", "not_checked", "not_checked"
    )


def test_names_behind_the_title_count() -> None:
    found = compare("Deep learning for sleep staging: a review. Jürgen Müller. 2017.", RECORD)

    assert (found.authors, found.fits) == ("match", True)


def test_running_text_before_a_title_has_no_author_names() -> None:
    text = 'As shown by Müller et al., "Deep learning for sleep staging: a review" (2017)'

    assert compare(text, RECORD).fits


def test_one_character_makes_another_chinese_title() -> None:
    record = ReferenceParts("高血压患者的睡眠质量研究")

    assert compare("王力. 高血压患者的睡眠质量研究. 2019", record).title == "match"
    assert compare("王力. 低血压患者的睡眠质量研究. 2019", record).title == "mismatch"


@pytest.mark.parametrize("pages", ["(3-4)", "978-3-16-148410-0", "e12", ""])
def test_what_is_no_range_of_pages_is_not_compared(pages: str) -> None:
    found = compare(f"Müller J. Deep learning for sleep staging. 2017;12{pages}.", RECORD)

    assert found.pages == "not_checked"


@given(st.text(max_size=300), st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_any_text_can_be_compared(reference: str, title: str) -> None:
    found = compare(reference, RECORD._replace(title=title))

    assert 0.0 <= found.similarity <= 1.0
    assert found.fits == (found.title == "match" and not found.mismatches)


@given(
    st.lists(
        st.sampled_from(["owls", "hear", "forest", "night", "sleep", "river", "stone"]), min_size=3
    )
)
@settings(max_examples=60, deadline=None)
def test_a_title_always_fits_itself(words: list[str]) -> None:
    title = " ".join(words)
    assert compare(f"{title}.", ReferenceParts(title)).title == "match"

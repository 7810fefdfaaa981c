"""The title of a reference against that of a record."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.citations.title_compare import compare_titles


@pytest.mark.parametrize(
    ("cited", "known"),
    [
        ("Owls: a study", "Owls: A Study."),
        ("The hearing of owls", "The hearing of owls: a study"),
        ("The hearing of owls: a study", "The hearing of owls"),
        ("OWL: how owls hear", "OWL"),
        ("Pretraining of owl-models", "Pre\u2010Training of Owl Models"),
        ("Owls &amp; mice", "Owls & mice"),
        ("Modelling the behaviour of owls", "Modeling the Behavior of Owls"),
        ("Owls hear $\\mathrm{mice}$", "Owls hear mice"),
        ("RETRACTED: Owls hear mice", "Owls hear mice"),
        ("Hearing of owls in Malmö", "Hearing of owls in Malmo"),
        ("The hering of barn owls", "The hearing of barn owls"),
        ("Owls hear mice (Student Abstract)", "Owls hear mice"),
    ],
)
def test_spelling_markup_and_a_missing_subtitle_make_no_difference(cited: str, known: str) -> None:
    assert compare_titles(cited, known)[1]


@pytest.mark.parametrize(
    ("cited", "known"),
    [
        ("Augmentation towards debiasing of owls", "Augmentation for debiasing of owls"),
        ("Owls with small ears", "Owls using small ears"),
        ("Hearing of the owl", "Hearing of owl"),
        ("Neural models of owls", "Neural model of owls"),
        ("Training of young owls", "Learning of young owls"),
        ("The hearing of owls: a trial", "The hearing of owls: a study"),
        ("The hearing of owls in old age", "The hearing of owls"),
        ("Treatment of hypertension", "Treatment of hypotension"),
        ("Sleep", "Sleep: a study of owls"),
        ("", "Owls"),
    ],
)
def test_one_other_word_makes_another_title(cited: str, known: str) -> None:
    assert not compare_titles(cited, known)[1]


@given(st.text(max_size=80), st.text(max_size=80))
@settings(deadline=None)
def test_any_titles_can_be_compared(cited: str, known: str) -> None:
    similarity, _ = compare_titles(cited, known)

    assert 0.0 <= similarity <= 1.0


@given(st.lists(st.sampled_from(["owls", "hear", "forest", "night", "sleep", "river"]), min_size=3))
@settings(max_examples=60, deadline=None)
def test_a_title_always_fits_itself(words: list[str]) -> None:
    assert compare_titles(" ".join(words), " ".join(words)) == (1.0, True)

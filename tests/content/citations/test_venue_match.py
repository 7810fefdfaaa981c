"""The journal of a reference."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.citations.venue_match import same_venue


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (". J. Clin. Oncol., 12(3)", "Journal of Clinical Oncology"),
        (". Q J Econ. 12", "Quarterly Journal of Economics"),
        (". PNAS 12", "Proceedings of the National Academy of Sciences"),
        (". Proc. Natl. Acad. Sci. USA 3", "Proceedings of the National Academy of Sciences"),
        (". In CVPR, 12-19",
         "2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)"),
        (". NeurIPS 30", "Advances in Neural Information Processing Systems"),
        (". In Proceedings of the 34th International Conference on Machine Learning, 3",
         "International Conference on Machine Learning"),
        (". J. Geophys. Res. Atmos., 4", "Journal of Geophysical Research: Atmospheres"),
        (". Computers and Education 5", "Computers & Education"),
        (". Nature, 12", "Nature"),
    ],
)  # fmt: skip
def test_a_venue_is_known_by_its_short_forms(text: str, known: str) -> None:
    assert same_venue(text, known) == "match"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (". J. Clin. Med., 12(3)", "Journal of Clinical Oncology"),
        (". Nature Communications, 12", "Nature"),
        (". Nat. Commun. 12", "Nature"),
        (". Nature, 12", "Nature Communications"),
        (". Eur. J. Neurosci. 3", "Journal of Neuroscience"),
        (
            ". Asian International Journal of Epidemiology 3",
            "International Journal of Epidemiology",
        ),
        (". Physics Today 3", "Annals of Statistics"),
    ],
)
def test_a_sister_journal_is_another_one(text: str, known: str) -> None:
    assert same_venue(text, known) == "mismatch"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("", "Nature"),
        (", 12(3), 4-5.", "Nature"),
        (". arXiv:1706.03762", "Nature"),
        (". Cell 3", ""),
    ],
)
def test_without_a_venue_there_is_nothing_to_compare(text: str, known: str) -> None:
    assert same_venue(text, known) == "not_checked"


@given(st.text(max_size=100), st.text(max_size=60))
@settings(deadline=None)
def test_any_text_can_be_asked(text: str, known: str) -> None:
    assert same_venue(text, known) in ("match", "mismatch", "not_checked")

"""Titles and DOIs in references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.reference_parser import title_in, without_urls


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("Müller, J. (2019). The hearing of owls. Nature, 12.", "The hearing of owls"),
        ("Müller, J. (2019, May) The hearing of owls? Nature, 12.", "The hearing of owls"),
        ("J. Müller, \u201cThe hearing of owls,\u201d Nature, 2019.", "The hearing of owls"),
        ("Müller, J. (2019) 'The owl\u2019s hearing in woods', Nature.",
         "The owl\u2019s hearing in woods"),
        ("Müller J, Wang L. The hearing of owls in forests. Nature. 2019;12.",
         "The hearing of owls in forests"),
        ("Müller J, O'Brien E. the hearing of owls in forests. Nature. 2019;12.",
         "the hearing of owls in forests"),
        ("[3] Anna Müller, Li Wang. The hearing of owls. In: A long journal, 15 (2020), 122-36.",
         "The hearing of owls"),
        ("The hearing of owls", "The hearing of owls"),
    ],
)  # fmt: skip
def test_the_title_is_taken_out(reference: str, title: str) -> None:
    assert title_in(reference) == title


def test_urls_and_dois_are_removed() -> None:
    text = "Owls. https://owls.test/1 doi: 10.1000/owl hear"
    assert without_urls(text) == "Owls. hear"


@given(st.text(max_size=300))
def test_any_text_has_a_title(text: str) -> None:
    assert isinstance(title_in(text), str)

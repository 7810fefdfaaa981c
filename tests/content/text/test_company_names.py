"""Names of companies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.text.company_names import company_key, contains_name, short_name, spellings


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Kaltura, Inc.", "Kaltura"),
        ("SIEMENS AG [DE]", "SIEMENS"),
        ("The Boeing Company", "Boeing"),
        ("Toyota Jidosha Kabushiki Kaisha", "Toyota Jidosha"),
        ("TEIKOKU SEIYAKU CO., LTD.", "TEIKOKU SEIYAKU"),
        ("Limited", "Limited"),
        ("AT&T Inc", "AT&T"),
        ("", ""),
    ],
)
def test_the_legal_form_is_left_out(name: str, short: str) -> None:
    assert short_name(name) == short


def test_spellings_of_one_company_have_one_key() -> None:
    names = ("Société Générale S.A.", "SOCIETE GENERALE SA", "Societe Generale")

    assert {company_key(name) for name in names} == {"societe generale"}
    assert spellings("Kaltura, Inc.") == ("Kaltura, Inc.", "Kaltura")
    assert spellings("Kaltura") == ("Kaltura",)


@pytest.mark.parametrize(
    ("wanted", "given_name", "fits"),
    [
        ("Sami Herrala", "HERRALA SAMI [FI]", True),
        ("Apple Inc.", "Apple", True),
        ("Apple", "Applied Materials", False),
        ("", "Apple", False),
        ("Ye", "Nanyang YE", True),
    ],
)
def test_a_name_fits_when_all_its_words_are_there(
    wanted: str, given_name: str, *, fits: bool
) -> None:
    assert contains_name(wanted, given_name) is fits


@given(st.text())
def test_any_text_contains_itself_as_a_name_or_has_no_words(text: str) -> None:
    assert short_name(short_name(text)) == short_name(text)
    assert contains_name(text, text) is bool(company_key(text))

"""What kind of thing a citation names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.citations.reference_kind import (
    NamedThing,
    is_isbn,
    is_listed_reference,
    is_official_document,
    may_be_book,
    named_thing,
    url_without_scheme,
)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("arXiv:1706.03762", NamedThing("arxiv", "1706.03762")),
        ("1706.03762v5", NamedThing("arxiv", "1706.03762")),
        ("PMID: 23903748", NamedThing("pmid", "23903748")),
        ("PMCID: PMC3814466", NamedThing("pmcid", "PMC3814466")),
        ("Owls hear well. PMC3814466.", NamedThing("pmcid", "PMC3814466")),
        ("ISBN 978-0-13-468599-1", NamedThing("isbn", "9780134685991")),
        ("0-306-40615-2", NamedThing("isbn", "0306406152")),
        ("Brown v. Board of Education, 347 U.S. 483 (1954)",
         NamedThing("case", "Brown v. Board of Education", "347 U.S. 483", 1954)),
        ("Varghese v. China S. Airlines Co., Ltd., 925 F.3d 1339 (11th Cir. 2019)",
         NamedThing("case", "Varghese v. China S. Airlines Co., Ltd.", "925 F.3d 1339", 2019)),
        ("Smith, J. (2019). Owls v. mice. Nature, 12, 3-4.", None),
        ("Owls", None),
        ("", None),
    ],
)  # fmt: skip
def test_an_identifier_says_what_is_named(text: str, thing: NamedThing | None) -> None:
    assert named_thing(text) == thing


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("www.example.org", "https://www.example.org"),
        ("example.org/page", "https://example.org/page"),
        ("example.org", None),
        ("Owls hear. Mice", None),
    ],
)
def test_a_url_may_lack_its_scheme(text: str, url: str | None) -> None:
    assert url_without_scheme(text) == url


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Müller, J. (2019). Owls. Journal of Applied Ecology, 12(3), 1523-1531.", True),
        ("Vaswani, A. (2017). Attention is all you need. NeurIPS.", True),
        ("Darwin, C. (1859). On the Origin of Species. London: John Murray.", False),
        ("World Health Organization (2020). Report on owls. Geneva.", False),
        ("Müller, J. (1923). Owls. Annals of Owls, 12, 3-4.", False),
        ("Directive 95/46/EC of the European Parliament", False),
    ],
)
def test_only_recent_articles_must_be_listed(text: str, *, listed: bool) -> None:
    assert is_listed_reference(text) is listed


def test_a_reference_with_a_publisher_may_be_a_book() -> None:
    assert may_be_book("Darwin, C. (1859). On the Origin of Species. London: John Murray.")
    assert not may_be_book("Müller, J. (2019). Owls. J. Owls, 12(3), 4-5.")


@pytest.mark.parametrize(
    ("digits", "valid"),
    [
        ("9780134685991", True), ("9780134685992", False), ("080442957X", True),
        ("0306406152", True), ("030640615", False), ("", False),
    ],
)  # fmt: skip
def test_the_check_digit_of_an_isbn_is_checked(digits: str, *, valid: bool) -> None:
    assert is_isbn(digits) is valid


@given(st.text(max_size=120))
@settings(deadline=None)
def test_any_text_can_be_classified(text: str) -> None:
    named_thing(text)
    is_listed_reference(text)
    may_be_book(text)
    url_without_scheme(text)


@pytest.mark.parametrize(
    ("text", "official"),
    [
        ("Directive 95/46/EC of the European Parliament", True),
        ("Regulation (EU) 2016/679 (General Data Protection Regulation)", True),
        ("42 U.S.C. § 1983", True),
        ("45 CFR 164.512", True),
        ("Pub. L. No. 111-148, 124 Stat. 119 (2010)", True),
        ("RFC 2616", True),
        ("ISO/IEC 27001:2022 Information security", True),
        ("IEEE Std 802.11-2020", True),
        ("US Patent 6,285,999", True),
        ("Owls and the regulation of 12 genes. Nature, 12(3), 4-5.", False),
        ("Request for owls. Journal of Owls, 2016, 679.", False),
    ],
)
def test_laws_standards_and_patents_are_recognised(text: str, *, official: bool) -> None:
    assert is_official_document(text) is official

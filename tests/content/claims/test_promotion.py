"""Who gains from a recommendation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.claims.promotion import (
    Conflict,
    brand_of,
    conflict_in,
    entities_in,
    promotes_itself,
    top_ranked_name,
)

TITLE = "Shopify is the best e-commerce platform"
SHOPIFY = "https://www.shopify.com/blog/best"


@pytest.mark.parametrize(
    ("bio", "kind"),
    [
        ("Ann is a product manager at Shopify.", "employment"),
        ("Ann works for Shopify in Ottawa.", "employment"),
        ("Ann, Shopify's marketing director, lives in Rome.", "employment"),
        ("Ann is the co-founder of Shopify.", "founder"),
        ("Ann is an advisor to Shopify.", "equity"),
        ("Ann holds shares in Shopify.", "equity"),
        ("Her blog is sponsored by Shopify.", "funding"),
        ("Ann arbeitet bei Shopify.", "employment"),
    ],
)
def test_a_stake_is_found_with_its_sentence(bio: str, kind: str) -> None:
    found = conflict_in(TITLE, "", bio)

    assert found
    assert found._asdict() == {"kind": kind, "entity": "Shopify", "evidence": bio}


@pytest.mark.parametrize(
    "bio",
    [
        "",
        "Ann writes about shops.",
        "Ann formerly worked at Shopify.",
        "Ann is an ex-engineer at Shopify.",
        "Ann is not affiliated with Shopify and has no ties at Shopify.",
        "Ann is a manager at Spotify.",
        "Ann reviews Shopify for a living.",
        "Ann is a director at Platform Ltd.",
    ],
)
def test_what_is_over_denied_or_elsewhere_is_no_stake(bio: str) -> None:
    assert conflict_in(TITLE, "", bio) is None


def test_the_brand_of_the_domain_counts_as_recommended() -> None:
    found = conflict_in("the best platform", SHOPIFY, "Ann is an engineer at Shopify.")

    assert found == Conflict("employment", "shopify", "Ann is an engineer at Shopify.")


@pytest.mark.parametrize(
    ("title", "url", "own"),
    [
        ("Best platforms\n1. Shopify - easy\n2. Wix", SHOPIFY, True),
        ("## #1 **Shopify**: our pick", SHOPIFY, True),
        ("1) Hub Spot CRM", "https://blog.hubspot.com/x", True),
        ("1. Wix\n2. Shopify", SHOPIFY, False),
        ("Shopify", SHOPIFY, False),
        ("1. Marketo", "https://adobe.com/list", False),
        ("1. Shopify", "", False),
        ("1. Pineapple stand", "https://apple.com", False),
    ],
)
def test_a_list_that_puts_its_own_brand_first(title: str, url: str, *, own: bool) -> None:
    assert promotes_itself(title, url) is own


def test_names_are_distinguished_from_praise() -> None:
    assert list(entities_in("The Best CRM: HubSpot and Zoho One")) == ["HubSpot", "Zoho One"]


@pytest.mark.parametrize(
    ("url", "brand"),
    [
        ("https://shop.example.co.uk/x", "example"),
        ("https://x.com", ""),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_the_brand_is_what_somebody_registered(url: str, brand: str) -> None:
    assert brand_of(url) == brand


def test_a_ranking_names_its_first() -> None:
    assert top_ranked_name("Intro\n> 1. [Wix](https://wix.com) is nice") == "Wix"
    assert top_ranked_name("10. Wix") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Best website builders 2026: 1. Wix, 2. Shopify, 3. Squarespace",
        "Our ranking: #1 Wix; #2 Shopify",
        "(1) Wix (2) Shopify",
        "Top shops \u2013 1) Wix 2) Shopify",
        "1. Wix: easy to use. 2. Shopify: large",
    ],
)
def test_a_ranking_in_one_line_names_its_first(text: str) -> None:
    assert top_ranked_name(text) == "Wix"


@pytest.mark.parametrize("text", ["Version 1.2 of Wix", "It costs $1, 2 for $3", "Chapter 1. Wix"])
def test_a_number_alone_is_no_ranking(text: str) -> None:
    assert top_ranked_name(text) == ""


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_analysed(title: str, bio: str) -> None:
    assert conflict_in(title, "", bio) is None or conflict_in(title, "", bio)
    assert promotes_itself(title, "https://shopify.com") in (True, False)

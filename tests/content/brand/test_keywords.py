"""Which pages are about a brand."""

import pytest

from webquarry.content.brand.keywords import is_about_brand, is_gated


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Kite brand guidelines", "How to use our logo and colors."),
        ("Press kit", "Download the press kit with our logo."),
        ("Markenrichtlinien", "Unser Logo und unsere Farben."),
        ("Assets", "Logo, typography, palette and usage of the Kite trademark."),
    ],
)
def test_a_page_that_describes_the_brand_is_about_it(title: str, text: str) -> None:
    assert is_about_brand(text, title)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Page not found", "Our brand guidelines, logo and colors moved."),
        ("Sign in", "Log in to see the brand guidelines and the logo."),
        ("Press", "Kite opens a shop. Ask for our press kit."),
        ("Paint", "Every brand of paint, every color, every tone, and how to choose for usage."),
        ("Media", "Watch the film about kites."),
    ],
)
def test_error_login_news_and_shop_pages_are_not_about_the_brand(title: str, text: str) -> None:
    assert not is_about_brand(text, title)


def test_a_login_page_is_gated_and_others_are_not() -> None:
    assert is_gated("Enter the password to go on.", "Kite brand portal")
    assert not is_gated("Colors and logos. " * 40 + "Sign in for more.", "Kite brand portal")

"""Typefaces of guidelines: every family is named, and for one use."""

import pytest

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.fonts import fonts_of, google_families, scale_of
from webquarry.models.brand import Font


def page(body: str) -> BrandPage:
    return BrandPage(f"<body><h2>Typography</h2>{body}", "https://kite.test/brand")


def fonts(body: str) -> dict[str, Font]:
    at = page(body)
    return fonts_of(at, at.lines)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Headings: Inter Bold</p>", {"heading": Font(family="Inter", weights=(700,))}),
        ("<p>Body \u2013 Source Sans 3</p>", {"body": Font(family="Source Sans 3")}),
        ("<h3>Headlines</h3><p>Sora Bold</p>", {"heading": Font(family="Sora", weights=(700,))}),
        (
            "<table><tr><th>Use</th><th>Font</th></tr><tr><td>Body</td><td>Lora</td>"
            "<td>400, 700</td></tr></table>",
            {"body": Font(family="Lora", weights=(400, 700))},
        ),
        ("<p>Use Georgia for body text.</p>", {"body": Font(family="Georgia")}),
        ("<p>Our headline typeface is Canela.</p>", {"heading": Font(family="Canela")}),
        (
            "<p>Headings: S\u00f6hne Bold. Body: Inter Regular.</p>",
            {
                "heading": Font(family="S\u00f6hne", weights=(700,)),
                "body": Font(family="Inter", weights=(400,)),
            },
        ),
        (
            "<p>Headlines \u2013 \u00c9clair | Body text \u2013 Lora | Code \u2013 Fira Code</p>",
            {
                "heading": Font(family="\u00c9clair"),
                "body": Font(family="Lora"),
                "mono": Font(family="Fira Code"),
            },
        ),
        ("<p>Code: 'Fira Code'</p>", {"mono": Font(family="Fira Code")}),
    ],
)
def test_a_typeface_has_the_use_that_the_page_states(body: str, expected: dict[str, Font]) -> None:
    assert fonts(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<p>Headings: Bold</p>",
        "<h3>Headings</h3><p>Making Kites Fly</p>",
        "<h3>Headings</h3><p>Heading Bold</p>",
        "<p>Headings: Title Case</p>",
        "<p>Headings: We keep them short and to the point</p>",
        "<p>Headings: Large and clear</p>",
        "<p>Primary typeface: Inter</p>",
        "<p>Body: 16px</p>",
        "<p>Never use Arial for headings.</p>",
        "<p>Arial or Helvetica for body text.</p>",
        "<p>Headings: Inter</p><p>Headings: Sora</p>",
    ],
)
def test_what_names_no_single_typeface_is_left_out(body: str) -> None:
    assert fonts(body) == {}


def test_typefaces_elsewhere_on_a_page_are_not_the_brand_s() -> None:
    at = BrandPage("<h2>Our team</h2><p>Headings: Inter</p>", "https://kite.test/")

    assert fonts_of(at, at.lines) == {}


def test_a_scale_has_at_least_two_steps() -> None:
    one, two = page("<p>H1: 48px</p>"), page("<p>H1: 48px</p><p>Caption 12 pt</p>")

    assert scale_of(one, one.lines) is None
    assert scale_of(two, two.lines) == {"H1": "48px", "Caption": "12pt"}


@pytest.mark.parametrize(
    ("query", "families"),
    [
        ("css2?family=Inter:ital,wght@0,400;1,700&family=Lora", {"Inter": (400, 700), "Lora": ()}),
        ("css?family=Open+Sans:400,600|Roboto", {"Open Sans": (400, 600), "Roboto": ()}),
    ],
)
def test_both_interfaces_of_google_fonts_are_understood(
    query: str, families: dict[str, tuple[int, ...]]
) -> None:
    link = f'<link rel="stylesheet" href="https://fonts.googleapis.com/{query}">'

    assert google_families(BrandPage(link, "https://kite.test/")) == families

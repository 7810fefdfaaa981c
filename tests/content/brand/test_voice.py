"""Tone of voice: in the words of the guidelines, or not at all."""

import pytest

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.voice import tone_of
from webquarry.models.brand import Tone


def tone(body: str) -> Tone | None:
    page = BrandPage(f"<body>{body}", "https://kite.test/brand")
    return tone_of(page, page.lines)


def test_items_with_a_lead_are_attributes() -> None:
    body = (
        "<h2>Tone of voice</h2><p>We write the way that we talk.</p>"
        "<ul><li>Clear: we say it once.</li><li>Kind \u2014 we mean it.</li></ul>"
    )

    assert tone(body) == Tone(
        summary="We write the way that we talk.", attributes=("Clear", "Kind")
    )


def test_headings_below_are_attributes_but_for_dos_and_donts() -> None:
    body = (
        "<h2>Our voice</h2><h3>Bold</h3><p>We say what we think about kites.</p>"
        "<h3>Do's and don'ts</h3><h4>Do</h4><ul><li>Be brief.</li></ul>"
        "<h4>Don\u2019t</h4><ul><li>Shout.</li></ul>"
    )

    assert tone(body) == Tone(
        attributes=("Bold",),
        dos_and_donts={"dos": ("Be brief.",), "donts": ("Shout.",)},
    )


def test_only_what_stands_right_below_the_heading_describes_the_tone() -> None:
    body = (
        "<h2>Brand voice &amp; messaging</h2><h3>Key messages</h3>"
        "<p>Kites for everybody, today.</p>"
        "<h3>Tone of voice</h3><div><h4>Honest</h4><p>Open and plain, always.</p></div>"
        "<div><h4>Light</h4><p>Never heavy.</p></div>"
    )

    assert tone(body) == Tone(attributes=("Honest", "Light"))


@pytest.mark.parametrize(
    "body",
    [
        "<h2>Voice API</h2><p>Call people from your program in a minute.</p>",
        "<h2>Skin tones</h2><p>We draw people in every tone there is.</p>",
        "<h2>Logo</h2><h3>Do</h3><ul><li>Leave room around it.</li></ul>",
        "<h2>Tone of voice</h2>",
    ],
)
def test_a_page_that_does_not_speak_of_tone_has_none(body: str) -> None:
    assert tone(body) is None


@pytest.mark.parametrize(
    "body",
    [
        "<p><b>Do</b></p><ul><li>Be brief.</li></ul>"
        "<p><b>Don\u2019t</b></p><ul><li>Shout.</li></ul>",
        "<p>Do:</p><ul><li>Be brief.</li></ul><p>Don't:</p><ul><li>Shout.</li></ul>",
        "<ul><li>Do: Be brief.</li><li>Don't: Shout.</li></ul>",
        "<ul><li><b>Do</b> \u2013 Be brief.</li><li><b>Avoid</b> \u2013 Shout.</li></ul>",
        "<table><tr><th>Do</th><th>Don't</th></tr>"
        "<tr><td>Be brief.</td><td>Shout.</td></tr></table>",
    ],
)
def test_rules_are_no_attributes_however_they_are_marked(body: str) -> None:
    assert tone(f"<h2>Tone of voice</h2><p>We write the way that we talk.</p>{body}") == Tone(
        summary="We write the way that we talk.",
        dos_and_donts={"dos": ("Be brief.",), "donts": ("Shout.",)},
    )

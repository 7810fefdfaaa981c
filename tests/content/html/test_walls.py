"""Walls are detected by their words and by the source code of their vendors."""

import pytest

from webquarry.content.html.walls import detect_wall
from webquarry.models.page import Wall, WallKind


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('<div class="g-recaptcha" data-sitekey="x">', "captcha"),
        ("<div class='wide h-captcha'>", "captcha"),
        ('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>', "captcha"),
        ('<script src="https://ct.captcha-delivery.com/c.js">', "captcha"),
        ('<iframe src="/_Incapsula_Resource?SWUDNSAI=31">', "blocked"),
        ("<p>Your request has been blocked due to a network policy.</p>", "blocked"),
        ('<form action="https://consent.youtube.com/save" method="POST">', "consent"),
        ("<form><input name=u><input type=password></form>", "login"),
    ],
)
def test_a_marker_in_the_source_identifies_the_wall(source: str, kind: WallKind) -> None:
    wall = detect_wall("Weiter.", title="", words=20, source=source)

    assert wall is not None
    assert wall.kind == kind
    assert detect_wall("Weiter.", title="", words=2000, source=source) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Verifying you are human. This may take a few seconds.", "captcha"),
        ("Bitte bestätigen Sie, dass Sie kein Roboter sind.", "captcha"),
        ("请完成安全验证后继续访问", "captcha"),
        ("Sorry, your request has been blocked.", "blocked"),
        ("Wir brauchen Ihre Zustimmung. Alle akzeptieren", "consent"),
        ("Continuer sans accepter. Accepter et fermer", "consent"),
        ("You need to log in first.", "login"),
        ("Connectez-vous pour voir cette page.", "login"),
        ("Subscribe to continue", "paywall"),
        ("The page you requested was moved.", "not_found"),
    ],
)
def test_words_identify_the_wall_of_a_short_page(text: str, kind: WallKind) -> None:
    wall = detect_wall(text, title="", words=12, source=text)
    assert wall is not None
    assert wall.kind == kind


def test_the_evidence_is_the_matched_text() -> None:
    wall = detect_wall("Please log in to see it.", title="Quarry", words=6, source="")
    assert wall == Wall(kind="login", evidence="please log in")


def test_a_consent_host_is_enough() -> None:
    wall = detect_wall(
        "OK", title="", words=1, source="", url="https://consent.quarry.example/m?c=1"
    )
    assert wall == Wall(kind="consent", evidence="consent.quarry.example")


@pytest.mark.parametrize(
    "source",
    [
        "<p>We wrote about captchas and consent today.</p>",
        "<form><textarea name=message></textarea><div class='g-recaptcha'></div></form>",
        "<p>The password of the gate changes every week.</p>",
    ],
)
def test_an_ordinary_short_page_is_content(source: str) -> None:
    assert detect_wall("We wrote about the gate.", title="Gate", words=8, source=source) is None


@pytest.mark.parametrize(
    "source",
    [
        "<form><input name=name><input type=tel><div class='g-recaptcha'></div></form>",
        "<form><select name=bird></select><div class='cf-turnstile'></div></form>",
        "<script>a.src='/cdn-cgi/challenge-platform/h/b/scripts/jsd/main.js'</script>",
        "<script src='/_Incapsula_Resource?SWJIYLWA=719d34d3'></script>",
    ],
)
def test_a_page_with_a_protected_form_or_a_passive_check_is_content(source: str) -> None:
    text = "Our office is on Mill Lane. Please describe the bird, the place and the time."

    assert detect_wall(text, title="Contact", words=60, source=source) is None


def test_a_passive_check_without_text_is_a_wall() -> None:
    source = "<script src='/_Incapsula_Resource?SWJIYLWA=719d34d3'></script>"

    assert detect_wall("", title="", words=0, source=source) == Wall(
        kind="blocked", evidence="_incapsula_resource"
    )

"""Pages that stand in front of others, by their words and by what their makers leave in them."""

import pytest

from webquarry.content.html.walls import wall_of
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
def test_a_mark_in_the_source_gives_a_short_page_away(source: str, kind: WallKind) -> None:
    wall = wall_of("Weiter.", title="", words=20, source=source)

    assert wall is not None
    assert wall.kind == kind
    assert wall_of("Weiter.", title="", words=2000, source=source) is None


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
def test_words_give_a_short_page_away(text: str, kind: WallKind) -> None:
    wall = wall_of(text, title="", words=12, source=text)
    assert wall is not None
    assert wall.kind == kind


def test_the_evidence_is_what_was_found() -> None:
    wall = wall_of("Please log in to see it.", title="Quarry", words=6, source="")
    assert wall == Wall(kind="login", evidence="please log in")


def test_a_consent_host_is_enough() -> None:
    wall = wall_of("OK", title="", words=1, source="", url="https://consent.quarry.example/m?c=1")
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
    assert wall_of("We wrote about the gate.", title="Gate", words=8, source=source) is None

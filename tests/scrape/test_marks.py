"""Marks of challenge and consent pages."""

import pytest

from webquarry.scrape.marks import challenge_in


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (b'<div class="g-recaptcha" data-sitekey="x">', "captcha"),
        (b"<div class='wide h-captcha'>", "captcha"),
        (b'<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>', "captcha"),
        (b'<script src="https://ct.captcha-delivery.com/c.js">', "captcha"),
        (b'<iframe src="/_Incapsula_Resource?SWUDNSAI=31">', "blocked"),
        (b"<p>Your request has been blocked due to a network policy.</p>", "blocked"),
        (b'<form action="https://consent.youtube.com/save" method="POST">', "consent"),
    ],
)
def test_a_mark_gives_a_short_page_away(source: bytes, kind: str) -> None:
    wall = challenge_in(source, words=20)

    assert wall
    assert wall.kind == kind
    assert challenge_in(source, words=2000) is None


def test_an_ordinary_short_page_has_none() -> None:
    assert challenge_in(b"<p>We wrote about captchas and consent today.</p>", words=8) is None

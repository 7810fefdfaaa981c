"""Marks of challenge and consent pages in their source, in whatever language they speak."""

import re

from webquarry.models.page import Wall, WallKind

_MOST_WORDS = 250  # a longer page is content that happens to carry a captcha somewhere
_SEARCHED = 200_000
_MARKS: tuple[tuple[WallKind, re.Pattern[bytes]], ...] = (
    (
        "captcha",
        re.compile(
            rb"class=[\"'][^\"']*(?:g-recaptcha|h-captcha|cf-turnstile|px-captcha)"
            rb"|/cdn-cgi/challenge-platform/|captcha-delivery\.com|id=[\"']challenge-form"
            rb"|geo\.captcha|aws-waf-captcha|awsWafCookieDomainList|_pxAppId",
            re.IGNORECASE,
        ),
    ),
    (
        "blocked",
        re.compile(
            rb"_Incapsula_Resource|errors\.edgesuite\.net|cf-error-details"
            rb"|your request has been blocked|<title>\s*Blocked\s*</title>",
            re.IGNORECASE,
        ),
    ),
    (
        "consent",
        re.compile(
            rb"action=[\"']https://consent\.(?:youtube|google)\.|//consent\.yahoo\.com/"
            rb"|//(?:www\.)?guce\.",
            re.IGNORECASE,
        ),
    ),
)


def challenge_in(content: bytes, words: int) -> Wall | None:
    """Return what stands in front of the page, by the marks its makers leave in it."""
    if words > _MOST_WORDS:
        return None
    head = content[:_SEARCHED]
    for kind, pattern in _MARKS:
        if found := pattern.search(head):
            return Wall(kind=kind, evidence=found[0].decode("ascii", "replace")[:60])
    return None

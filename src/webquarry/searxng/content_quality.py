"""Whether the content of a page is worth keeping."""

import re
from typing import Literal

from webquarry.searxng.summaries import word_count

Flaw = Literal["empty", "paywall", "login", "captcha", "spam"]

_SHORT = 150  # words: a longer text is content, whatever it mentions
_LEAST = 5  # words
_SIGNS: tuple[tuple[Flaw, re.Pattern[str]], ...] = (
    (
        "paywall",
        re.compile(
            r"(?:subscribe|subscription|sign up|join) (?:now |today )?to (?:continue|keep) reading"
            r"|(?:this|the) (?:article|content|story) is (?:only |reserved )?for (?:paying )?"
            r"(?:subscribers|members)|already a subscriber|subscribers only|unlock this article"
            r"|(?:free|remaining) articles? (?:left|remaining) this month|become a (?:paying )?"
            r"(?:subscriber|member) to read",
            re.IGNORECASE,
        ),
    ),
    (
        "login",
        re.compile(
            r"(?:log|sign) ?in (?:or (?:register|sign up|create an account) )?to "
            r"(?:continue|view|read|see|access)|you (?:must|need to) (?:be logged|log|sign) ?in\b"
            r"|please (?:log|sign) ?in\b",
            re.IGNORECASE,
        ),
    ),
    (
        "captcha",
        re.compile(
            r"verify (?:that )?you are (?:a )?human|are you a robot|complete the captcha"
            r"|complete the security check|enable javascript and cookies to continue"
            r"|just a moment\.\.\.|checking your browser before|unusual traffic from your",
            re.IGNORECASE,
        ),
    ),
)
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")


def flaw_of(markdown: str) -> Flaw | None:
    """Return why this is not the content somebody searched for; None when it may be."""
    words = word_count(markdown)
    if words < _LEAST:
        return "empty"
    if words <= _SHORT:
        for flaw, sign in _SIGNS:
            if sign.search(markdown):
                return flaw
    return "spam" if _is_spam(markdown, words) else None


def _is_spam(markdown: str, words: int) -> bool:
    """Tell a page that only repeats itself or only links elsewhere."""
    if words < 60:
        return False
    linked = sum(word_count(match[0]) for match in _LINK.finditer(markdown))
    found = [word.lower() for word in re.findall(r"\w{3,}", _LINK.sub(" ", markdown))]
    # a text of n words has far more than n/25 different ones until it is very long
    stuffed = 60 <= len(found) <= 5000 and len(set(found)) < len(found) / 25
    return stuffed or (linked / words > 0.9 and len(_LINK.findall(markdown)) > 40)

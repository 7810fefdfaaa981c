"""Detects pages that are not content: paywalls, login forms, CAPTCHAs, spam."""

import re
from typing import Literal

from webquarry.searxng.summaries import word_count

ContentFlaw = Literal["empty", "paywall", "login", "captcha", "spam"]

_MAX_WALL_WORDS = 150  # a longer text is content, whatever it mentions
_MIN_WORDS = 5
_WALL_PATTERNS: tuple[tuple[ContentFlaw, re.Pattern[str]], ...] = (
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
_LINK = re.compile(r"\[[^\[\]]*+\]\([^)\[]*+\)")


def find_content_flaw(markdown: str) -> ContentFlaw | None:
    """Return why this text is not content; None if it may be."""
    words = word_count(markdown)
    if words < _MIN_WORDS:
        return "empty"
    if words <= _MAX_WALL_WORDS:
        for flaw, pattern in _WALL_PATTERNS:
            if pattern.search(markdown):
                return flaw
    return "spam" if _is_spam(markdown, words) else None


def _is_spam(markdown: str, words: int) -> bool:
    """Tell whether a page consists of repetitions or links only."""
    if words < 60:
        return False
    linked = sum(word_count(match[0]) for match in _LINK.finditer(markdown))
    tokens = [word.lower() for word in re.findall(r"\w{3,}", _LINK.sub(" ", markdown))]
    # prose of n words has far more than n/25 distinct words, unless it is very long
    repetitive = 60 <= len(tokens) <= 5000 and len(set(tokens)) < len(tokens) / 25
    return repetitive or (linked / words > 0.9 and len(_LINK.findall(markdown)) > 40)

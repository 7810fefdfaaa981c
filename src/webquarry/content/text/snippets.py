"""Snippets of search results: plain text, shortened or excerpted."""

import html
import re
from collections.abc import Sequence

from webquarry.content.text.whitespace import collapse_whitespace

_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>]*>|!--.*?(?:-->|\Z))", re.DOTALL)
MAX_SNIPPET_CHARS = 600


def plain_text(text: str | None) -> str:
    """Return text without HTML tags and entities, on one line."""
    if not text:
        return ""
    if "<" in text:
        text = _TAG.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    # most snippets: the space is the only printable white space
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    return collapse_whitespace(text)


def shorten_snippet(text: str | None, max_chars: int = MAX_SNIPPET_CHARS) -> str:
    """Return plain text of at most `max_chars` characters, cut between words."""
    full = plain_text(text)
    if len(full) <= max_chars:
        return full
    cut = full.rfind(" ", max_chars // 2, max_chars - 1)
    return full[: cut if cut > 0 else max_chars - 1].rstrip() + "…"


def excerpt(text: str, words: Sequence[str], max_chars: int = 280) -> str:
    """Return the part of a long text that has most of the words."""
    full = " ".join(text.split())
    if len(full) <= max_chars:
        return full
    lowered = [word.lower() for word in filter(None, words)]
    best = _best_position(full.lower(), lowered, max_chars - 40)
    start = full.rfind(" ", 0, max(0, best - 30)) + 1 if best > 30 else 0
    snippet = shorten_snippet(full[start:], max_chars)
    return snippet if start == 0 else f"…{snippet}"


def _best_position(text: str, words: Sequence[str], window: int) -> int:
    """Return the position of the word that starts the window with most of the words."""
    positions = sorted(at for word in words if (at := text.find(word)) >= 0)
    return max(
        positions,
        key=lambda at: sum(word in text[at : at + window] for word in words),
        default=0,
    )

"""Snippets of search results: plain text, shortened."""

import html
import re

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

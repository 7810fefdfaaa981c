"""Short texts of search results."""

import html
import re
from collections.abc import Sequence

from webquarry.content.text.whitespace import flattened

_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>]*|!--.*?--)>", re.DOTALL)
MOST = 600  # characters of a snippet worth their tokens


def plain(text: str | None) -> str:
    """Return text without tags and entities, on one line."""
    if not text:
        return ""
    if "<" in text:
        text = _TAG.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    return flattened(text)


def brief(text: str | None, most: int = MOST) -> str:
    """Return plain text of at most so many characters, cut between words."""
    whole = plain(text)
    if len(whole) <= most:
        return whole
    cut = whole.rfind(" ", most // 2, most - 1)
    return whole[: cut if cut > 0 else most - 1].rstrip() + "…"


def excerpt(text: str, words: Sequence[str], most: int = 280) -> str:
    """Return the part of a long text where most of the words are."""
    whole = " ".join(text.split())
    if len(whole) <= most:
        return whole
    lowered = whole.lower()
    wanted = [word.lower() for word in words if word]
    places = sorted(at for word in wanted if (at := lowered.find(word)) >= 0)
    best = max(
        places,
        key=lambda at: sum(word in lowered[at : at + most - 40] for word in wanted),
        default=0,
    )
    start = whole.rfind(" ", 0, max(0, best - 30)) + 1 if best > 30 else 0
    piece = brief(whole[start:], most)
    return piece if start == 0 else f"…{piece}"

"""The Go reference's claim check, reimplemented from its description (it cannot be run here)."""

import re

from webquarry.content.text.word_list import words

_STOP = frozenset(
    words(
        "the and for are but not you all any can had her was one our out "
        "has have him his how its may new now old see two who did get let "
        "say she too use that this with from they were been their which will would there "
        "what about into than then "
    )
)
_TOKEN = re.compile(r"[^\W_]+")
_ADDRESSED_SHARE = 0.6


def support(claim: str, text: str) -> str:
    """Return addressed, partially_addressed or not_addressed."""
    terms = {t for t in _TOKEN.findall(claim.lower()) if t.isdigit() or _is_term(t)}
    sentences = [s for s in re.split(r"\n+|(?<=[.!?])\s+", text) if len(s) >= 12]
    if not terms:
        return "partially_addressed"
    step = 4 if len(sentences) > 20 else max(1, len(sentences))
    shares = [_share(terms, " ".join(sentences[start : start + step]))
              for start in range(max(1, len(sentences) - step + 1))]  # fmt: skip
    best = max(shares, default=0.0)
    if best == 0:
        return "not_addressed"
    return "addressed" if best >= _ADDRESSED_SHARE else "partially_addressed"


def _is_term(token: str) -> bool:
    return len(token) >= 3 and token not in _STOP


def _share(terms: set[str], text: str) -> float:
    tokens = {*_TOKEN.findall(text.lower())}
    tokens |= {_stem(word) for word in tokens}
    return sum(term in tokens or _stem(term) in tokens for term in terms) / len(terms)


def _stem(word: str) -> str:
    for suffix in ("'s", "ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) > 2:
            return word.removesuffix(suffix)
    return word

"""Query operators most search engines share: `site:`, quoted phrases and exclusions (`-`)."""

import re
from collections.abc import Iterable, Sequence

# exclusions, required words, fields (`site:`) and Boolean operators
_OPERATOR = re.compile(r"[-+~|*]|[a-z]+:\S|(?:OR|AND|NOT|AROUND)(?:\(|$)")
_TERM = re.compile(r'"([^"]+)"|([^\s,"]+)')


def terms_of(text: str | None) -> tuple[str, ...]:
    """Return the words and quoted phrases of a list of terms."""
    return tuple((a or b).lstrip("-") for a, b in _TERM.findall(text or "") if (a or b).strip("-"))


def literal(word: str) -> str:
    """Return a word of a text so that search engines do not take it for an operator."""
    return f'"{word}"' if _OPERATOR.match(word) else word


def compose(
    text: str,
    *,
    exact: str | None = None,
    phrases: Iterable[str] = (),
    exclude: str | None = None,
    exclude_sites: Iterable[str] = (),
    sites: Sequence[str] = (),
) -> str:
    """Return text with the filters as operators. No other code writes operators."""
    quoted = [_quoted(phrase) for phrase in ((exact, *phrases) if exact else phrases)]
    terms = [f"-{_quoted(term) if ' ' in term else term}" for term in terms_of(exclude)]
    parts = [text, *quoted, *terms, *(f"-site:{site}" for site in exclude_sites)]
    if sites:
        any_site = " OR ".join(f"site:{site}" for site in sites)
        parts.append(any_site if len(sites) == 1 else f"({any_site})")
    return " ".join(parts)


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'

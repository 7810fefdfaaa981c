"""The query language most engines share: `site:`, quotation marks and the minus."""

import re
from collections.abc import Iterable, Sequence

_TERM = re.compile(r'"([^"]+)"|([^\s,"]+)')


def terms_of(text: str | None) -> tuple[str, ...]:
    """Return the words and quoted phrases of a list of terms."""
    return tuple((a or b).lstrip("-") for a, b in _TERM.findall(text or "") if (a or b).strip("-"))


def phrase(text: str) -> str:
    """Return text as one quoted phrase."""
    return '"' + " ".join(text.replace('"', " ").split()) + '"'


def compose(
    text: str, *, sites: Sequence[str] = (), exact: str | None = None, exclude: str | None = None
) -> str:
    """Return the query with its filters as operators."""
    parts = [text]
    if exact:
        parts.append(phrase(exact))
    parts += [f"-{phrase(term) if ' ' in term else term}" for term in terms_of(exclude)]
    if sites:
        parts.append(_any_of(sites))
    return " ".join(parts)


def _any_of(sites: Iterable[str]) -> str:
    named = [f"site:{site}" for site in sites]
    return named[0] if len(named) == 1 else f"({' OR '.join(named)})"

"""Apply to search results the filters that a provider does not support."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from webquarry.content.ranking.result_urls import is_on_site
from webquarry.content.text.query_operators import terms_of
from webquarry.content.text.timestamps import SECONDS
from webquarry.services.searching.search_sources import ResultFacts

R = TypeVar("R")

# filters checked on every result, even if the provider applied them: the check is cheap
ALWAYS_CHECKED = frozenset({"sites", "exclude_terms"})
_EXTENSIONS = {"jpeg": "jpg", "jpe": "jpg"}
_IMAGES = frozenset({"jpg", "gif", "png", "bmp", "svg", "webp", "avif", "tif", "tiff", "ico"})
_TOLERANCE = 300.0  # seconds; clocks differ, and ages are rounded

Check = Callable[[ResultFacts], bool | None]  # None: the result does not show it


def apply_filters(
    items: Sequence[R],
    requested: Mapping[str, Any],
    local: Sequence[str],
    *,
    facts_of: Callable[[R], ResultFacts],
    now: float,
) -> tuple[list[R], tuple[str, ...]]:
    """Return the results that pass the local filters, and the filters that could not be checked."""
    checks = _checks(requested, local, now)
    kept: list[R] = []
    unchecked: dict[str, None] = {}
    for item in items:
        facts = facts_of(item)
        verdicts = {name: check(facts) for name, check in checks.items()}
        if False in verdicts.values():
            continue
        unchecked.update(dict.fromkeys(name for name, passed in verdicts.items() if passed is None))
        kept.append(item)
    if "sort_by" in local:
        kept.sort(key=lambda item: -(facts_of(item).published or 0.0))
    return kept, tuple(unchecked)


def _checks(requested: Mapping[str, Any], local: Sequence[str], now: float) -> dict[str, Check]:
    checks: dict[str, Check] = {}
    if sites := requested.get("sites"):
        checks["sites"] = lambda facts: is_on_site(facts.url, sites)
    if excluded := [_pattern(term) for term in terms_of(requested.get("exclude_terms"))]:
        checks["exclude_terms"] = lambda facts: not any(p.search(facts.text) for p in excluded)
    if "exact_terms" in local:
        phrase = _pattern(requested["exact_terms"])
        checks["exact_terms"] = lambda facts: bool(phrase.search(facts.text))
    if "time_range" in local:
        since = now - SECONDS[requested["time_range"]] - _TOLERANCE
        checks["time_range"] = lambda facts: (
            None if facts.published is None else facts.published >= since
        )
    if "file_type" in local:
        checks["file_type"] = lambda facts: _has_type(facts.url, requested["file_type"])
    return checks


def _pattern(term: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in term.split())
    return re.compile(rf"(?<!\w){words}(?!\w)" if term.isascii() else words, re.IGNORECASE)


def _has_type(url: str, file_type: str) -> bool | None:
    extension = urlsplit(url).path.rpartition(".")[2].lower()
    extension = _EXTENSIONS.get(extension, extension)
    return extension == file_type if extension in _IMAGES else None

"""Merges the records of several providers into one for each work."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.citations.title_match import same_person, title_key, title_words
from webquarry.content.ranking.result_urls import canonical_key
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Work
from webquarry.services.scholarship.same_work import group_same_works

# providers by reliability; others come last
_ORDER = ("openalex", "crossref", "pubmed", "europepmc", "semanticscholar", "arxiv", "core", "exa")
_RANK_OFFSET = 60  # of reciprocal rank fusion
_SHOWN_AUTHORS = 10
_SEVERITY = ("correction", "expression_of_concern", "retraction")
# fields taken from the first provider that has them, without conflicts
_SINGLE = ("url", "tldr", "isInfluential", "citationIntents", "type", "publisher")


def merge_works(lists: Iterable[Sequence[Work]]) -> list[Work]:
    """Return every work once, by reciprocal rank fusion."""
    ranked = [(work, rank) for found in lists for rank, work in enumerate(found)]
    groups = group_same_works([work for work, _ in ranked])
    scores = [sum(_score(ranked, group)) for group in groups]
    order = sorted(range(len(groups)), key=lambda at: -scores[at])
    return [combine_records([ranked[i][0] for i in groups[at]]) for at in order]


def combine_records(works: Sequence[Work]) -> Work:
    """Return one record with all known fields, their origins, and conflicting values."""
    if len(works) == 1:
        return works[0]
    ordered = sorted(works, key=lambda work: _rank(work.source))
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    conflicts: dict[str, dict[str, Any]] = {}
    for name in _SINGLE:
        _take(name, ordered, values, origins)
    for name, same in _COMPARED_FIELDS.items():
        _take(name, ordered, values, origins)
        others = _others(ordered, name, values.get(name), same)
        if others:
            conflicts[name] = others
    _take_longest("abstract", ordered, values, origins)
    _take_authors(ordered, values, origins, conflicts)
    ids = _ids(ordered, conflicts)
    return Work(
        **values,
        ids=ids,
        source=ordered[0].source,
        retraction=_gravest_notice(ordered),
        noticesKnown=any(work.noticesKnown for work in works),
        providers=tuple(dict.fromkeys(work.source for work in ordered)),
        origins=origins,
        conflicts=conflicts,
    )


def _score(ranked: Sequence[tuple[Work, int]], group: Sequence[int]) -> Iterable[float]:
    best: dict[str, int] = {}
    for at in group:
        work, rank = ranked[at]
        best[work.source] = min(rank, best.get(work.source, rank))
    return (1 / (_RANK_OFFSET + rank) for rank in best.values())


def _rank(provider: str) -> int:
    return _ORDER.index(provider) if provider in _ORDER else len(_ORDER)


def _take(
    name: str, works: Sequence[Work], values: dict[str, Any], origins: dict[str, str]
) -> None:
    for work in works:
        value = getattr(work, name)
        if value not in (None, "", ()):
            values[name], origins[name] = value, work.source
            return
    if name == "url":
        values[name] = ""


def _take_longest(
    name: str, works: Sequence[Work], values: dict[str, Any], origins: dict[str, str]
) -> None:
    longest = max(works, key=lambda work: len(getattr(work, name) or ""))
    if value := getattr(longest, name):
        values[name], origins[name] = value, longest.source


def _take_authors(
    works: Sequence[Work],
    values: dict[str, Any],
    origins: dict[str, str],
    conflicts: dict[str, dict[str, Any]],
) -> None:
    """Take the longest list, and of equally long ones that with the fullest names."""
    chosen = max(works, key=lambda work: (len(work.authors), _fullness(work.authors)))
    if not chosen.authors:
        return
    values["authors"], origins["authors"] = chosen.authors, chosen.source
    others = {
        work.source: _shown(work.authors)
        for work in works
        if work.authors and not _same_authors(work.authors, chosen.authors)
    }
    if others:
        conflicts["authors"] = others


def _fullness(names: Sequence[str]) -> int:
    return sum(len(word) > 2 for name in names for word in name.replace(".", " ").split())


def _same_authors(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(map(same_person, one, other))


def _shown(names: Sequence[str]) -> list[str]:
    more = len(names) - _SHOWN_AUTHORS
    return [*names[:_SHOWN_AUTHORS], *([f"and {more} more"] if more > 0 else [])]


def _ids(works: Sequence[Work], conflicts: dict[str, dict[str, Any]]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for work in works:
        for name, value in work.ids.items():
            if ids.setdefault(name, value).lower() != value.lower():
                conflicts.setdefault(f"ids.{name}", {})[work.source] = value
    return ids


def _gravest_notice(works: Sequence[Work]) -> RetractionStatus | None:
    """Return the gravest notice; one with a DOI is preferred."""
    found = [work.retraction for work in works if work.retraction]
    return max(
        found,
        key=lambda each: (_SEVERITY.index(each.kind), bool(each.noticeDoi)),
        default=None,
    )


def _others(
    works: Sequence[Work], name: str, chosen: Any, same: Callable[[Any, Any], bool]
) -> dict[str, Any]:
    stated = ((work.source, getattr(work, name)) for work in works)
    return {
        source: value for source, value in stated if value is not None and not same(value, chosen)
    }


def _same_journal(one: str, other: str) -> bool:
    """Tell whether one name is the other, or an abbreviation of it."""
    short, long = sorted((title_words(one), title_words(other)), key=len)
    return _abbreviates(short, long) or title_key(one) == title_key(other)


def _abbreviates(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return all(any(word.startswith(part) for word in rest) for part in short)


def _same_date(one: str, other: str) -> bool:
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def _same_pages(one: str, other: str) -> bool:
    first, second = (title_words(each)[:1] for each in (one, other))
    return first == second


_COMPARED_FIELDS: dict[str, Callable[[Any, Any], bool]] = {
    "title": lambda one, other: title_key(one) == title_key(other),
    "doi": lambda one, other: doi_key(one) == doi_key(other),
    "journal": _same_journal,
    "year": lambda one, other: one == other,
    "published": _same_date,
    "citationCount": lambda one, other: one == other,
    "openAccess": lambda one, other: one == other,
    "pdfUrl": lambda one, other: canonical_key(one) == canonical_key(other),
    "volume": lambda one, other: title_key(one) == title_key(other),
    "issue": lambda one, other: title_key(one) == title_key(other),
    "pages": _same_pages,
}

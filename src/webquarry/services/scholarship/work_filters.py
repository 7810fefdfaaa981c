"""The wishes of a caller, applied to what providers returned."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.ranking.result_urls import host_of
from webquarry.models.works import Work, WorkQuery
from webquarry.net.url import under
from webquarry.providers.capabilities_works import WorkReach
from webquarry.providers.works_wire import PREFIXES

SITES = {
    "arxiv": ("arxiv.org",),
    "pubmed": ("pubmed.ncbi.nlm.nih.gov",),
    "ieee": ("ieeexplore.ieee.org",),
    "nature": ("nature.com",),
    "springer": ("link.springer.com",),
}
ACADEMIC_SITES = (
    "arxiv.org", "pubmed.ncbi.nlm.nih.gov", "scholar.google.com", "ieeexplore.ieee.org",
    "dl.acm.org", "nature.com", "sciencedirect.com", "link.springer.com", "researchgate.net",
    "plos.org", "frontiersin.org", "mdpi.com", "wiley.com", "jstor.org", "semanticscholar.org",
    "biorxiv.org", "medrxiv.org",
)  # fmt: skip
_IDS = {"arxiv": ("arxiv",), "pubmed": ("pmid", "pmcid")}
_MORE = 4  # times as many are asked for when some will be sorted out


@dataclass(frozen=True)
class FilteredWorks:
    """What is left, and how many could not be judged by which wish."""

    works: list[Work]
    unknown: dict[str, int]


def wishes(query: WorkQuery) -> list[str]:
    """Return the filters that are set, called as the tool's arguments are."""
    given = {
        "year_from": query.year_from,
        "year_to": query.year_to,
        "source": query.source,
        "pdf_only": query.pdf_only,
        "open_access": query.open_access,
    }
    return [name for name, value in given.items() if value]


def widened(query: WorkQuery, reach: WorkReach) -> WorkQuery:
    """Return the query for more works than wanted, if filters will take some away."""
    done_there = all(applies(name, query, reach) for name in [*wishes(query), "newest"])
    count = query.count if done_there else query.count * _MORE
    return query.model_copy(update={"count": min(max(count, query.count), reach.most)})


def afterwards(query: WorkQuery, reach: WorkReach) -> list[str]:
    """Return the wishes that are granted here because the provider cannot."""
    later = [name for name in wishes(query) if not applies(name, query, reach)]
    return [*later, *([] if applies("newest", query, reach) else ["sort_by"])]


def undecidable(query: WorkQuery, reach: WorkReach) -> bool:
    """Tell whether nobody can say which of this provider's works come from the source."""
    return query.source is not None and query.source not in reach.sources | reach.tells


def sift(
    works: Sequence[Work], query: WorkQuery, trust: Mapping[str, Collection[str]]
) -> FilteredWorks:
    """Return the works that fit.

    One whose record does not show it is in if a provider that was told the wish returned it:
    `trust` has those providers by wish. Otherwise it is out, and counted.
    """
    unknown: dict[str, int] = {}
    kept = list(works)
    for name in wishes(query):
        fitting: list[Work] = []
        for work in kept:
            verdict = _JUDGES[name](work, query)
            if verdict is None and trust.get(name, ()):
                verdict = not set(trust[name]).isdisjoint(work.providers or (work.source,)) or None
            if verdict is None:
                unknown[name] = unknown.get(name, 0) + 1
            elif verdict:
                fitting.append(work)
        kept = fitting
    return FilteredWorks(kept, unknown)


def newest_first(works: Sequence[Work]) -> list[Work]:
    """Return the works by date; those without one come last."""
    return sorted(works, key=lambda work: work.published or str(work.year or ""), reverse=True)


def comes_from(work: Work, source: str) -> bool | None:
    """Tell whether a work is published or listed there; None when its record does not say."""
    if any(name in work.ids for name in _IDS.get(source, ())):
        return True
    if under(host_of(work.url), SITES[source]):
        return True
    if source in PREFIXES:
        named = source in (work.journal or "").lower().split()
        if work.doi is None:
            return True if named else None
        return named or doi_key(work.doi).startswith(tuple(f"{p}/" for p in PREFIXES[source]))
    return None


def is_open(work: Work) -> bool | None:
    """Tell whether a work can be read for free, if anybody knows."""
    if True in work.conflicts.get("openAccess", {}).values():
        return True
    return work.openAccess


def applies(name: str, query: WorkQuery, reach: WorkReach) -> bool:
    """Tell whether a provider sees to this wish by itself."""
    if name in {"year_from", "year_to"}:
        return "years" in reach.honours
    if name == "source":
        return query.source in reach.sources
    if name == "newest":
        return not query.newest or "newest" in reach.honours
    return name in reach.honours


def _in_years(work: Work, query: WorkQuery) -> bool | None:
    told = [work.year, *work.conflicts.get("year", {}).values()]
    years = [year for year in told if year]
    if not years:
        return None
    return any((query.year_from or 0) <= year <= (query.year_to or 9999) for year in years)


_JUDGES: dict[str, Callable[[Work, WorkQuery], bool | None]] = {
    "year_from": _in_years,
    "year_to": _in_years,
    "source": lambda work, query: comes_from(work, query.source or ""),
    "pdf_only": lambda work, _: work.pdfUrl is not None,
    "open_access": lambda work, _: is_open(work),
}

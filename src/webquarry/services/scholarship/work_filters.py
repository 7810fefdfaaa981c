"""Filters for scholarly works, applied to the results of providers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.ranking.result_urls import host_of
from webquarry.models.works import Work, WorkQuery
from webquarry.net.url import in_domains
from webquarry.providers.capabilities_works import WorkSearchSupport
from webquarry.providers.works_wire import DOI_PREFIXES

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
_EXTRA = 4  # works requested for each work needed, where they are filtered here


@dataclass(frozen=True)
class FilteredWorks:
    """The remaining works, and by filter how many could not be judged."""

    works: list[Work]
    unknown: dict[str, int]


def requested_filters(query: WorkQuery) -> list[str]:
    """Return the names of the filters that are set, as arguments of the tool."""
    filters = {
        "year_from": query.year_from,
        "year_to": query.year_to,
        "source": query.source,
        "pdf_only": query.pdf_only,
        "open_access": query.open_access,
    }
    return [name for name, value in filters.items() if value]


def with_margin(query: WorkQuery, support: WorkSearchSupport) -> WorkQuery:
    """Return the query for more works than needed, if some will be filtered out here."""
    supported = all(
        supports_filter(name, query, support) for name in [*requested_filters(query), "newest"]
    )
    count = query.count if supported else query.count * _EXTRA
    return query.model_copy(update={"count": min(max(count, query.count), support.max_results)})


def local_filters(query: WorkQuery, support: WorkSearchSupport) -> list[str]:
    """Return the filters that are applied here because the provider does not support them."""
    names = [name for name in requested_filters(query) if not supports_filter(name, query, support)]
    return [*names, *([] if supports_filter("newest", query, support) else ["sort_by"])]


def cannot_judge_source(query: WorkQuery, support: WorkSearchSupport) -> bool:
    """Tell whether neither the provider nor its records identify the source."""
    return (
        query.source is not None
        and query.source not in support.sources | support.recognised_sources
    )


def filter_works(
    works: Sequence[Work], query: WorkQuery, trust: Mapping[str, Collection[str]]
) -> FilteredWorks:
    """Return the works that pass the filters.

    A work whose record does not show it passes if a provider that applied the filter returned it;
    `trust` has those providers by filter. Otherwise the work is dropped and counted.
    """
    unknown: dict[str, int] = {}
    kept = list(works)
    for name in requested_filters(query):
        passed: list[Work] = []
        for work in kept:
            verdict = _CHECKS[name](work, query)
            if verdict is None and trust.get(name, ()):
                verdict = not set(trust[name]).isdisjoint(work.providers or (work.source,)) or None
            if verdict is None:
                unknown[name] = unknown.get(name, 0) + 1
            elif verdict:
                passed.append(work)
        kept = passed
    return FilteredWorks(kept, unknown)


def largest_total(
    query: WorkQuery, totals: Iterable[tuple[int | None, WorkSearchSupport]]
) -> int | None:
    """Return the largest total; one that counts works we filter out says nothing."""
    told = [total for total, support in totals if not local_filters(query, support)]
    return max((total for total in told if total is not None), default=None)


def newest_first(works: Sequence[Work]) -> list[Work]:
    """Return the works by date; those without one come last."""
    return sorted(works, key=lambda work: work.published or str(work.year or ""), reverse=True)


def comes_from(work: Work, source: str) -> bool | None:
    """Tell whether a work is from the source; None if its record does not show it."""
    if any(name in work.ids for name in _IDS.get(source, ())):
        return True
    if in_domains(host_of(work.url), SITES[source]):
        return True
    if source in DOI_PREFIXES:
        named = source in (work.journal or "").lower().split()
        if work.doi is None:
            return True if named else None
        return named or doi_key(work.doi).startswith(tuple(f"{p}/" for p in DOI_PREFIXES[source]))
    return None


def is_open(work: Work) -> bool | None:
    """Tell whether a work is open access; None if unknown."""
    if True in work.conflicts.get("openAccess", {}).values():
        return True
    return work.openAccess


def supports_filter(name: str, query: WorkQuery, support: WorkSearchSupport) -> bool:
    """Tell whether a provider applies this filter."""
    if name in {"year_from", "year_to"}:
        return "years" in support.filters
    if name == "source":
        return query.source in support.sources
    if name == "newest":
        return not query.newest or "newest" in support.filters
    return name in support.filters


def _in_years(work: Work, query: WorkQuery) -> bool | None:
    stated = [work.year, *work.conflicts.get("year", {}).values()]
    years = [year for year in stated if year]
    if not years:
        return None
    return any((query.year_from or 0) <= year <= (query.year_to or 9999) for year in years)


_CHECKS: dict[str, Callable[[Work, WorkQuery], bool | None]] = {
    "year_from": _in_years,
    "year_to": _in_years,
    "source": lambda work, query: comes_from(work, query.source or ""),
    "pdf_only": lambda work, _: work.pdfUrl is not None,
    "open_access": lambda work, _: is_open(work),
}

"""Search with one provider: plan the filters, send the requests, filter and log the results.

No filter is dropped silently: what a provider does not support is applied here, or reported.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from webquarry.content.ranking.result_urls import unique_pages
from webquarry.content.text.query_operators import compose
from webquarry.errors import WebquarryError
from webquarry.models.search import Query
from webquarry.models.session import ProviderCall
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.services.searching.merge_results import interleave
from webquarry.services.searching.result_filters import ALWAYS_CHECKED, apply_filters
from webquarry.services.searching.search_sources import ProviderResults, SearchKind, SearchSource

Q = TypeVar("Q", bound=Query)
R = TypeVar("R")

_FILTERS = (
    "time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms",
    "sort_by", "size", "type", "color_type", "dominant_color", "file_type",
)  # fmt: skip
# filters that can be applied to results
_LOCAL_FILTERS = frozenset(
    ("sites", "exact_terms", "exclude_terms", "time_range", "sort_by", "file_type")
)
_NO_FILTER = {"safe": "off", "sort_by": "relevance"}  # values that filter nothing
_CLEARED: dict[str, Any] = {"sort_by": "relevance", "sites": ()}  # others become None
_EXTRA = 3  # results requested for each result needed, where they are filtered here
_MAX_REQUESTS = 25  # of one search over a long list of sites
_CONCURRENT_REQUESTS = 4


@dataclass(frozen=True)
class FilterPlan(Generic[Q]):
    """Who applies which filter of a query."""

    requests: Sequence[Q]  # with the filters that the provider supports; one for some sites each
    requested: Mapping[str, Any]  # all filters, by name
    local: tuple[str, ...]  # filters applied to the results here
    unsupported: tuple[str, ...]  # filters that are not applied


async def search_provider(
    kind: SearchKind[R], source: SearchSource[Q, R], query: Q, now: Callable[[], float]
) -> ProviderResults[R]:
    """Return the results of one provider, with the filters it could not apply."""
    plan = plan_filters(source.support, query)
    requests = plan.requests[:_MAX_REQUESTS]
    if len(requests) == 1:
        received, failed = await source.search(requests[0]), 0
    else:
        received, failed = await _send_all(source, requests)
    distinct = unique_pages(received, kind.url_of)
    kept, unchecked = distinct, tuple[str, ...]()
    if plan.local or not ALWAYS_CHECKED.isdisjoint(plan.requested):
        kept, unchecked = apply_filters(
            distinct, plan.requested, plan.local, facts_of=kind.facts_of, now=now()
        )
    kept = kept[: query.count]
    skipped = ("sites",) if len(requests) < len(plan.requests) else ()
    log_entry = ProviderCall(
        provider=source.name,
        query="; ".join(dict.fromkeys(request.text for request in requests)),
        filters=_logged_filters(requests),
        hits=len(received),
        duplicates=len(received) - len(distinct),
        kept=len(kept),
        removedBy=plan.local,
    )
    return ProviderResults(
        items=kept,
        provider=source.name,
        unhonoured=tuple(dict.fromkeys((*plan.unsupported, *unchecked, *skipped))),
        applied_locally=tuple(name for name in plan.local if name not in unchecked),
        provider_calls=(log_entry,),
        incomplete={"requests": len(plan.requests), "failed": failed} if failed else {},
        requests=len(requests),
    )


def failed_call(name: str, query: Query, error: WebquarryError) -> ProviderCall:
    """Return the log entry of a query that failed."""
    return ProviderCall(
        provider=name, query=query.text, filters=_logged_filters([query]), error=error.advice.kind
    )


def replaced_calls(calls: Iterable[ProviderCall]) -> tuple[ProviderCall, ...]:
    """Return the log entries of results that better ones replaced."""
    update = {"kept": 0, "removedBy": ("rephrased",)}
    return tuple(call.model_copy(update=update) for call in calls)


def plan_filters(support: SearchSupport, query: Q) -> FilterPlan[Q]:
    """Divide the filters into those of the provider, those applied here and unsupported ones."""
    values = vars(query)
    given = {name: value for name in _FILTERS if (value := values.get(name))}
    requested = {name: value for name, value in given.items() if value != _NO_FILTER.get(name)}
    local, unsupported, changes = _divide(support, requested)
    if query.count > support.max_results:
        unsupported.append("num_results")
    changes["count"] = min(query.count * _EXTRA if local else query.count, support.max_results)
    sent = query if changes == {"count": query.count} else query.model_copy(update=changes)
    if support.max_chars and (text := _shortened(sent, support)) != query.text:
        sent = sent.model_copy(update={"text": text})
        unsupported.append("query")
    by_site = "sites" in requested and support.max_sites
    requests = _split_by_sites(sent, support) if by_site else (sent,)
    return FilterPlan(requests, requested, tuple(local), tuple(unsupported))


def _divide(
    support: SearchSupport, requested: Mapping[str, Any]
) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return the local and the unsupported filters, and the changes that remove them."""
    local: list[str] = []
    unsupported: list[str] = []
    changes: dict[str, Any] = {}
    for name, value in requested.items():
        sendable = name in support.filters and value in support.known_values.get(name, (value,))
        exact = sendable and f"{name}={value}" not in support.approximated
        if support.max_sites if name == "sites" else exact:
            continue
        (local if name in _LOCAL_FILTERS else unsupported).append(name)
        if not sendable:
            changes[name] = _CLEARED.get(name)
    return local, unsupported, changes


async def _send_all(source: SearchSource[Q, R], requests: Sequence[Q]) -> tuple[list[R], int]:
    """Return the results and how many requests failed; an error when all of them failed."""
    limit = asyncio.Semaphore(_CONCURRENT_REQUESTS)

    async def one(request: Q) -> list[R]:
        async with limit:
            return await source.search(request)

    outcomes = await asyncio.gather(*map(one, requests), return_exceptions=True)
    errors = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for error in errors:
        if not isinstance(error, WebquarryError) or len(errors) == len(requests):
            raise error
    lists = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    return interleave(lists), len(errors)


def _split_by_sites(query: Q, support: SearchSupport) -> list[Q]:
    """Return the requests that together name every site."""
    groups: list[list[str]] = [[]]
    for site in vars(query)["sites"]:
        longer = [*groups[-1], site]
        if groups[-1] and not _fits(query, support, longer):
            groups.append([site])
        else:
            groups[-1] = longer
    return [query.model_copy(update={"sites": tuple(group)}) for group in groups]


def _fits(query: Query, support: SearchSupport, sites: Sequence[str]) -> bool:
    if len(sites) > support.max_sites and not _fits_words(query, support, sites):
        return False
    if not (support.max_chars and support.query_operators):
        return True
    return len(_with_operators(query.text, query, sites)) <= support.max_chars


def _fits_words(query: Query, support: SearchSupport, sites: Sequence[str]) -> bool:
    words = _with_operators(query.text, query, sites).split()
    return len(words) - words.count("OR") <= support.max_words


def _with_operators(text: str, query: Query, sites: Sequence[str]) -> str:
    exact, exclude = vars(query).get("exact_terms"), vars(query).get("exclude_terms")
    return compose(text, sites=sites, exact=exact, exclude=exclude)


def _shortened(query: Query, support: SearchSupport) -> str:
    """Return the text cut to what fits beside the operators, with room for the longest site."""
    operators = ""
    if support.query_operators:
        sites = vars(query).get("sites", ()) if support.max_sites else ()
        longest = max(sites, key=len, default="")
        operators = _with_operators("", query, [longest] if longest else [])
    room = max(1, support.max_chars - len(operators))
    if len(query.text) <= room:
        return query.text
    cut = query.text.rfind(" ", 0, room + 1)
    return query.text[: cut if cut > 0 else room]


def _logged_filters(requests: Sequence[Query]) -> dict[str, Any]:
    """Return the filters as sent, with the sites of all requests."""
    sent = requests[0].model_dump(mode="json", exclude={"text", "count", "asker"})
    if sent.get("page") == 1:
        del sent["page"]
    sites = [site for request in requests for site in getattr(request, "sites", ())]
    return {name: value for name, value in (sent | {"sites": sites}).items() if value}

"""What the search log of a session says about one question to one provider."""

from collections.abc import Iterable, Sequence
from typing import Any

from webquarry.errors import WebquarryError
from webquarry.models.search import Query
from webquarry.models.session import ProviderCall


def answered(
    name: str,
    requests: Sequence[Query],
    *,
    hits: int,
    different: int,
    kept: int,
    removed_by: tuple[str, ...],
) -> ProviderCall:
    """Return the record of a question as it was sent, with what became of its results."""
    texts = dict.fromkeys(request.text for request in requests)
    return ProviderCall(
        provider=name,
        query="; ".join(texts),
        filters=_filters(requests),
        hits=hits,
        duplicates=hits - different,
        kept=kept,
        removedBy=removed_by,
    )


def refused(name: str, query: Query, error: WebquarryError) -> ProviderCall:
    """Return the record of a question that got no answer."""
    return ProviderCall(
        provider=name, query=query.text, filters=_filters([query]), error=error.advice.kind
    )


def unused(asks: Iterable[ProviderCall]) -> tuple[ProviderCall, ...]:
    """Return the records of an answer that a better one replaced."""
    return tuple(ask.model_copy(update={"kept": 0, "removedBy": ("rephrased",)}) for ask in asks)


def _filters(requests: Sequence[Query]) -> dict[str, Any]:
    """Return what narrowed the question, with the sites of all its parts."""
    told = requests[0].model_dump(mode="json", exclude={"text", "count", "asker"})
    if told.get("page") == 1:
        del told["page"]
    sites = [site for request in requests for site in getattr(request, "sites", ())]
    return {name: value for name, value in (told | {"sites": sites}).items() if value}

"""Citation graphs: the works that cite a work, and those it cites."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field

from webquarry.content.citations.identifiers import is_identifier
from webquarry.content.citations.title_match import title_key, title_similarity
from webquarry.errors import (
    NetworkError,
    NotFoundError,
    UnconfiguredError,
    UnknownProviderError,
    WebquarryError,
)
from webquarry.models.works import CitationLinks, Direction, ProviderFailure, Work
from webquarry.providers.capabilities_works import LinksWorks
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import (
    Failures,
    RoutingTrace,
    combined_error,
    query_in_order,
)
from webquarry.services.scholarship.enrichment import with_notices

PREFERRED = ("semanticscholar", "openalex")
_PROVIDER_SECONDS = 25.0  # its requests may have to wait for the rate limit
_MIN_SIMILARITY = 0.8  # share of common words of a matching title


@dataclass
class Graph:
    """A seed work with its citations and references."""

    provider: str
    seed: Work
    exact: bool  # the seed matches by identifier or by its exact title
    cited_by: CitationLinks | None = None
    references: CitationLinks | None = None
    failures: list[ProviderFailure] = field(default_factory=list[ProviderFailure])
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True)
class GraphRequest:
    """Which citations of which work."""

    paper: str
    direction: Direction = "both"
    count: int = 10
    influential: bool = False


class CitationGraphs:
    """Finds citations with the first provider that knows the work."""

    def __init__(self, choices: ProviderDirectory) -> None:
        self._choices = choices
        self._choice = choices.of(LinksWorks)

    async def graph_of(self, request: GraphRequest, only: str | None = None) -> Graph:
        """Return the citations. Other providers are queried only when none was named."""
        providers = {provider.about.name: provider for provider in self._candidates(only)}
        trace = RoutingTrace()
        graphs = await query_in_order(
            providers,
            lambda name: _graph(providers[name], request),
            has_results=lambda _: True,
            trace=trace,
        )
        if not graphs:
            raise _combined_error(trace.failures)
        graphs[0].failures += [_failure(name, error) for name, error in trace.failures]
        return await self._with_notices(graphs[0])

    def _candidates(self, only: str | None) -> list[LinksWorks]:
        ready = self._choice.ready
        if only:
            name = only.strip().lower()
            if name in ready:
                return [ready[name]]
            supported = ", ".join(PREFERRED)
            if about := self._choice.known.get(name):
                raise UnconfiguredError(
                    f"Provider '{name}' is not configured: set {' and '.join(about.requires)} "
                    f"(see .env.example). Supported: {supported}.",
                    provider=name,
                    alternatives=tuple(ready),
                )
            raise UnknownProviderError(
                f"Provider '{name}' cannot follow citations. Supported: {supported}.",
                alternatives=tuple(ready),
            )
        if not ready:
            raise UnconfiguredError("No provider of citations is configured: set OPENALEX_EMAIL.")
        return [ready[name] for name in (*PREFERRED, *ready) if name in ready][: len(ready)]

    async def _with_notices(self, graph: Graph) -> Graph:
        """Attach notices to all works in one request."""
        sides = [links for links in (graph.cited_by, graph.references) if links]
        works = [graph.seed, *(work for links in sides for work in links.items)]
        checked = await with_notices(works, self._choices)
        graph.seed, rest = checked.works[0], checked.works[1:]
        if graph.cited_by:
            size = len(graph.cited_by.items)
            graph.cited_by = graph.cited_by.model_copy(update={"items": tuple(rest[:size])})
            rest = rest[size:]
        if graph.references:
            graph.references = graph.references.model_copy(update={"items": tuple(rest)})
        graph.failures += [checked.failure] if checked.failure else []
        graph.unchecked = checked.unchecked
        return graph


async def _graph(provider: LinksWorks, request: GraphRequest) -> Graph:
    name = provider.about.name
    try:
        async with asyncio.timeout(_PROVIDER_SECONDS):
            return await _query(provider, request)
    except TimeoutError as error:
        message = f"Network error ({name}): no response within {_PROVIDER_SECONDS:g} seconds."
        raise NetworkError(message, provider=name) from error


async def _query(provider: LinksWorks, request: GraphRequest) -> Graph:
    seed = await provider.seed(request.paper)
    exact = _is_exact(request.paper, seed)
    similar = seed and title_similarity(request.paper, seed.title) >= _MIN_SIMILARITY
    if seed is None or not (exact or similar):
        raise _unknown(provider.about.name, request.paper, seed)
    graph = Graph(provider.about.name, seed, exact)
    sides = _sides(provider, seed, request)
    outcomes = await asyncio.gather(*sides.values(), return_exceptions=True)
    failed = [each for each in outcomes if isinstance(each, BaseException)]
    for error in failed:
        if not isinstance(error, WebquarryError) or len(failed) == len(sides):
            raise error
    for side, outcome in zip(sides, outcomes, strict=True):
        _set_side(graph, side, outcome)
    return graph


def _set_side(graph: Graph, side: str, outcome: CitationLinks | BaseException) -> None:
    if isinstance(outcome, CitationLinks):
        setattr(graph, side, outcome)
    elif isinstance(outcome, WebquarryError):
        failure = _failure(graph.provider, outcome)
        message = f"{side}: {failure.message}"
        graph.failures.append(failure.model_copy(update={"message": message}))


def _sides(
    provider: LinksWorks, seed: Work, request: GraphRequest
) -> dict[str, Awaitable[CitationLinks]]:
    """Return the requests by the field of the graph they are for."""
    # a provider that does not mark influential citations lists all
    influential = request.influential and provider.shows_influence
    sides: dict[str, Awaitable[CitationLinks]] = {}
    if request.direction != "references":
        sides["cited_by"] = provider.citing(seed, request.count, influential=influential)
    if request.direction != "cited_by":
        sides["references"] = provider.cited(seed, request.count, influential=influential)
    return sides


def _is_exact(paper: str, seed: Work | None) -> bool:
    if seed is None:
        return False
    return is_identifier(paper) or title_key(paper) == title_key(seed.title)


def _unknown(provider: str, paper: str, closest: Work | None) -> NotFoundError:
    hint = ""
    if closest:
        hint = f" The closest is '{closest.title}'"
        hint += f"; if that is meant, pass its DOI {closest.doi}." if closest.doi else "."
    return NotFoundError(f"{provider} knows no paper '{paper}'.{hint}", provider=provider)


def _combined_error(failures: Failures) -> WebquarryError:
    """Return one error: `NotFoundError` only if every provider lacks the paper."""
    others = [each for each in failures if not isinstance(each[1], NotFoundError)]
    if not others:
        message = " ".join(str(error) for _, error in failures)
        return NotFoundError(message, provider=failures[0][0])
    error = combined_error("citations", others)
    error.details["failures"] = [_failure(*each).model_dump() for each in failures]
    return error


def _failure(name: str, error: WebquarryError) -> ProviderFailure:
    return ProviderFailure(provider=name, kind=error.advice.kind, message=str(error))

"""The works around a work: those that cite it, and those it cites."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field

from webquarry.content.citations.identifiers import is_identifier
from webquarry.content.citations.title_match import likeness, title_key
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
from webquarry.services.provider_failure import combined
from webquarry.services.scholarship.enrichment import with_notices

PREFERRED = ("semanticscholar", "openalex")
_PATIENCE = 25.0  # seconds for one provider, whose requests may have to queue
_CLOSE = 0.8  # share of common words from which a title is taken for the one that was meant


@dataclass
class Graph:
    """A seed and its neighbours."""

    provider: str
    seed: Work
    exact: bool  # the seed is the work asked for, by identifier or by its very title
    cited_by: CitationLinks | None = None
    references: CitationLinks | None = None
    failures: list[ProviderFailure] = field(default_factory=list[ProviderFailure])
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True)
class GraphRequest:
    """What is wanted around which work."""

    paper: str
    direction: Direction = "both"
    count: int = 10
    influential: bool = False


class CitationGraphs:
    """Follows citations with whichever provider knows the work."""

    def __init__(self, choices: ProviderDirectory) -> None:
        self._choices = choices
        self._choice = choices.of(LinksWorks)

    async def around(self, asked: GraphRequest, only: str | None = None) -> Graph:
        """Return the neighbours. Another provider is asked only when none was named."""
        failed: list[tuple[str, WebquarryError]] = []
        for provider in self._candidates(only):
            try:
                async with asyncio.timeout(_PATIENCE):
                    graph = await _follow(provider, asked)
            except TimeoutError:
                name = provider.about.name
                said = f"Network error ({name}): no answer within {_PATIENCE:g} seconds."
                failed.append((name, NetworkError(said, provider=name)))
            except WebquarryError as error:
                failed.append((provider.about.name, error))
            else:
                graph.failures += [_failure(name, error) for name, error in failed]
                return await self._checked(graph)
        raise _reason(failed)

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

    async def _checked(self, graph: Graph) -> Graph:
        """Attach notices to the works of both sides in one pass."""
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


async def _follow(provider: LinksWorks, asked: GraphRequest) -> Graph:
    seed = await provider.seed(asked.paper)
    exact = _is_exact(asked.paper, seed)
    if seed is None or not (exact or likeness(asked.paper, seed.title) >= _CLOSE):
        raise _unknown(provider.about.name, asked.paper, seed)
    graph = Graph(provider.about.name, seed, exact)
    sides = _sides(provider, seed, asked)
    outcomes = await asyncio.gather(*sides.values(), return_exceptions=True)
    failed = [each for each in outcomes if isinstance(each, BaseException)]
    for error in failed:
        if not isinstance(error, WebquarryError) or len(failed) == len(sides):
            raise error
    for side, outcome in zip(sides, outcomes, strict=True):
        if isinstance(outcome, CitationLinks):
            setattr(graph, side, outcome)
        elif isinstance(outcome, WebquarryError):
            told = _failure(provider.about.name, outcome)
            graph.failures.append(told.model_copy(update={"message": f"{side}: {told.message}"}))
    return graph


def _sides(
    provider: LinksWorks, seed: Work, asked: GraphRequest
) -> dict[str, Awaitable[CitationLinks]]:
    """Return what is to be asked, by the field of the graph it is for."""
    # a provider without the signal lists all
    wanted = asked.influential and provider.shows_influence
    sides: dict[str, Awaitable[CitationLinks]] = {}
    if asked.direction != "references":
        sides["cited_by"] = provider.citing(seed, asked.count, influential=wanted)
    if asked.direction != "cited_by":
        sides["references"] = provider.cited(seed, asked.count, influential=wanted)
    return sides


def _is_exact(paper: str, seed: Work | None) -> bool:
    if seed is None:
        return False
    return is_identifier(paper) or title_key(paper) == title_key(seed.title)


def _unknown(provider: str, paper: str, closest: Work | None) -> NotFoundError:
    near = ""
    if closest:
        near = f" The closest is '{closest.title}'"
        near += f"; if that is meant, pass its DOI {closest.doi}." if closest.doi else "."
    return NotFoundError(f"{provider} knows no paper '{paper}'.{near}", provider=provider)


def _reason(failed: Sequence[tuple[str, WebquarryError]]) -> WebquarryError:
    """Return why nothing came: that nobody knows the paper only if nobody failed otherwise."""
    others = [each for each in failed if not isinstance(each[1], NotFoundError)]
    if not others:
        said = " ".join(str(error) for _, error in failed)
        return NotFoundError(said, provider=failed[0][0])
    error = combined("citations", others)
    error.details["failures"] = [_failure(*each).model_dump() for each in failed]
    return error


def _failure(name: str, error: WebquarryError) -> ProviderFailure:
    return ProviderFailure(provider=name, kind=error.advice.kind, message=str(error))

"""Query providers in order or side by side; one error for those that failed."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar

from webquarry.errors import (
    NetworkError,
    NotFoundError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)

T = TypeVar("T")

PROVIDER_TIMEOUT = 20.0  # seconds for one provider while another could be queried
_OTHER_PROVIDER = ((", or try a different provider.", "."), (" Try a different provider.", ""))
Failures = Sequence[tuple[str, WebquarryError]]  # name of the provider, error


@dataclass
class RoutingTrace:
    """The providers that were queried for one result; `_meta.routing` reports it."""

    attempted: list[str] = field(default_factory=list[str])
    failures: list[tuple[str, WebquarryError]] = field(
        default_factory=list[tuple[str, WebquarryError]]
    )

    def as_meta(self, used: str, seconds: float) -> dict[str, Any]:
        """Return the block for operators."""
        fallback = used != self.attempted[0]
        block: dict[str, Any] = {
            "provider_used": used,
            "providers_attempted": list(self.attempted),
            "fallback": fallback,
            "cache_hit": False,
            "latency_ms": round(seconds * 1000),
        }
        if fallback:
            first = dict(self.failures).get(self.attempted[0])
            paused = first is not None and first.details.get("detail") == "circuit_open"
            block["fallback_reason"] = "circuit_open" if paused else "primary_unavailable"
        return block


async def query_in_order(
    names: Iterable[str],
    query: Callable[[str], Awaitable[T]],
    *,
    has_results: Callable[[T], bool],
    trace: RoutingTrace,
) -> list[T]:
    """Query providers until one has results; return every response, that one last."""
    responses: list[T] = []
    for name in names:
        trace.attempted.append(name)
        try:
            response = await query(name)
        except WebquarryError as error:
            trace.failures.append((name, error))
            continue
        responses.append(response)
        if has_results(response):
            break
    return responses


async def query_all(
    names: Iterable[str], query: Callable[[str], Awaitable[T]]
) -> tuple[dict[str, T], list[tuple[str, WebquarryError]]]:
    """Query providers side by side; return the responses by name, and the failures."""
    responses: dict[str, T] = {}
    failures: list[tuple[str, WebquarryError]] = []

    async def one(name: str) -> T | WebquarryError:
        try:
            return await query(name)
        except WebquarryError as error:
            return error

    queried = list(names)
    outcomes = await asyncio.gather(*map(one, queried))
    for name, outcome in zip(queried, outcomes, strict=True):
        if isinstance(outcome, WebquarryError):
            failures.append((name, outcome))
        else:
            responses[name] = outcome
    return responses, failures


@asynccontextmanager
async def provider_errors(name: str, seconds: float | None) -> AsyncGenerator[None]:
    """Bound a query; a timeout and a missing endpoint become errors that name the provider."""
    try:
        # most queries have no limit of their own: that of the call applies
        async with nullcontext() if seconds is None else asyncio.timeout(seconds):
            yield
    except NotFoundError as error:  # the endpoint is gone, which says nothing about results
        raise ProviderError(
            f"Unavailable ({name}): its search endpoint returned HTTP 404. "
            "Try a different provider.",
            provider=name,
        ) from error
    except TimeoutError as error:
        raise NetworkError(
            f"Network error ({name}): no response within {seconds:g} seconds. "
            "Retry, or try a different provider.",
            provider=name,
        ) from error


def without_other_providers(error: WebquarryError) -> WebquarryError:
    """Return the error without the advice to try a provider that does not exist here."""
    text = str(error)
    for advice in _OTHER_PROVIDER:
        text = text.replace(*advice)
    error.args = (text,)
    return error


def combined_error(
    noun: str, failures: Failures, alternatives: tuple[str, ...] = ()
) -> WebquarryError:
    """Return one error for all failures; a single failure is returned unchanged."""
    errors = [error for _, error in failures]
    if len(errors) == 1:
        errors[0].alternatives = errors[0].alternatives or alternatives
        return errors[0] if errors[0].alternatives else without_other_providers(errors[0])
    kinds = "; ".join(f"{name}: {error.advice.kind}" for name, error in failures)
    waits = [error.retry_after for error in errors if error.retry_after]
    return _shared_type(errors)(
        f"No provider could search {noun} ({kinds}).",
        retry_after=min(waits, default=None),
        alternatives=alternatives,
    )


def _shared_type(errors: Sequence[WebquarryError]) -> type[WebquarryError]:
    first = type(errors[0])
    if all(isinstance(error, first) for error in errors):
        return first
    limited = all(isinstance(error, RateLimitError) for error in errors)
    return RateLimitError if limited else ProviderError

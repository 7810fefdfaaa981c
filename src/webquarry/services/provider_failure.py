"""One error for several providers that failed for reasons of their own."""

from collections.abc import Sequence

from webquarry.errors import ProviderError, RateLimitError, WebquarryError


def combined(
    noun: str,
    failures: Sequence[tuple[str, WebquarryError]],
    alternatives: tuple[str, ...] = (),
) -> WebquarryError:
    """Return the error that says what all of them mean; a single one speaks for itself."""
    errors = [error for _, error in failures]
    if len(errors) == 1:
        errors[0].alternatives = errors[0].alternatives or alternatives
        return errors[0]
    told = "; ".join(f"{name}: {error.advice.kind}" for name, error in failures)
    waits = [error.retry_after for error in errors if error.retry_after]
    shared: type[WebquarryError] = type(errors[0])
    if not all(isinstance(error, shared) for error in errors):
        limited = all(isinstance(error, RateLimitError) for error in errors)
        shared = RateLimitError if limited else ProviderError
    return shared(
        f"No provider could search {noun} ({told}).",
        retry_after=min(waits, default=None),
        alternatives=alternatives,
    )

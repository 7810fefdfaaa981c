"""Hints for searches without results."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Model

TRUST = "untrusted-external-content"  # on every result with external text


class SuggestedAction(Model):
    """One action for the caller."""

    action: Literal["remove_filter", "try_different_provider", "switch_provider", "rephrase_query"]
    target: str | None = Field(default=None, description="The filter or provider meant.")


class ZeroResultHints(Model):
    """Explains an empty result."""

    reason: Literal["no_match", "filters_too_restrictive", "coverage_miss"]
    filtersApplied: tuple[str, ...] = ()
    suggestedActions: tuple[SuggestedAction, ...] = ()


def zero_result_hints(filters: list[str], other_providers: list[str]) -> ZeroResultHints:
    """Name the filters as the reason if there are any; suggest at most three actions."""
    actions = [SuggestedAction(action="remove_filter", target=name) for name in filters]
    actions += [
        SuggestedAction(action="try_different_provider", target=name) for name in other_providers
    ]
    actions.append(SuggestedAction(action="rephrase_query"))
    return ZeroResultHints(
        reason="filters_too_restrictive" if filters else "no_match",
        filtersApplied=tuple(filters),
        suggestedActions=tuple(actions[:3]),
    )

"""Compares versions where the work can be stopped, and learns what is noise."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.noise_learning import is_learning, learn_noise
from webquarry.content.changes.number_condition import NumberCondition, parse_condition
from webquarry.models.changes import Change, NoiseProfile, Version, VersionComparison
from webquarry.models.model import Model
from webquarry.models.monitor import Monitor
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.services.watching.observing import Compared


class ComparedVersions(Model):
    """Result of the parse task `compared`."""

    comparison: VersionComparison
    noise: NoiseProfile
    is_wanted: bool


@dataclass(frozen=True)
class VersionComparer:
    """Compares the versions of a monitor."""

    parsers: Parsers

    async def compare(self, before: Version, after: Version, monitor: Monitor) -> Compared:
        """Return the changes, and the noise profile with what this version taught."""
        size = len(before.model_dump_json()) + len(after.model_dump_json())
        found = await self.parsers.compute(
            ParseTask(compared, subject=f"The monitor {monitor.id}"),
            size,
            before=before,
            after=after,
            profile=monitor.noise,
            conditions=monitor.definition.target.conditions,
        )
        return Compared(
            comparison=found.comparison,
            noise=found.noise,
            is_wanted=found.is_wanted,
            is_learning=is_learning(monitor.noise),
        )


def compared(
    _: bytes,
    *,
    before: Version,
    after: Version,
    profile: NoiseProfile,
    conditions: Sequence[str],
) -> ComparedVersions:
    """Return the changes between two versions, what was learned, and whether they are wanted."""
    learned = learn_noise(profile, before, after) if is_learning(profile) else profile
    comparison = compare_versions(before, after, learned)
    if not conditions:
        return ComparedVersions(comparison=comparison, noise=learned, is_wanted=True)
    wanted = _wanted(comparison.changes, [parse_condition(text) for text in conditions])
    if wanted:
        comparison = comparison.model_copy(update={"changes": wanted})
    return ComparedVersions(comparison=comparison, noise=learned, is_wanted=bool(wanted))


def _wanted(changes: Sequence[Change], conditions: Sequence[NumberCondition]) -> tuple[Change, ...]:
    """Return the changes that meet one of the conditions."""
    return tuple(c for c in changes if any(condition.accepts(c) for condition in conditions))

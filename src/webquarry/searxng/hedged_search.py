"""One search over several instances: another one is asked if the first is slow, fails or is empty.

At most two instances are asked at a time. The first good answer ends the search, and the request
that is still under way is cancelled.
"""

import asyncio
from dataclasses import dataclass, field

from webquarry.errors import ProviderError
from webquarry.net.clock import Clock
from webquarry.searxng.instance import OWN
from webquarry.searxng.instance_search import InstanceAnswer, InstanceAttempt, InstanceSearcher
from webquarry.searxng.latency import MAX_HEDGE_SECONDS
from webquarry.searxng.maintenance import PoolMaintenance
from webquarry.searxng.query_values import AttemptOutcome, SearxngQuery
from webquarry.searxng.selection import InstanceSelection, SelectedInstance

_MAX_INSTANCES = 8  # tried for one search
_MAX_CONCURRENT = 2  # of one search
_MAX_HEDGES = 8  # second requests of all searches at a time
_MAX_ANSWERS = 2
_MAX_FURTHER = 2  # instances tried after one has answered
_FURTHER_SECONDS = 5.0  # for them
_RESCUE_SECONDS = 10.0  # for others after one whose engines failed
_FAILED, _SLOW, _EMPTY = (
    "tried after another failed",
    "asked because another is slow",
    "asked because another found little",
)

_LOST, _LATE = "cancelled: another instance responded first", "cancelled: no response in time"


@dataclass
class SearchProgress:
    """What one search has done so far. Times are those of the monotonic clock."""

    query: SearxngQuery
    started: float
    deadline: float
    tried: list[str] = field(default_factory=list[str])
    outcomes: list[AttemptOutcome] = field(default_factory=list[AttemptOutcome])
    answers: list[InstanceAnswer] = field(default_factory=list[InstanceAnswer])
    failed_answer: InstanceAnswer | None = None  # returned if no instance has results

    @property
    def is_complete(self) -> bool:
        """Whether no further instance need be asked."""
        enough = any(answer.is_enough(self.query.count) for answer in self.answers)
        return enough or len(self.answers) >= _MAX_ANSWERS

    def record(self, attempt: InstanceAttempt, outcome: str) -> None:
        """Note how an attempt ended."""
        self.outcomes.append(AttemptOutcome(instance=attempt.url, outcome=outcome))


@dataclass
class HedgeBudget:
    """Counts the second requests under way, so that a slow network does not double all load."""

    used: int = 0

    @property
    def is_spent(self) -> bool:
        """Whether no further one may be sent."""
        return self.used >= _MAX_HEDGES


@dataclass(frozen=True)
class HedgingParts:
    """What all searches of a pool share."""

    searcher: InstanceSearcher
    instances: InstanceSelection
    maintenance: PoolMaintenance
    clock: Clock
    budget: HedgeBudget


_Outcome = InstanceAnswer | ProviderError


class HedgedSearch:
    """Runs one search to its end."""

    def __init__(self, parts: HedgingParts, progress: SearchProgress) -> None:
        self._parts = parts
        self._progress = progress
        self._running: dict[asyncio.Task[_Outcome], InstanceAttempt] = {}
        self._is_hedged = False
        self._last_start = progress.started
        self._ends = progress.deadline  # sooner once there is something to return
        self._tried_at_answer = 0

    async def run(self) -> None:
        """Ask instances until the progress is complete, or none is left."""
        await self._ask_only_instance()
        if self._progress.is_complete:
            return
        try:
            while await self._fill():
                done, _ = await asyncio.wait(
                    self._running, timeout=self._patience(), return_when=asyncio.FIRST_COMPLETED
                )
                for task in [task for task in self._running if task in done]:
                    self._finish(self._running.pop(task), task.result())
                if self._progress.is_complete or (not done and not self._hedge()):
                    break
        finally:
            await self._cancel()

    async def _ask_only_instance(self) -> None:
        """Ask the one available instance directly: a task is only needed to ask a second one."""
        available = self._parts.instances.available(self._progress.tried)
        if len(available) == 1 and (selected := await self._select()):
            attempt = InstanceAttempt(selected)
            self._finish(attempt, await self._search(attempt))

    async def _search(self, attempt: InstanceAttempt) -> _Outcome:
        progress = self._progress
        try:
            return await self._parts.searcher.search(attempt, progress.query, progress.deadline)
        except ProviderError as error:
            return error

    async def _fill(self) -> bool:
        """Start as many requests as there should be; return whether one is under way."""
        wanted = _MAX_CONCURRENT if self._is_hedged and not self._progress.answers else 1
        while len(self._running) < wanted and (selected := await self._select()):
            attempt = InstanceAttempt(selected)
            self._running[asyncio.create_task(self._search(attempt))] = attempt
            self._last_start = self._parts.clock.monotonic()
        return bool(self._running)

    async def _select(self) -> SelectedInstance | None:
        progress, instances = self._progress, self._parts.instances
        if not self._may_start():
            return None
        reason = _EMPTY if progress.answers else _SLOW if self._running else _FAILED
        selected = instances.select(progress.tried, reason)
        if selected is None and await self._recheck():
            selected = instances.select(progress.tried, reason)
        if selected is not None:
            progress.tried.append(selected.instance.url)
        return selected

    async def _recheck(self) -> bool:
        """Before the search fails: an instance that failed earlier may work by now."""
        if self._running or self._progress.answers:
            return False
        return await self._parts.maintenance.recheck_failed(self._progress.tried)

    def _may_start(self) -> bool:
        progress = self._progress
        further = len(progress.tried) - self._tried_at_answer
        if progress.answers and further >= _MAX_FURTHER:
            return False
        return self._parts.clock.monotonic() < self._ends and len(progress.tried) < _MAX_INSTANCES

    def _patience(self) -> float | None:
        """Return how long to wait before something is done about it; None: until a response."""
        now = self._parts.clock.monotonic()
        delay = self._hedge_seconds()
        moments = [] if delay is None else [self._last_start + delay]
        if self._progress.answers or self._progress.failed_answer:
            moments.append(self._ends)
        return max(0.0, min(moments) - now) if moments else None

    def _hedge_seconds(self) -> float | None:
        """Return the delay before a second instance is asked; None if none should be."""
        parts = self._parts
        responding = any(attempt.has_page for attempt in self._running.values())
        if self._is_hedged or self._progress.answers or responding or parts.budget.is_spent:
            return None
        following = parts.instances.available(self._progress.tried)
        if not following or not self._may_start():
            return None
        asked = next(iter(self._running.values())).selected.instance
        # a query leaves the operator's own instances only if they are very slow
        if asked.grade == OWN and following[0].grade != OWN:
            return MAX_HEDGE_SECONDS
        known = parts.instances.by_url.values()
        return parts.searcher.latencies.hedge_seconds(
            i.response_time for i in known if i.response_time is not None
        )

    def _hedge(self) -> bool:
        """Allow a second request after the wait was in vain; return False to end the search."""
        if self._parts.clock.monotonic() >= self._ends:
            return False
        # meanwhile the first page may have arrived, or another search taken the last second request
        if self._hedge_seconds() is not None:
            self._is_hedged = True
            self._parts.budget.used += 1
        return True

    def _finish(self, attempt: InstanceAttempt, answer: _Outcome) -> None:
        progress = self._progress
        if isinstance(answer, ProviderError):
            progress.record(attempt, str(answer))
            return
        if answer.has_failed:
            progress.record(attempt, "none of its engines responded")
            progress.failed_answer = progress.failed_answer or answer
            self._end_in(_RESCUE_SECONDS)
            return
        progress.record(attempt, "no results" if answer.is_empty else "ok")
        if not progress.answers:
            self._end_in(_FURTHER_SECONDS)
            # one that is under way is a further one already
            self._tried_at_answer = len(progress.tried) - len(self._running)
        progress.answers.append(answer)

    def _end_in(self, seconds: float) -> None:
        self._ends = min(self._ends, self._parts.clock.monotonic() + seconds)

    async def _cancel(self) -> None:
        """End the requests under way: their instances are slow, but neither well nor ill."""
        if self._is_hedged:
            self._parts.budget.used -= 1
        running, self._running = self._running, {}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        has_answer = self._progress.answers or self._progress.failed_answer
        outcome = _LOST if self._progress.is_complete else _LATE
        for attempt in running.values() if has_answer else ():
            self._parts.searcher.note_cancelled(attempt)
            self._progress.record(attempt, outcome)

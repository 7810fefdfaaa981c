"""Search through several SearXNG instances: the best available one first, others if need be."""

from collections.abc import Mapping, Sequence

from webquarry.errors import BadInputError, ProviderError, RateLimitError
from webquarry.searxng.fusion import fuse_hits
from webquarry.searxng.hedged_search import (
    HedgeBudget,
    HedgedSearch,
    HedgingParts,
    SearchProgress,
)
from webquarry.searxng.instance import OWN, Instance, seconds_until
from webquarry.searxng.instance_client import InstanceClient
from webquarry.searxng.instance_search import InstanceAnswer, InstanceSearcher
from webquarry.searxng.maintenance import PoolMaintenance
from webquarry.searxng.query_values import PoolResult, SearxngQuery
from webquarry.searxng.search_extras import merge_extras
from webquarry.searxng.selection import InstanceSelection

NAME = "searxng"
_MAX_LISTED = 10  # instances in an error


class Pool:
    """Searches through whichever instance works."""

    def __init__(
        self, client: InstanceClient, instances: InstanceSelection, maintenance: PoolMaintenance
    ) -> None:
        self.client = client
        self.options = client.options
        self.clock = client.clock
        self.instances = instances
        self.maintenance = maintenance
        searcher = InstanceSearcher(client, instances, maintenance)
        self.engines = searcher.engines
        self.hedge_budget = HedgeBudget()
        self._parts = HedgingParts(
            searcher, instances, maintenance, client.clock, self.hedge_budget
        )

    async def search(self, query: SearxngQuery) -> PoolResult:
        """Return the results of the first instance that has enough, or of two.

        Raises `RateLimitError` when all instances limit us and `ProviderError` when none responds;
        both carry seed 003's error fields in `details`.
        """
        if "!!" in query.text and any(word.startswith("!!") for word in query.text.split()):
            raise BadInputError("query: '!!' would redirect to another search engine; remove it")
        now = self.clock.monotonic()
        progress = SearchProgress(query, started=now, deadline=now + self.options.default_timeout)
        await self.maintenance.prepare()
        await HedgedSearch(self._parts, progress).run()
        if not progress.answers and progress.failed_answer:
            progress.answers.append(progress.failed_answer)
        if not progress.answers:
            raise self._unavailable(progress)
        return self._result(progress)

    async def close(self) -> None:
        """Stop the background work and store the state of the instances."""
        await self.maintenance.close()

    def _result(self, progress: SearchProgress) -> PoolResult:
        answers = progress.answers
        hits = fuse_hits([answer.hits for answer in answers])
        used = [answer for answer in answers if not answer.is_empty] or answers[:1]
        first = used[0].selected
        return PoolResult(
            hits=hits[: progress.query.count],
            instance=first.instance.url,
            instances=tuple(answer.selected.instance.url for answer in used),
            selection_reason=first.reason,
            total=max(len(hits), *(answer.total for answer in answers)),
            milliseconds=round(1000 * (self.clock.monotonic() - progress.started)),
            engines=tuple(dict.fromkeys(engine for hit in hits for engine in hit.engines)),
            unresponsive=tuple(dict.fromkeys(row for a in answers for row in a.unresponsive)),
            attempts=tuple(progress.outcomes),
            warnings=(*(text for a in answers for text in a.warnings), *self._caveats(used)),
            extras=merge_extras(answer.extras for answer in answers),
        )

    def _caveats(self, used: Sequence[InstanceAnswer]) -> list[str]:
        public = any(answer.selected.instance.grade != OWN for answer in used)
        if not (public and self.maintenance.uses_fallback):
            return []
        return [self.maintenance.fallback_notice]

    def _unavailable(self, progress: SearchProgress) -> ProviderError:
        now = self.clock.time()
        known = self.instances.ranked()
        waits = [wait for instance in known if (wait := instance.seconds_unavailable(now))]
        wait = round(min(waits, default=self.options.instance_health_check_interval))
        limited = known and all(seconds_until(i.rate_limited_until, now) for i in known)
        return (RateLimitError if limited else ProviderError)(
            "No available SearXNG instances",
            provider=NAME,
            retry_after=wait,
            details={
                "error_type": "no_instances_available",
                "error_details": self._explanation(known),
                "attempted_instances": progress.tried or [i.url for i in known[:_MAX_LISTED]],
                "retry_after": wait,
                "reasons": self._reasons(progress, known),
            },
        )

    def _explanation(self, known: Sequence[Instance]) -> str:
        if known:
            return "All configured SearXNG instances are unavailable or rate limited"
        error = self.maintenance.catalogue_error
        cause = f" ({error})" if error else ""
        return f"No SearXNG instance is known{cause}: set SEARXNG_URL or SEARXNG_CATALOGUE"

    def _reasons(self, progress: SearchProgress, known: Sequence[Instance]) -> Mapping[str, str]:
        """Return why each instance was not used: its error in this search, or an earlier one."""
        now, max_failures = self.clock.time(), self.options.max_consecutive_failures
        skipped = {i.url: i.unavailable_reason(now, max_failures) for i in known[:_MAX_LISTED]}
        return skipped | {attempt.instance: attempt.outcome for attempt in progress.outcomes}

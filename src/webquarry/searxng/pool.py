"""Search through several SearXNG instances: the best available one first, the next if it fails."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from webquarry.content.ranking.result_urls import canonical_key
from webquarry.errors import BadInputError, NetworkError, ProviderError, RateLimitError
from webquarry.net.upstream.status_errors import UnavailableError
from webquarry.searxng.instance import OWN, Instance, seconds_until
from webquarry.searxng.instance_client import InstanceClient, QueryRefusedError
from webquarry.searxng.maintenance import PoolMaintenance
from webquarry.searxng.query_values import (
    Hit,
    InstanceAttempt,
    InstancePage,
    PoolResult,
    SearxngQuery,
)
from webquarry.searxng.selection import InstanceSelection, SelectedInstance
from webquarry.searxng.shared_reasons import shared_reason, without_query

NAME = "searxng"
_MAX_INSTANCES = 8  # tried for one search
_MAX_PAGES = 6  # requested from one instance for one search
_MIN_ATTEMPT_SECONDS = 3.0  # for one instance, even if others are available
_MAX_LISTED = 10  # instances in an error
_MAX_ENGINES = 200  # in the statistics


class Pool:
    """Searches through whichever instance works."""

    def __init__(
        self, client: InstanceClient, instances: InstanceSelection, maintenance: PoolMaintenance
    ) -> None:
        self.options = client.options
        self.clock = client.clock
        self.instances = instances
        self.maintenance = maintenance
        self.engines = EngineStatistics()
        self.last_selected: tuple[float, SelectedInstance] | None = None
        self._client = client

    async def search(self, query: SearxngQuery) -> PoolResult:
        """Return the results of the first instance that has some.

        Raises `RateLimitError` when all instances limit us and `ProviderError` when none responds;
        both carry seed 003's error fields in `details`.
        """
        if "!!" in query.text and any(word.startswith("!!") for word in query.text.split()):
            raise BadInputError("query: '!!' would redirect to another search engine; remove it")
        now = self.clock.monotonic()
        search = _Search(query, started=now, deadline=now + self.options.default_timeout)
        await self.maintenance.prepare()
        while selected := await self._select(search):
            try:
                if result := await self._search_instance(selected, search):
                    return result
            except ProviderError as error:
                search.record_attempt(selected, str(error))
        if search.empty_result:
            return replace(search.empty_result, attempts=tuple(search.attempts))
        raise self._unavailable(search)

    async def close(self) -> None:
        """Stop the background work and store the state of the instances."""
        await self.maintenance.close()

    async def _select(self, search: "_Search") -> SelectedInstance | None:
        if self.clock.monotonic() >= search.deadline or len(search.tried) >= _MAX_INSTANCES:
            return None
        selected = self.instances.select(search.tried)
        # before the search fails: an instance that failed earlier may work by now
        if selected is None and await self.maintenance.recheck_failed(search.tried):
            selected = self.instances.select(search.tried)
        if selected is not None:
            search.tried.append(selected.instance.url)
            self.last_selected = (self.clock.time(), selected)
        return selected

    async def _search_instance(
        self, selected: SelectedInstance, search: "_Search"
    ) -> PoolResult | None:
        """Return the results of one instance; None when all its engines failed."""
        hits: dict[str, Hit] = {}
        pages: list[InstancePage] = []
        warnings: list[str] = []
        more = True
        while more and len(hits) < search.query.count and len(pages) < _MAX_PAGES:
            try:
                pages.append(await self._request_page(selected, search, len(pages) + 1))
            except ProviderError as error:
                if not pages:
                    raise
                warnings.append(f"page {len(pages) + 1} of the results is missing: {error}")
                break
            known = len(hits)
            for hit in pages[-1].hits:
                hits.setdefault(canonical_key(hit.url), hit)
            more = len(hits) > known
        failed = not hits and pages[0].unresponsive
        search.record_attempt(selected, "none of its engines responded" if failed else "ok")
        result = self._result(selected, search, tuple(hits.values()), pages, warnings)
        if failed:
            search.empty_result = search.empty_result or result
        return None if failed else result

    async def _request_page(
        self, selected: SelectedInstance, search: "_Search", number: int
    ) -> InstancePage:
        """Return one page of results, and record how the instance did."""
        started, url = self.clock.monotonic(), selected.instance.url
        instance = self.instances.by_url[url]
        timeout = search.deadline - started
        if selected.has_alternative:  # leaves time to try it
            timeout = min(timeout, max(_MIN_ATTEMPT_SECONDS, self.options.default_timeout / 3))
        try:
            page = await self._client.search(instance, search.query, number, timeout)
        except QueryRefusedError:
            raise  # says nothing about the health of the instance
        except ProviderError as error:
            self._record_failure(instance, error, search.query.text)
            raise
        now, milliseconds = self.clock.time(), round(1000 * (self.clock.monotonic() - started))
        self.instances.update(url, lambda i: i.after_success(now, milliseconds))
        if page.from_html and instance.offers_json(now):
            self.instances.update(url, lambda i: i.without_json(now))
        self.engines.record(page, search.query.text)
        self.maintenance.note_change()
        return page

    def _result(
        self,
        selected: SelectedInstance,
        search: "_Search",
        hits: tuple[Hit, ...],
        pages: Sequence[InstancePage],
        warnings: Sequence[str],
    ) -> PoolResult:
        unusable = sum(page.unusable for page in pages)
        skipped = [f"{unusable} result(s) without a web URL were left out"] if unusable else []
        return PoolResult(
            hits=hits[: search.query.count],
            instance=selected.instance.url,
            selection_reason=selected.reason,
            total=max(pages[0].total, len(hits)),
            milliseconds=round(1000 * (self.clock.monotonic() - search.started)),
            engines=tuple(dict.fromkeys(engine for hit in hits for engine in hit.engines)),
            unresponsive=tuple(dict.fromkeys(row for page in pages for row in page.unresponsive)),
            attempts=tuple(search.attempts),
            warnings=(*warnings, *skipped),
        )

    def _record_failure(self, instance: Instance, error: ProviderError, query: str) -> None:
        now, message = self.clock.time(), shared_reason(error, query)
        base = self.options.rate_limit_backoff_base
        if isinstance(error, RateLimitError):
            wait = error.retry_after
            self.instances.update(instance.url, lambda i: i.after_rate_limit(now, wait, base))
        else:
            # an invalid certificate is no accident: a public instance is not tried a second time
            forged = error.details.get("detail") == "tls" and instance.grade != OWN
            counts = self.options.max_consecutive_failures if forged else 1
            unreachable = isinstance(error, NetworkError | UnavailableError) and not forged
            self.instances.update(
                instance.url,
                lambda i: i.after_failure(
                    now, message, base, counts=counts, unreachable=unreachable
                ),
            )
        self.maintenance.note_change()

    def _unavailable(self, search: "_Search") -> ProviderError:
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
                "attempted_instances": search.tried or [i.url for i in known[:_MAX_LISTED]],
                "retry_after": wait,
                "reasons": self._reasons(search, known),
            },
        )

    def _explanation(self, known: Sequence[Instance]) -> str:
        if known:
            return "All configured SearXNG instances are unavailable or rate limited"
        error = self.maintenance.catalogue_error
        cause = f" ({error})" if error else ""
        return f"No SearXNG instance is known{cause}: set SEARXNG_URL or SEARXNG_CATALOGUE"

    def _reasons(self, search: "_Search", known: Sequence[Instance]) -> Mapping[str, str]:
        """Return why each instance was not used: its error in this search, or an earlier one."""
        now, max_failures = self.clock.time(), self.options.max_consecutive_failures
        skipped = {i.url: i.unavailable_reason(now, max_failures) for i in known[:_MAX_LISTED]}
        return skipped | {attempt.instance: attempt.outcome for attempt in search.attempts}


@dataclass
class _Search:
    """The progress of one search through the pool."""

    query: SearxngQuery
    started: float
    deadline: float
    tried: list[str] = field(default_factory=list[str])
    attempts: list[InstanceAttempt] = field(default_factory=list[InstanceAttempt])
    empty_result: PoolResult | None = None  # returned if no instance has results

    def record_attempt(self, selected: SelectedInstance, outcome: str) -> None:
        self.attempts.append(InstanceAttempt(instance=selected.instance.url, outcome=outcome))


@dataclass
class _EngineCounts:
    results: int = 0
    searches: int = 0
    failures: int = 0
    last_error: str = ""


class EngineStatistics:
    """Counts the results and failures of each engine."""

    def __init__(self) -> None:
        self._engines: dict[str, _EngineCounts] = {}

    def record(self, page: InstancePage, query: str) -> None:
        """Count one page of results."""
        results = Counter(engine for hit in page.hits for engine in hit.engines)
        for engine in (*results, *(name for name, _ in page.unresponsive)):
            # instances make up these names: they must not fill the memory
            if engine not in self._engines and len(self._engines) < _MAX_ENGINES:
                self._engines[engine] = _EngineCounts()
        for engine, count in results.items():
            if counts := self._engines.get(engine):
                counts.results += count
                counts.searches += 1
        for engine, reason in page.unresponsive:
            if counts := self._engines.get(engine):
                counts.failures += 1
                counts.last_error = without_query(reason, query)

    def report(self) -> list[dict[str, Any]]:
        """Return the counts of every engine, the most productive first."""
        ranked = sorted(self._engines.items(), key=lambda item: (-item[1].results, item[0]))
        return [{"engine": name, **asdict(counts)} for name, counts in ranked]

"""Searches through one instance, page by page, and records how the instance did."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from webquarry.content.ranking.result_urls import canonical_key
from webquarry.errors import NetworkError, ProviderError, RateLimitError
from webquarry.net.upstream.status_errors import UnavailableError
from webquarry.searxng.engine_statistics import EngineStatistics
from webquarry.searxng.instance import OWN, Instance
from webquarry.searxng.instance_client import InstanceClient, QueryRefusedError
from webquarry.searxng.latency import LatencyWindow, RequestTimer
from webquarry.searxng.maintenance import PoolMaintenance
from webquarry.searxng.query_values import (
    NO_EXTRAS,
    Hit,
    InstancePage,
    SearchExtras,
    SearxngQuery,
)
from webquarry.searxng.search_extras import merge_extras
from webquarry.searxng.selection import InstanceSelection, SelectedInstance
from webquarry.searxng.shared_reasons import shared_reason

_MAX_PAGES = 6  # requested from one instance for one search
_MIN_ATTEMPT_SECONDS = 3.0  # for one instance, even if others are available


@dataclass
class InstanceAttempt:
    """A search through one instance that is under way."""

    selected: SelectedInstance
    has_page: bool = False  # the first page has arrived, others may follow
    timer: RequestTimer = field(default_factory=RequestTimer)

    @property
    def url(self) -> str:
        """The instance."""
        return self.selected.instance.url


@dataclass(frozen=True, kw_only=True)
class InstanceAnswer:
    """The results of one instance, best first."""

    selected: SelectedInstance
    hits: tuple[Hit, ...]
    total: int
    unresponsive: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    extras: SearchExtras = NO_EXTRAS

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.hits or self.extras.answers or self.extras.infoboxes)

    @property
    def has_failed(self) -> bool:
        """Whether nothing was found because engines failed."""
        return self.is_empty and bool(self.unresponsive)

    def is_enough(self, count: int) -> bool:
        """Whether another instance need not be asked for `count` results."""
        return 2 * len(self.hits) >= count or (not self.hits and not self.is_empty)


class InstanceSearcher:
    """Sends searches to instances."""

    def __init__(
        self, client: InstanceClient, instances: InstanceSelection, maintenance: PoolMaintenance
    ) -> None:
        self._client = client
        self._clock = client.clock
        self._options = client.options
        self._instances = instances
        self._maintenance = maintenance
        self.engines = EngineStatistics()
        self.latencies = LatencyWindow()

    async def search(
        self, attempt: InstanceAttempt, query: SearxngQuery, deadline: float
    ) -> InstanceAnswer:
        """Return the results of one instance; `ProviderError` when its first page fails."""
        hits: dict[str, Hit] = {}
        pages: list[InstancePage] = []
        warnings: list[str] = []
        more = True
        while more and len(hits) < query.count and len(pages) < _MAX_PAGES:
            try:
                pages.append(await self._request_page(attempt, query, len(pages) + 1, deadline))
            except ProviderError as error:
                if not pages:
                    raise
                warnings.append(f"page {len(pages) + 1} of the results is missing: {error}")
                break
            known = len(hits)
            for hit in _ranked(pages[-1].hits):
                hits.setdefault(canonical_key(hit.url), hit)
            more = len(hits) > known
        return _answer(attempt.selected, tuple(hits.values()), pages, warnings)

    def note_cancelled(self, attempt: InstanceAttempt) -> None:
        """Record that an instance was slower than another: neither a failure nor a success."""
        if attempt.timer.sent_at is not None:
            now = self._clock.time()
            elapsed = attempt.timer.milliseconds(self._clock.monotonic())
            self._instances.update(attempt.url, lambda i: i.after_cancellation(now, elapsed))

    async def _request_page(
        self, attempt: InstanceAttempt, query: SearxngQuery, number: int, deadline: float
    ) -> InstancePage:
        """Return one page of results, and record how the instance did."""
        url = attempt.url
        instance = self._instances.by_url.get(url, attempt.selected.instance)
        timeout = deadline - self._clock.monotonic()
        if attempt.selected.has_alternative:  # leaves time to try it
            timeout = min(timeout, max(_MIN_ATTEMPT_SECONDS, self._options.default_timeout / 3))
        try:
            page = await self._client.search(instance, query, number, timeout, attempt.timer)
        except QueryRefusedError:
            raise  # says nothing about the health of the instance
        except ProviderError as error:
            self._record_failure(instance, error, query.text)
            raise
        attempt.has_page = True
        now = self._clock.time()
        milliseconds = attempt.timer.milliseconds(self._clock.monotonic())
        self.latencies.record(milliseconds)
        self._instances.update(url, lambda i: i.after_success(now, milliseconds))
        if page.json_pause:
            self._instances.update(url, lambda i: i.without_json(now, page.json_pause))
        self.engines.record(page, query.text)
        self._maintenance.note_change()
        return page

    def _record_failure(self, instance: Instance, error: ProviderError, query: str) -> None:
        now, message = self._clock.time(), shared_reason(error, query)
        base = self._options.rate_limit_backoff_base
        if isinstance(error, RateLimitError):
            wait = error.retry_after
            self._instances.update(instance.url, lambda i: i.after_rate_limit(now, wait, base))
        else:
            # an invalid certificate is no accident: a public instance is not tried a second time
            forged = error.details.get("detail") == "tls" and instance.grade != OWN
            counts = self._options.max_consecutive_failures if forged else 1
            unreachable = isinstance(error, NetworkError | UnavailableError) and not forged
            self._instances.update(
                instance.url,
                lambda i: i.after_failure(
                    now, message, base, counts=counts, unreachable=unreachable
                ),
            )
        self._maintenance.note_change()


def _ranked(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits of a page, the best score first: instances group them by kind instead."""
    return sorted(hits, key=lambda hit: -hit.score)


def _answer(
    selected: SelectedInstance,
    hits: tuple[Hit, ...],
    pages: Sequence[InstancePage],
    warnings: Sequence[str],
) -> InstanceAnswer:
    extras = merge_extras(page.extras for page in pages)
    unusable = sum(page.unusable for page in pages)
    skipped = [f"{unusable} result(s) without a web URL were left out"] if unusable else []
    if extras.unreadable:
        skipped.append(f"{extras.unreadable} direct answer(s) of an unknown kind were left out")
    return InstanceAnswer(
        selected=selected,
        hits=hits,
        total=max(pages[0].total, len(hits)),
        unresponsive=tuple(dict.fromkeys(row for page in pages for row in page.unresponsive)),
        warnings=(*warnings, *skipped),
        extras=extras,
    )

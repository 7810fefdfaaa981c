"""Several instances as one search: asks the best that is well, and the next when it fails."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from webquarry.content.ranking.result_urls import canonical
from webquarry.errors import BadInputError, NetworkError, ProviderError, RateLimitError
from webquarry.net.clock import Clock
from webquarry.net.upstream.status_errors import UnavailableError
from webquarry.searxng.engines import Engines
from webquarry.searxng.instance import OWN, Instance, left_of
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

NAME = "searxng"
_MOST_INSTANCES = 8  # asked for one search
_MOST_PAGES = 6  # of one instance for one search
_SHORTEST_TRY = 3.0  # seconds an instance gets even when others are waiting
_NAMED = 10  # instances in an error


class Pool:
    """Searches through whichever instance works."""

    def __init__(
        self, door: InstanceClient, roster: InstanceSelection, upkeep: PoolMaintenance
    ) -> None:
        self.options = door.options
        self.roster = roster
        self.upkeep = upkeep
        self.engines = Engines()
        self.last_pick: tuple[float, SelectedInstance] | None = None
        self._door = door
        self.clock = door.clock

    async def search(self, question: SearxngQuery) -> PoolResult:
        """Return the results of the first instance that has some.

        Raises `RateLimitError` when all instances limit us and `ProviderError` when none answers;
        both carry seed 003's error fields in `details`.
        """
        if "!!" in question.text and any(w.startswith("!!") for w in question.text.split()):
            raise BadInputError("query: '!!' would leave for another search engine; remove it")
        search = _Search(question, self.clock, self.clock.now() + self.options.default_timeout)
        await self.upkeep.prepare()
        while pick := await self._pick(search):
            try:
                if found := await self._answer(pick, search):
                    return found
            except ProviderError as error:
                search.attempts.append(
                    InstanceAttempt(instance=pick.instance.url, outcome=str(error))
                )
        if search.meagre:
            return replace(search.meagre, attempts=tuple(search.attempts))
        raise self._unavailable(search)

    async def close(self) -> None:
        """Stop the work in the background and remember the state."""
        await self.upkeep.close()

    async def _pick(self, search: "_Search") -> SelectedInstance | None:
        if search.left <= 0 or len(search.tried) >= _MOST_INSTANCES:
            return None
        pick = self.roster.next(search.tried)
        # rather than giving up: see whether one that failed before is well again
        if pick is None and await self.upkeep.revive(search.tried):
            pick = self.roster.next(search.tried)
        if pick is not None:
            search.tried.append(pick.instance.url)
            self.last_pick = (self.clock.today(), pick)
        return pick

    async def _answer(self, pick: SelectedInstance, search: "_Search") -> PoolResult | None:
        """Return the results of one instance; None when all its engines failed."""
        url = pick.instance.url
        pages, warnings = [await self._ask(url, search, 1)], list[str]()
        if not pages[0].hits and pages[0].unresponsive:
            search.attempts.append(
                InstanceAttempt(instance=url, outcome="none of its engines answered")
            )
            search.meagre = search.meagre or search.found(pick, pages, warnings)
            return None
        try:
            while search.wants_more(pages):
                pages.append(await self._ask(url, search, len(pages) + 1))
        except ProviderError as error:
            warnings.append(f"page {len(pages) + 1} of the results is missing: {error}")
        search.attempts.append(InstanceAttempt(instance=url, outcome="ok"))
        return search.found(pick, pages, warnings)

    async def _ask(self, url: str, search: "_Search", page: int) -> InstancePage:
        """Return one page, and remember how it went."""
        began = self.clock.now()
        instance = self.roster.get(url)
        try:
            found, gives_json = await self._door.search(
                instance, search.question, page, self._patience(search)
            )
        except QueryRefusedError:
            raise  # that is not the instance's fault
        except ProviderError as error:
            self._note_failure(instance, error)
            raise
        now, milliseconds = self.clock.today(), round(1000 * (self.clock.now() - began))
        self.roster.change(url, lambda i: i.answered(now, milliseconds))
        if not gives_json and instance.gives_json(now):
            self.roster.change(url, lambda i: i.without_json(now))
        self.engines.note(found)
        self.upkeep.note_change()
        return found

    def _patience(self, search: "_Search") -> float:
        """Return the seconds for one try: less than all while another instance could be asked."""
        if not self.roster.has_other(search.tried):
            return search.left
        return min(search.left, max(_SHORTEST_TRY, self.options.default_timeout / 3))

    def _note_failure(self, instance: Instance, error: ProviderError) -> None:
        now, why = self.clock.today(), str(error)
        base = self.options.rate_limit_backoff_base
        if isinstance(error, RateLimitError):
            wait = error.retry_after
            self.roster.change(instance.url, lambda i: i.limited(now, wait, base))
        else:
            # a bad certificate is no accident: a stranger's instance is not asked a second time
            forged = error.details.get("detail") == "tls" and instance.grade != OWN
            counts = self.options.max_consecutive_failures if forged else 1
            away = isinstance(error, NetworkError | UnavailableError) and not forged
            self.roster.change(
                instance.url,
                lambda i: i.failed(now, why, base, counts=counts, unreachable=away),
            )
        self.upkeep.note_change()

    def _unavailable(self, search: "_Search") -> ProviderError:
        now = self.clock.today()
        known = self.roster.all()
        asked = search.tried or [instance.url for instance in known[:_NAMED]]
        waits = [_wait(instance, now) for instance in known]
        soonest = min((wait for wait in waits if wait), default=None)
        wait = round(soonest or self.options.instance_health_check_interval)
        limited = bool(known) and all(left_of(i.rate_limited_until, now) for i in known)
        return (RateLimitError if limited else ProviderError)(
            "No available SearXNG instances",
            provider=NAME,
            retry_after=wait,
            details={
                "error_type": "no_instances_available",
                "error_details": self._explanation(known),
                "attempted_instances": asked,
                "retry_after": wait,
                "reasons": self._reasons(search, known),
            },
        )

    def _explanation(self, known: Sequence[Instance]) -> str:
        if known:
            return "All configured SearXNG instances are unavailable or rate limited"
        problem = f" ({self.upkeep.problem})" if self.upkeep.problem else ""
        return f"No SearXNG instance is known{problem}: set SEARXNG_URL or SEARXNG_CATALOGUE"

    def _reasons(self, search: "_Search", known: Sequence[Instance]) -> dict[str, str]:
        """Return why each instance did not answer: what it said now, or what it said before."""
        now, most = self.clock.today(), self.options.max_consecutive_failures
        told = {attempt.instance: attempt.outcome for attempt in search.attempts}
        passed_over = {instance.url: instance.objection(now, most) for instance in known[:_NAMED]}
        return {**passed_over, **told}


@dataclass
class _Search:
    """One search on its way through the pool."""

    question: SearxngQuery
    clock: Clock
    ends: float
    tried: list[str] = field(default_factory=list[str])
    attempts: list[InstanceAttempt] = field(default_factory=list[InstanceAttempt])
    meagre: PoolResult | None = None  # an empty answer, in case nobody has a better one

    def __post_init__(self) -> None:
        self._began = self.clock.now()

    @property
    def left(self) -> float:
        """Seconds until it must be over."""
        return self.ends - self.clock.now()

    def wants_more(self, pages: Sequence[InstancePage]) -> bool:
        """Whether another page may bring results that are missing."""
        known = len(_distinct(pages))
        if not 0 < known < self.question.count or len(pages) >= _MOST_PAGES:
            return False
        return len(pages) < 2 or known > len(_distinct(pages[:-1]))

    def found(
        self, pick: SelectedInstance, pages: Sequence[InstancePage], warnings: Sequence[str]
    ) -> PoolResult:
        """Return the results of all pages without repetitions."""
        hits = _distinct(pages)
        unusable = sum(page.unusable for page in pages)
        told = [*warnings]
        if unusable:
            told.append(f"{unusable} result(s) without a web address were left out")
        return PoolResult(
            hits=tuple(hits[: self.question.count]),
            instance=pick.instance.url,
            why=pick.why,
            total=max(pages[0].total, len(hits)),
            milliseconds=round(1000 * (self.clock.now() - self._began)),
            engines=tuple(dict.fromkeys(engine for hit in hits for engine in hit.engines)),
            unresponsive=tuple(dict.fromkeys(row for page in pages for row in page.unresponsive)),
            attempts=tuple(self.attempts),
            warnings=tuple(told),
        )


def _distinct(pages: Sequence[InstancePage]) -> list[Hit]:
    found: dict[str, Hit] = {}
    for page in pages:
        for hit in page.hits:
            found.setdefault(canonical(hit.url), hit)
    return list(found.values())


def _wait(instance: Instance, now: float) -> float:
    return max(left_of(instance.rate_limited_until, now), left_of(instance.paused_until, now))

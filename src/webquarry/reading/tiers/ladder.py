"""Climbs from the cheapest way of reading a page to the dearest."""

from collections.abc import Sequence
from typing import Protocol

from webquarry.models.reading import ReadAttempt, Reading
from webquarry.net.clock import Clock
from webquarry.net.url import Url, under
from webquarry.observe.progress import tell
from webquarry.reading.tiers.read_errors import UnreadableError, failure

# pages that show nothing without a browser
SPA_HOSTS = (
    "go.dev", "pkg.go.dev", "patents.google.com", "scholar.google.com", "news.google.com",
    "trends.google.com", "youtube.com", "linkedin.com", "facebook.com", "instagram.com",
    "medium.com", "dev.to", "tiktok.com", "threads.net", "bsky.app",
)  # fmt: skip
_REFUSED = frozenset({"blocked", "rate_limited", "auth_required"})
_LEAST_SECONDS = 1.0


class Tier(Protocol):
    """One way of reading a page."""

    @property
    def name(self) -> str:
        """What it is called in results and errors."""
        ...

    @property
    def timeout(self) -> float:
        """The seconds it may take."""
        ...

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page; raise `UnreadableError` to let the next tier try."""
        ...


class Ladder:
    """Tries each tier once, in order, within one deadline."""

    def __init__(self, tiers: Sequence[Tier], clock: Clock | None = None) -> None:
        self._tiers = tuple(tiers)
        self._clock = clock or Clock()

    async def read(
        self, url: Url, seconds: float, *, before: Sequence[ReadAttempt] = ()
    ) -> Reading:
        """Return the page as the first tier that can read it does.

        When none can, the best of what they saw; when they saw nothing, the error that says most.
        """
        climb = _Climb(list(before))
        ends = self._clock.now() + seconds
        steps = len(before) + len(self._tiers)
        for done, tier in enumerate(self._order(url), len(before)):
            left = ends - self._clock.now()
            if left < _LEAST_SECONDS:
                climb.note(tier.name, UnreadableError("network", "no time left"))
            elif climb.wants(tier):
                await tell(done, steps, f"reading by {tier.name}")
                try:
                    reading = await tier.read(url.href, min(left, tier.timeout))
                except UnreadableError as miss:
                    climb.note(tier.name, miss)
                    if miss.final:
                        break
                else:
                    tried = tuple(climb.attempts)
                    if tried == reading.attempts:  # nearly always: the first one reads it
                        return reading
                    return reading.model_copy(update={"attempts": tried})
        return climb.result(url.href)

    def _order(self, url: Url) -> Sequence[Tier]:
        if not under(url.host, SPA_HOSTS):
            return self._tiers
        return sorted(self._tiers, key=lambda tier: tier.name != "browser")


class _Climb:
    """What the tiers have seen so far."""

    def __init__(self, attempts: list[ReadAttempt]) -> None:
        self.attempts = attempts
        self._misses: list[UnreadableError] = []

    def wants(self, tier: Tier) -> bool:
        """Tell whether a tier can do more than those before it."""
        # another name helps only where ours was refused
        refused = any(miss.kind in _REFUSED for miss in self._misses)
        return tier.name != "html" or refused

    def note(self, tier: str, miss: UnreadableError) -> None:
        if tier == "stealth":
            self.attempts.append(ReadAttempt(tier="markdown", outcome="not offered"))
        self.attempts.append(ReadAttempt(tier=tier, outcome=miss.words))
        self._misses.append(miss)

    def result(self, url: str) -> Reading:
        candidates = [miss.candidate for miss in self._misses if miss.candidate]
        if candidates and not any(miss.final for miss in self._misses):
            best = max(candidates, key=lambda reading: len(reading.markdown))
            return best.model_copy(update={"complete": False, "attempts": tuple(self.attempts)})
        raise failure(url, self._misses, self.attempts)

"""Tries the ways of reading a page, from the cheapest to the most expensive."""

from collections.abc import Sequence
from typing import Protocol

from webquarry.models.reading import ReadAttempt, Reading
from webquarry.net.clock import Clock
from webquarry.net.url import Url
from webquarry.observe.progress import progress_listener
from webquarry.reading.tiers.read_errors import UnreadableError, error_for_attempts

# sites that show nothing without a browser
SPA_HOSTS = (
    "go.dev", "pkg.go.dev", "patents.google.com", "scholar.google.com", "news.google.com",
    "trends.google.com", "youtube.com", "linkedin.com", "facebook.com", "instagram.com",
    "medium.com", "dev.to", "tiktok.com", "threads.net", "bsky.app",
)  # fmt: skip
_REFUSALS = frozenset(
    {"blocked", "rate_limited", "auth_required", "payment_required", "server_refused"}
)
_WITHOUT_RESPONSE = frozenset({"network", "no_such_host", "validation"})
_MIN_SECONDS = 1.0


class Tier(Protocol):
    """One way of reading a page."""

    @property
    def name(self) -> str:
        """Its name in results and errors."""
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
        self._browser_first = sorted(tiers, key=lambda tier: tier.name != "browser")
        self._clock = clock or Clock()

    async def read(
        self,
        url: Url,
        seconds: float,
        *,
        earlier: Sequence[ReadAttempt] = (),
        browser_first: bool = False,
    ) -> Reading:
        """Return the page as read by the first tier that can read it.

        If none can, return the best rejected reading; without one, raise the most telling error.
        `earlier` are attempts made before; `browser_first` suits single-page applications.
        """
        attempts = list(earlier)
        failures: list[UnreadableError] = []
        deadline = self._clock.monotonic() + seconds
        tiers = self._browser_first if browser_first else self._tiers
        for step, tier in enumerate(tiers, len(earlier)):
            left = deadline - self._clock.monotonic()
            if left < _MIN_SECONDS:
                failure = UnreadableError("network", "no time left")
            # another User-Agent helps only where the browser's was refused
            elif tier.name == "html" and not any(f.kind in _REFUSALS for f in failures):
                continue
            else:
                if listener := progress_listener.get():
                    total = len(earlier) + len(tiers)
                    await listener.report(step, total, f"reading by {tier.name}")
                try:
                    reading = await tier.read(url.href, min(left, tier.timeout))
                except UnreadableError as error:
                    failure = error
                else:
                    update = {"attempts": tuple(attempts)}
                    return reading.model_copy(update=update) if attempts else reading
            failures.append(failure)
            attempts += _attempts(tier.name, failure)
            if failure.final:
                break
        return _best_rejected(url.href, failures, attempts)


def _attempts(tier: str, failure: UnreadableError) -> list[ReadAttempt]:
    attempt = ReadAttempt(tier=tier, outcome=failure.reason)
    if tier != "stealth" or failure.kind in _WITHOUT_RESPONSE:
        return [attempt]
    # this tier also asked for Markdown
    return [ReadAttempt(tier="markdown", outcome="not offered"), attempt]


def _best_rejected(
    url: str, failures: Sequence[UnreadableError], attempts: Sequence[ReadAttempt]
) -> Reading:
    candidates = [failure.candidate for failure in failures if failure.candidate]
    if candidates and not any(failure.final for failure in failures):
        best = max(candidates, key=lambda reading: len(reading.markdown))
        return best.model_copy(update={"complete": False, "attempts": tuple(attempts)})
    raise error_for_attempts(url, failures, attempts)

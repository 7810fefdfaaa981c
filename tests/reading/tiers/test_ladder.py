"""Climbing: who is asked, in which order, and what is said when nobody can."""

import pytest

from webquarry.errors import (
    BadInputError,
    BlockedError,
    BrowserError,
    Kind,
    NetworkError,
    NotFoundError,
    PageError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.reading import ReadAttempt, Reading
from webquarry.net.clock import Clock
from webquarry.net.url import parse
from webquarry.reading.tiers.ladder import Ladder
from webquarry.reading.tiers.read_errors import LoginWallError, UnreadableError

pytestmark = pytest.mark.anyio

URL = "https://example.org/owls"


class Scripted:
    """A tier that returns or raises what the test says."""

    timeout = 20.0

    def __init__(
        self, name: str, outcome: str | UnreadableError, asked: list[str] | None = None
    ) -> None:
        self.name = name
        self._outcome = outcome
        self._asked = asked if asked is not None else []

    async def read(self, url: str, seconds: float) -> Reading:
        self._asked.append(self.name)
        if isinstance(self._outcome, UnreadableError):
            raise self._outcome
        return reading(self._outcome, self.name, url)


def reading(text: str, tier: str, url: str = URL) -> Reading:
    return Reading(url=url, address=url, markdown=text, kind="html", tier=tier)


def refused(words: str = "HTTP 403") -> UnreadableError:
    return UnreadableError("blocked", words)


async def test_the_first_tier_that_can_read_it_is_the_last_one_asked() -> None:
    asked: list[str] = []
    ladder = Ladder([Scripted("stealth", "hi", asked), Scripted("browser", "ho", asked)])

    assert await ladder.read(parse(URL), 50) == reading("hi", "stealth")
    assert asked == ["stealth"]


async def test_what_was_tried_before_is_told() -> None:
    ladder = Ladder(
        [Scripted("stealth", refused()), Scripted("html", refused()), Scripted("browser", "hi")]
    )

    found = await ladder.read(parse(URL), 50)

    assert found == reading("hi", "browser").model_copy(
        update={
            "attempts": (
                ReadAttempt(tier="markdown", outcome="not offered"),
                ReadAttempt(tier="stealth", outcome="HTTP 403"),
                ReadAttempt(tier="html", outcome="HTTP 403"),
            )
        }
    )


async def test_our_own_name_is_tried_only_where_a_browser_was_refused() -> None:
    asked: list[str] = []
    empty = UnreadableError("content_empty", "12 bytes")
    ladder = Ladder(
        [Scripted("stealth", empty), Scripted("html", "x", asked), Scripted("browser", "hi")]
    )

    assert (await ladder.read(parse(URL), 50)).tier == "browser"
    assert asked == []


@pytest.mark.parametrize(
    "url", ["https://go.dev/doc", "https://www.linkedin.com/in/x", "https://medium.com./@a/b"]
)
async def test_known_applications_start_in_the_browser(url: str) -> None:
    asked: list[str] = []
    ladder = Ladder([Scripted("stealth", "hi", asked), Scripted("browser", "ho", asked)])

    assert (await ladder.read(parse(url), 50)).tier == "browser"
    assert asked == ["browser"]


async def test_without_a_browser_known_applications_are_read_like_others() -> None:
    ladder = Ladder(
        [
            Scripted("stealth", "hi"),
            Scripted("browser", UnreadableError("browser_unavailable", "no Chromium found")),
        ]
    )

    assert (await ladder.read(parse("https://go.dev/"), 50)).tier == "stealth"


async def test_a_final_outcome_stops_the_climb() -> None:
    asked: list[str] = []
    gone = UnreadableError("not_found", "HTTP 404", final=True)

    with pytest.raises(NotFoundError):
        await Ladder([Scripted("stealth", gone), Scripted("browser", "x", asked)]).read(
            parse(URL), 50
        )

    assert asked == []


async def test_the_best_of_what_nobody_liked_is_partial() -> None:
    thin = UnreadableError("content_empty", "12 bytes", candidate=reading("short", "stealth"))
    better = UnreadableError(
        "content_empty", "90 bytes", candidate=reading("longer text", "browser")
    )

    found = await Ladder([Scripted("stealth", thin), Scripted("browser", better)]).read(
        parse(URL), 50
    )

    assert (found.markdown, found.tier, found.complete) == ("longer text", "browser", False)


async def test_a_tier_that_would_come_too_late_is_not_asked() -> None:
    asked: list[str] = []
    moments = iter([0.0, 0.0, 49.5])
    ladder = Ladder(
        [
            Scripted("stealth", UnreadableError("content_empty", "empty")),
            Scripted("browser", "x", asked),
        ],
        Clock(now=lambda: next(moments)),
    )

    with pytest.raises(PageError) as caught:
        await ladder.read(parse(URL), 50)

    assert asked == []
    assert caught.value.details["attempts"][-1] == {"tier": "browser", "outcome": "no time left"}


@pytest.mark.parametrize(
    ("kinds", "error", "start"),
    [
        (("blocked", "not_found"), NotFoundError, f"Not found: {URL} returned 404/410"),
        (("blocked", "auth_required"), LoginWallError, f"Auth required: {URL} is behind a login"),
        (("rate_limited", "blocked"), RateLimitError, f"Rate limited on {URL}. Retry in 60 sec"),
        (("blocked", "browser_unavailable"), BlockedError, f"Blocked: {URL} uses bot detection."),
        (("content_empty", "browser_unavailable"), BrowserError, "Scrape failed: Chrome unavail"),
        (("network", "browser_unavailable"), NetworkError, f"Network error on {URL}: words."),
        (("network", "content_empty"), PageError, f"No content extracted from {URL}."),
        (("network", "network"), NetworkError, f"Network error on {URL}: words. Check connect"),
        (("validation",), BadInputError, "words"),
    ],
)
async def test_the_outcome_that_says_most_becomes_the_error(
    kinds: tuple[Kind, ...], error: type[WebquarryError], start: str
) -> None:
    names = ("stealth", "browser")
    tiers = [
        Scripted(name, UnreadableError(k, "words")) for name, k in zip(names, kinds, strict=False)
    ]

    with pytest.raises(error) as caught:
        await Ladder(tiers).read(parse(URL), 50)

    assert str(caught.value).startswith(start)
    assert type(caught.value) is error


async def test_the_error_lists_what_every_tier_saw() -> None:
    ladder = Ladder(
        [
            Scripted("stealth", refused()),
            Scripted("html", UnreadableError("content_empty", "12 bytes")),
            Scripted("browser", UnreadableError("browser_unavailable", "no Chromium found")),
        ]
    )

    with pytest.raises(BlockedError) as caught:
        await ladder.read(parse(URL), 50, before=[ReadAttempt(tier="reddit", outcome="HTTP 429")])

    assert str(caught.value).endswith(
        "Tried reddit: HTTP 429; markdown: not offered; stealth: HTTP 403; html: 12 bytes; "
        "browser: no Chromium found."
    )
    assert caught.value.block() == {
        "kind": "blocked",
        "retryable": False,
        "suggestedAction": "inform_user",
        "attempts": [
            {"tier": "reddit", "outcome": "HTTP 429"},
            {"tier": "markdown", "outcome": "not offered"},
            {"tier": "stealth", "outcome": "HTTP 403"},
            {"tier": "html", "outcome": "12 bytes"},
            {"tier": "browser", "outcome": "no Chromium found"},
        ],
    }


async def test_a_rate_limit_says_when_to_come_back() -> None:
    limited = UnreadableError("rate_limited", "HTTP 429", final=True, retry_after=7)

    with pytest.raises(RateLimitError) as caught:
        await Ladder([Scripted("stealth", limited)]).read(parse(URL), 50)

    assert caught.value.retry_after == 7
    assert str(caught.value).startswith(f"Rate limited on {URL}. Retry in 7 seconds.")

"""The ladder: the order of tiers, partial readings and errors."""

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
from webquarry.reading.tiers.read_errors import (
    LoginWallError,
    Outcome,
    PaymentRequiredError,
    UnreadableError,
)

pytestmark = pytest.mark.anyio

URL = "https://example.org/owls"


class FakeTier:
    """A tier that returns or raises the outcome set by the test."""

    timeout = 20.0

    def __init__(
        self, name: str, outcome: str | UnreadableError, used: list[str] | None = None
    ) -> None:
        self.name = name
        self._outcome = outcome
        self._used = used if used is not None else []

    async def read(self, url: str, seconds: float) -> Reading:
        self._used.append(self.name)
        if isinstance(self._outcome, UnreadableError):
            raise self._outcome
        return reading(self._outcome, self.name, url)


def reading(text: str, tier: str, url: str = URL) -> Reading:
    return Reading(url=url, final_url=url, markdown=text, kind="html", tier=tier)


def refused(reason: str = "HTTP 403") -> UnreadableError:
    return UnreadableError("blocked", reason)


async def test_no_tier_is_used_after_the_first_success() -> None:
    used: list[str] = []
    ladder = Ladder([FakeTier("stealth", "hi", used), FakeTier("browser", "ho", used)])

    assert await ladder.read(parse(URL), 50) == reading("hi", "stealth")
    assert used == ["stealth"]


async def test_the_reading_lists_earlier_attempts() -> None:
    ladder = Ladder(
        [FakeTier("stealth", refused()), FakeTier("html", refused()), FakeTier("browser", "hi")]
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


async def test_our_own_user_agent_is_tried_only_after_a_block() -> None:
    used: list[str] = []
    empty = UnreadableError("content_empty", "12 bytes")
    ladder = Ladder(
        [FakeTier("stealth", empty), FakeTier("html", "x", used), FakeTier("browser", "hi")]
    )

    assert (await ladder.read(parse(URL), 50)).tier == "browser"
    assert used == []


async def test_the_browser_is_used_first_on_request() -> None:
    used: list[str] = []
    ladder = Ladder([FakeTier("stealth", "hi", used), FakeTier("browser", "ho", used)])

    assert (await ladder.read(parse(URL), 50, browser_first=True)).tier == "browser"
    assert used == ["browser"]


async def test_without_a_browser_the_other_tiers_follow() -> None:
    ladder = Ladder(
        [
            FakeTier("stealth", "hi"),
            FakeTier("browser", UnreadableError("browser_unavailable", "no Chromium found")),
        ]
    )

    assert (await ladder.read(parse(URL), 50, browser_first=True)).tier == "stealth"


async def test_a_final_failure_stops_the_ladder() -> None:
    used: list[str] = []
    gone = UnreadableError("not_found", "HTTP 404", final=True)

    with pytest.raises(NotFoundError):
        await Ladder([FakeTier("stealth", gone), FakeTier("browser", "x", used)]).read(
            parse(URL), 50
        )

    assert used == []


async def test_the_best_rejected_candidate_is_a_partial_reading() -> None:
    thin = UnreadableError("content_empty", "12 bytes", candidate=reading("short", "stealth"))
    better = UnreadableError(
        "content_empty", "90 bytes", candidate=reading("longer text", "browser")
    )

    found = await Ladder([FakeTier("stealth", thin), FakeTier("browser", better)]).read(
        parse(URL), 50
    )

    assert (found.markdown, found.tier, found.complete) == ("longer text", "browser", False)


async def test_a_tier_is_skipped_when_no_time_is_left() -> None:
    used: list[str] = []
    moments = iter([0.0, 0.0, 49.5])
    ladder = Ladder(
        [
            FakeTier("stealth", UnreadableError("content_empty", "empty")),
            FakeTier("browser", "x", used),
        ],
        Clock(monotonic=lambda: next(moments)),
    )

    with pytest.raises(PageError) as caught:
        await ladder.read(parse(URL), 50)

    assert used == []
    assert caught.value.details["attempts"][-1] == {"tier": "browser", "outcome": "no time left"}


@pytest.mark.parametrize(
    ("kinds", "error", "start"),
    [
        (("blocked", "not_found"), NotFoundError, f"Not found: {URL} returned 404/410"),
        (("blocked", "auth_required"), LoginWallError, f"Auth required: {URL} is behind a login"),
        (("blocked", "payment_required"), PaymentRequiredError,
         f"Payment required: {URL} returned HTTP 402."),
        (("rate_limited", "blocked"), RateLimitError, f"Rate limited on {URL}. Retry in 60 sec"),
        (("blocked", "browser_unavailable"), BlockedError, f"Blocked: {URL} uses bot detection."),
        (("content_empty", "browser_unavailable"), BrowserError, "Scrape failed: Chrome unavail"),
        (("network", "browser_unavailable"), NetworkError, f"Network error on {URL}: words."),
        (("network", "content_empty"), PageError, f"No content extracted from {URL}."),
        (("network", "network"), NetworkError, f"Network error on {URL}: words. Check connect"),
        (("validation",), BadInputError, "words"),
    ],
)  # fmt: skip
async def test_the_most_specific_outcome_becomes_the_error(
    kinds: tuple[Outcome, ...], error: type[WebquarryError], start: str
) -> None:
    names = ("stealth", "browser")
    tiers = [
        FakeTier(name, UnreadableError(k, "words")) for name, k in zip(names, kinds, strict=False)
    ]

    with pytest.raises(error) as caught:
        await Ladder(tiers).read(parse(URL), 50)

    assert str(caught.value).startswith(start)
    assert type(caught.value) is error


async def test_the_error_lists_the_attempts_of_all_tiers() -> None:
    ladder = Ladder(
        [
            FakeTier("stealth", refused()),
            FakeTier("html", UnreadableError("content_empty", "12 bytes")),
            FakeTier("browser", UnreadableError("browser_unavailable", "no Chromium found")),
        ]
    )

    with pytest.raises(BlockedError) as caught:
        await ladder.read(parse(URL), 50, earlier=[ReadAttempt(tier="reddit", outcome="HTTP 429")])

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


async def test_a_rate_limit_says_when_to_retry() -> None:
    limited = UnreadableError("rate_limited", "HTTP 429", final=True, retry_after=7)

    with pytest.raises(RateLimitError) as caught:
        await Ladder([FakeTier("stealth", limited)]).read(parse(URL), 50)

    assert caught.value.retry_after == 7
    assert str(caught.value).startswith(f"Rate limited on {URL}. Retry in 7 seconds.")


@pytest.mark.parametrize("kind", ["network", "no_such_host", "validation"])
async def test_nothing_is_said_about_markdown_without_a_response(kind: Kind) -> None:
    ladder = Ladder([FakeTier("stealth", UnreadableError(kind, "words"))])

    with pytest.raises(WebquarryError) as caught:
        await ladder.read(parse(URL), 50)

    assert caught.value.details["attempts"] == [{"tier": "stealth", "outcome": "words"}]


async def test_a_script_shell_without_a_browser_names_the_way_out() -> None:
    shell = UnreadableError("content_empty", "empty until its script runs (enable javascript)")

    with pytest.raises(BrowserError, match=r"Install Chromium .* or set CHROME_PATH"):
        await Ladder([FakeTier("stealth", shell)]).read(parse(URL), 50)

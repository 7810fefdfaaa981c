"""A copy of a page, within a budget of time."""

from typing import ClassVar

import pytest

from webquarry.errors import (
    AccessError,
    BadInputError,
    BlockedError,
    NetworkError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.net.guard.resolver import Resolver
from webquarry.net.policy import Policy
from webquarry.net.upstream.status_errors import UnavailableError
from webquarry.providers.provider import ProviderInfo
from webquarry.services.archiving import ArchiveOutcome, ArchiveService

pytestmark = pytest.mark.anyio

PAGE = "https://example.org/a"
NEW = Snapshot(url=f"https://web.archive.org/web/2/{PAGE}", takenAt="2026-11-02T09:30:00Z")
OLD = Snapshot(url=f"https://web.archive.org/web/1/{PAGE}", takenAt="2020-01-01T00:00:00Z")
NOON = 1_793_611_800.0  # 2026-11-02T09:30:00Z
PENDING = ArchiveResult(state="pending", job="j1", status=200)


class Saver:
    about: ClassVar = ProviderInfo(name="saver", docs="", base_url="https://s.test")

    def __init__(self, *answers: ArchiveResult | WebquarryError) -> None:
        self.answers = list(answers)
        self.saved: list[str] = []

    async def save(self, url: str) -> ArchiveResult:
        self.saved.append(url)
        return self._next()

    async def progress(self, job: str) -> ArchiveResult:
        assert job == "j1"
        return self._next()

    def _next(self) -> ArchiveResult:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, WebquarryError):
            raise answer
        return answer


class Finder:
    about: ClassVar = ProviderInfo(name="finder", docs="", base_url="https://f.test")

    def __init__(self, found: Snapshot | WebquarryError | None = None) -> None:
        self.found = found

    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        if isinstance(self.found, WebquarryError):
            raise self.found
        return self.found


class Time:
    """A clock that moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def lookup(host: str) -> tuple[str, ...]:
    if host == "inside.example.org":
        return ("10.0.0.7",)
    if host == "unknown.example.org":
        raise OSError("no answer")
    return ("93.184.216.34",)


def archiving(
    saver: Saver | None, finder: Finder | None, clock: Time | None = None
) -> ArchiveService:
    clock = clock or Time()
    resolver = Resolver(Policy(), lookup=lookup)
    return ArchiveService(
        saver, finder, resolver=resolver, now=clock, sleep=clock.sleep, wall_clock=lambda: NOON
    )


async def test_a_slow_capture_is_waited_for() -> None:
    clock = Time()
    saver = Saver(PENDING, PENDING, PENDING, ArchiveResult(state="archived", snapshot=NEW))

    assert await archiving(saver, Finder(OLD), clock).archive(PAGE) == ArchiveOutcome(
        status="archived", snapshot=NEW, http_status=200, provenance=("saver: archived",)
    )
    assert clock.now == 1 + 2 + 4


async def test_one_that_takes_too_long_gives_way_to_an_older_copy() -> None:
    clock = Time()

    found = await archiving(Saver(PENDING), Finder(OLD), clock).archive(PAGE)

    assert found == ArchiveOutcome(
        status="existing",
        snapshot=OLD,
        http_status=200,
        reason="The capture was still in progress at the time limit. "
        "This is an existing copy, of 2020-01-01.",
        provenance=("saver: pending", "finder: found"),
    )
    assert clock.now <= 20


async def test_with_no_copy_at_all_it_is_pending() -> None:
    down = NetworkError("Network error (saver).", provider="saver")

    assert await archiving(Saver(down), Finder()).archive(PAGE) == ArchiveOutcome(
        status="pending",
        reason="Network error (saver).",
        provenance=("saver: failed", "finder: none"),
    )


async def test_a_failed_archive_lookup_is_not_reported_as_no_copy() -> None:
    down = NetworkError("Network error (finder).", provider="finder")

    found = await archiving(Saver(PENDING), Finder(down)).archive(PAGE)

    assert found.status == "pending"
    assert found.provenance[1] == "finder: could not be queried (Network error (finder).)"


async def test_without_an_archive_it_is_unavailable() -> None:
    assert (await archiving(None, None).archive(PAGE)).status == "unavailable"


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://inside.example.org/"],
)
async def test_private_urls_are_not_sent_to_the_archive(url: str) -> None:
    saver = Saver(PENDING)

    with pytest.raises(BlockedError):
        await archiving(saver, Finder()).archive(url)
    assert saver.saved == []


@pytest.mark.parametrize("url", ["ftp://example.org/", "no address", ""])
async def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(BadInputError):
        await archiving(Saver(PENDING), Finder()).archive(url)


async def test_a_host_that_we_cannot_resolve_is_left_to_the_archive() -> None:
    saver = Saver(ArchiveResult(state="archived", snapshot=NEW))

    assert (
        await archiving(saver, None).archive("http://unknown.example.org/")
    ).status == "archived"


LIMITED = RateLimitError("Rate limited (saver).", provider="saver", retry_after=7)
BROKEN = UnavailableError("Unavailable (saver): HTTP 500.", provider="saver")


async def test_a_rate_limit_is_waited_out_as_the_archive_advises() -> None:
    clock = Time()
    saver = Saver(LIMITED, ArchiveResult(state="archived", snapshot=NEW))

    assert (await archiving(saver, None, clock).archive(PAGE)).status == "archived"
    assert (clock.now, saver.saved) == (7, [PAGE, PAGE])


async def test_a_server_error_is_tried_again_until_the_time_is_over() -> None:
    clock = Time()
    saver = Saver(BROKEN)

    found = await archiving(saver, Finder(), clock).archive(PAGE)

    assert (found.status, found.reason) == ("pending", "Unavailable (saver): HTTP 500.")
    assert (clock.now, len(saver.saved)) == (14, 4)


async def test_an_error_while_polling_does_not_end_the_wait() -> None:
    clock = Time()
    saver = Saver(PENDING, BROKEN, ArchiveResult(state="archived", snapshot=NEW))

    assert (await archiving(saver, None, clock).archive(PAGE)).status == "archived"
    assert saver.saved == [PAGE]


async def test_a_wait_longer_than_the_time_limit_is_not_begun() -> None:
    clock = Time()
    saver = Saver(RateLimitError("Rate limited (saver).", provider="saver", retry_after=60))

    assert (await archiving(saver, Finder(), clock).archive(PAGE)).status == "pending"
    assert (clock.now, len(saver.saved)) == (0, 1)


@pytest.mark.parametrize(
    "answer",
    [
        ArchiveResult(state="failed", reason="This page cannot be captured."),
        AccessError("This page cannot be captured.", provider="saver"),
    ],
)
async def test_a_page_that_cannot_be_captured_is_not_pending(
    answer: ArchiveResult | WebquarryError,
) -> None:
    assert await archiving(Saver(answer), Finder()).archive(PAGE) == ArchiveOutcome(
        status="unavailable",
        reason="This page cannot be captured.",
        provenance=("saver: failed", "finder: none"),
    )


async def test_an_old_copy_that_the_archive_returns_is_no_new_capture() -> None:
    saver = Saver(ArchiveResult(state="archived", snapshot=OLD, status=200))

    assert await archiving(saver, Finder()).archive(PAGE) == ArchiveOutcome(
        status="existing",
        snapshot=OLD,
        http_status=200,
        reason="The archive did not make a new copy. This is an existing copy, of 2020-01-01.",
        provenance=("saver: existing",),
    )


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://ann:pw@example.org/a", "a user name or password"),
        ("https://ann@example.org/a", "a user name or password"),
        ("https://example.org/a?token=abc", "'token'"),
        ("https://example.org/a?x=1&Access_Token=abc", "'Access_Token'"),
        ("https://example.org/a?api_key=abc", "'api_key'"),
        ("https://example.org/a?apikey=abc", "'apikey'"),
        ("https://example.org/a?key=abc", "'key'"),
        ("https://example.org/a?password=abc", "'password'"),
        ("https://b.example.org/a?X-Amz-Signature=abc&X-Amz-Date=1", "'X-Amz-Signature'"),
        ("https://b.example.org/a?sv=1&sig=abc", "'sig'"),
        ("https://example.org/a?PHPSESSID=abc", "'PHPSESSID'"),
        ("https://example.org/a#access_token=abc", "'access_token'"),
        ("https://example.org/a?next=%2Fb%3Ftoken%3Dabc", "'token'"),
        ("https://example.org/a;jsessionid=abc?b=1", "'jsessionid'"),
    ],
)
async def test_credentials_are_not_sent_to_a_public_archive(url: str, named: str) -> None:
    saver = Saver(PENDING)

    with pytest.raises(BadInputError, match="everyone can read the archive") as caught:
        await archiving(saver, Finder()).archive(url)

    assert named in str(caught.value)
    assert "abc" not in str(caught.value)
    assert saver.saved == []


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/keys?monkey=1&keyword=owls&tokenizer=bpe&design=2",
        "https://example.org/token?key=",
    ],
)
async def test_other_parameters_are_no_credentials(url: str) -> None:
    saver = Saver(ArchiveResult(state="archived", snapshot=NEW))

    assert (await archiving(saver, None).archive(url)).status == "archived"

"""Sites that cannot be read at all: the crawl ends soon and says why."""

import socket
from pathlib import Path

import pytest

from tests.crawl.lab import ME, crawled, crawling_in
from webquarry.errors import SettingsError
from webquarry.models.crawl import CrawlRequest

pytestmark = pytest.mark.anyio


async def test_a_host_that_does_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def no_such_name(host: str, *_: object, **__: object) -> None:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", no_such_name)
    async with crawling_in(tmp_path) as crawling:
        job = await crawled(crawling, CrawlRequest(url="http://nobody.test/"))
        failures = await crawling.failures(job.id, ME)

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: dns_no_such_name (there is no host of that name)",
    )
    assert (job.progress.errors, dict(job.progress.skipped)) == (1, {})
    assert [(one.url, one.reason) for one in failures] == [
        ("http://nobody.test/", "dns_no_such_name")
    ]
    assert set(asked) == {"nobody.test"}


async def test_names_that_cannot_be_resolved_just_now_are_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.01, 0.01, 0.01))

    def away(host: str, *_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "not now")

    monkeypatch.setattr(socket, "getaddrinfo", away)
    async with crawling_in(tmp_path) as crawling:
        job = await crawled(crawling, CrawlRequest(url="http://nobody.test/"))

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: dns_failed (the name of the host could not be resolved)",
    )


async def test_an_address_where_nothing_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.01, 0.01, 0.01))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
        async with crawling_in(tmp_path) as crawling:
            job = await crawled(crawling, CrawlRequest(url=url))

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: connection_refused (nothing answers at that address)",
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"REDIS_URL": "redis://127.0.0.1:1", "CACHE_ENCRYPTION_KEY": "ab" * 32},
            "REDIS_URL is set but DATABASE_URL is not",
        ),
        (
            {"DATABASE_URL": "postgresql://127.0.0.1:1/x", "CACHE_ENCRYPTION_KEY": "ab" * 32},
            "DATABASE_URL is set but REDIS_URL is not",
        ),
    ],
)
async def test_one_of_two_shared_servers_is_not_enough(
    tmp_path: Path, settings: dict[str, str], told: str
) -> None:
    with pytest.raises(SettingsError, match=told):
        async with crawling_in(tmp_path, settings):
            pass

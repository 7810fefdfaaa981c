"""Crawls of unreachable sites fail quickly with a reason."""

import socket
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from webquarry.errors import SettingsError
from webquarry.models.crawl import CrawlRequest

pytestmark = pytest.mark.anyio


async def test_a_crawl_of_an_unknown_host_fails_without_retries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[str] = []

    def no_such_name(host: str, *_: object, **__: object) -> None:
        resolved.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", no_such_name)
    async with open_crawl_service(tmp_path) as crawling:
        job = await run_crawl(crawling, CrawlRequest(url="http://nobody.test/"))
        failures = await crawling.failures(job.id, ALICE)

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: dns_no_such_name (the host does not exist)",
    )
    assert (job.progress.errors, dict(job.progress.skipped)) == (1, {})
    assert [(one.url, one.reason) for one in failures] == [
        ("http://nobody.test/", "dns_no_such_name")
    ]
    assert set(resolved) == {"nobody.test"}


async def test_a_temporary_dns_failure_is_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.01, 0.01, 0.01))

    def temporary_failure(host: str, *_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "not now")

    monkeypatch.setattr(socket, "getaddrinfo", temporary_failure)
    async with open_crawl_service(tmp_path) as crawling:
        job = await run_crawl(crawling, CrawlRequest(url="http://nobody.test/"))

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: dns_failed (the host name could not be resolved)",
    )


async def test_a_crawl_of_a_closed_port_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.wiring.open_crawling.BACKOFF", (0.01, 0.01, 0.01))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=url))

    assert (job.state, job.error) == (
        "failed",
        "no page could be read: connection_refused (the host refused the connection)",
    )


@pytest.mark.parametrize(
    ("settings", "message"),
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
async def test_redis_and_postgres_must_be_set_together(
    tmp_path: Path, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        async with open_crawl_service(tmp_path, settings):
            pass

"""After every tool was used and a person was erased, nothing that is stored is about the person.

This test looks at what is really stored: it decrypts all records, and reads all files.
"""

import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest

from tests.postgres_server import postgres_url
from tests.redis_server import redis_url
from webquarry.app import App
from webquarry.crawl.store.tables import MONITOR_PARTS, PARTS
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.server.personal_data_sources import build_data_rights
from webquarry.services.people.consent import PURPOSES, Consent
from webquarry.services.people.members import Member, Members
from webquarry.storage.cipher import Keyring
from webquarry.storage.redis_connection import connect_redis
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import Store
from webquarry.tools import TOOLS
from webquarry_demo.sample_pages import page_url
from webquarry_demo.script import open_demo

__all__ = ["postgres_url", "redis_url"]

pytestmark = pytest.mark.anyio

KEY = "5a" * 32
MARK = "zebra4711"  # in every argument and in the name of the person
PERSON = Caller(tenant="acme", user=f"{MARK}@example.org", transport="http", proved=True)
SETTINGS = {
    "CACHE_ENCRYPTION_KEY": KEY,
    "MEMORY_ENABLED": "on",
    "WORKSPACES_ENABLED": "on",
    "USER_ANALYTICS_ENABLED": "on",
    "MAX_CALLS_PER_DAY": "1000",
    "CACHE_ISOLATION": "tenant",
    "CRAWL_DELAY": "0",
    "LOG_LEVEL": "warn",
}
QUERY = f"barn owl nest boxes on farmland {MARK}"
# of these the sample web has no data: they fail, and failures must leave nothing behind either
WITHOUT_RESULTS = {
    "answer", "brand_research", "clinical_search", "econ_search", "filing_search", "image_search",
    "legal_search", "citation_graph", "news_search", "patent_search", "structured_search",
    "archive_source", "browse_page", "paper_fulltext",
}  # fmt: skip


def _arguments(port: int) -> Mapping[str, Mapping[str, Any]]:
    """Return arguments for each tool that needs nothing from an earlier call."""

    def url(site: str, path: str = "/") -> str:
        return f"{page_url(site, path, port)}?visitor={MARK}"

    article = url("farmland-ornithology", "/articles/2021-0307")
    dead = url("owlhaus", "/no-such-page")
    reference = f"@misc{{{MARK}, title={{Owls}}, author={{Zebra}}, url={{{dead}}}}}"
    query = {"query": QUERY}
    return {
        **dict.fromkeys(
            ("web_search", "news_search", "image_search", "local_search", "academic_search",
             "patent_search", "filing_search", "legal_search", "clinical_search", "econ_search",
             "cinder_search", "search_and_scrape", "answer", "chatgpt_search"),
            query,
        ),
        "searxng_search": query | {"fetch_content": True},
        "cinder_search_and_scrape": query | {"numResults": 2},
        "scrape_page": {"url": url("owl-wonder", "/silent-flight")},
        "cinder_scrape": {"url": url("field-notes")},
        "chatgpt_fetch": {"id": url("field-notes")},
        "cinder_map": {"url": url("nestlog")},
        "cinder_crawl": {"url": url("nestlog"), "maxPages": 3, "wait": True},
        "cinder_batch_scrape": {"urls": [url("nestlog", "/guide/"), dead], "wait": True},
        "cinder_extract": {
            "urls": [url("oak-and-feather", "/products/a-frame")], "prompt": "product name, price",
        },
        "structured_search": query | {"schema": {"type": "object", "properties": {"name": {}}}},
        "citation_graph": {"paper": f"Barn owls {MARK}"},
        "verify_citation": {"citation": article, "claim": f"owls {MARK}"},
        "audit_bibliography": {"bibliography": reference},
        "format_bibliography": {"sources": [{"title": MARK, "url": article}]},
        "verify_recommendation": {
            "recommendations": [{"title": f"{MARK} box", "url": article}], "claim": QUERY,
        },
        "archive_source": {"url": article},
        "brand_research": {"url": url("owlhaus")},
        "echo": {"message": MARK},
        "memory_save": {"note": QUERY, "url": article},
        "memory_recall": {"query": MARK},
        "workspace_contribute": {"workspace_id": "w", "note": QUERY},
        "check_document": {"text": f"# {QUERY}\n\nBarn owls hunt at night."},
        "workspace_read": {"workspace_id": "w"},
        "get_my_analytics": {},
        "monitor_create": {"target": url("nestlog"), "selector": "main"},
        "monitor_list": {},
        "browse_page": {"url": url("nestlog")},
        "paper_fulltext": {"paper": f"Barn owls {MARK}"},
    }  # fmt: skip


async def _call_every_tool(app: App, port: int) -> dict[str, Result]:
    """Call all tools as the person, the cached ones twice."""
    path = app.path
    step: dict[str, Any] = {"searchStep": QUERY, "stepNumber": 1, "nextStepNeeded": True}
    results = {
        "sequential_search": await path.call(
            "sequential_search", step | {"researchGoal": QUERY}, PERSON
        )
    }
    session = (results["sequential_search"].structured or {})["sessionId"]
    for name, arguments in _arguments(port).items():
        if name == "local_search":  # needs a key
            continue
        for more in ({}, {"sessionId": session}):
            known = path.registry.lookup(name).input_model.model_fields
            if more.keys() <= known.keys():
                results[name] = await path.call(name, {**arguments, **more}, PERSON)
    crawl = (results["cinder_crawl"].structured or {})["crawlId"]
    monitor = (results["monitor_create"].structured or {})["monitorId"]
    deleted = await path.call(
        "monitor_create", {"target": f"owls {MARK}", "kind": "search"}, PERSON
    )
    for name, arguments in {
        "get_research_session": {"sessionId": session},
        "research_export": {"sessionId": session, "format": "markdown"},
        "cinder_get_crawl_status": {"id": crawl},
        "monitor_changes": {"id": monitor},
        "monitor_delete": {"id": (deleted.structured or {})["monitorId"]},
    }.items():
        results[name] = await path.call(name, arguments, PERSON)
    return results


@asynccontextmanager
async def _used_and_erased(
    folder: Path, settings: Mapping[str, str]
) -> AsyncGenerator[tuple[dict[str, Result], list[str], Store]]:
    """Use every tool and erase the person; yield the results, what was stored, and the store."""
    async with open_demo(folder, {**SETTINGS, **settings}) as demo:
        services = replace(demo.app, owner=PERSON).services
        store = services.store
        for purpose in PURPOSES:
            await services.people.consents.record(
                Consent(tenant_id=PERSON.tenant, user_id=PERSON.user, purpose=purpose, granted=True)
            )
        member = Member(workspace_id="w", tenant_id=PERSON.tenant, user_id=PERSON.user)
        await Members(store).add(member)
        results = await _call_every_tool(demo.app, demo.port)
        # what is written later is written now
        await demo.app.path.close()
        await services.reading.close()
        stored = await _marked_records(store)
        rights = build_data_rights(
            store,
            services.page_index,
            services.sessions,
            services.crawling,
            services.watching,
        )
        await rights.erase(PERSON.tenant, PERSON.user)
        yield results, stored, store


async def _marked_records(store: Store) -> list[str]:
    """Return the names of all records and logs that contain the mark, decrypted."""
    values = {name: (await store.get(name)) async for name in store.scan("")}
    logs = {name: (await store.entries(name)) async for name in store.logs("")}
    found = [name for name, entry in values.items() if entry and _has_mark(name, entry.value)]
    return found + [name for name, log in logs.items() if _has_mark(name, *(log or ()))]


def _has_mark(name: str, *values: bytes) -> bool:
    texts = [_decompressed(value) for value in values]
    return MARK in name or any(MARK.encode() in text for text in texts)


def _decompressed(value: bytes) -> bytes:
    from backports import zstd

    return zstd.decompress(value) if value.startswith(b"\x28\xb5\x2f\xfd") else value


async def test_nothing_about_an_erased_person_is_left_in_sqlite(tmp_path: Path) -> None:
    async with _used_and_erased(tmp_path, {}) as (results, stored, store):
        left = await _marked_records(store)
        _check_use(results, stored)
    async with AsyncExitStack() as stack:  # as another process sees it, after the last write
        again = SqliteStore(tmp_path / "data" / "store.sqlite3", Keyring(bytes.fromhex(KEY)))
        stack.push_async_callback(again.close)
        left += await _marked_records(again)

    assert left == []
    data = tmp_path / "data"
    with closing(sqlite3.connect(data / "crawls.sqlite3")) as crawls:
        counts = [crawls.execute(f"SELECT count(*) FROM {name}").fetchone() for name in _CRAWLS]  # noqa: S608
    assert counts == [(0,)] * len(_CRAWLS)
    # the audit log is permanent
    files = [file for file in data.rglob("*") if file.is_file() and "audit" not in file.name]
    assert [file.name for file in files if MARK.encode() in file.read_bytes()] == []


async def test_nothing_about_an_erased_person_is_left_in_redis_and_postgres(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    redis: Any = connect_redis(redis_url)
    await redis.flushall()
    await redis.aclose()
    settings = {"REDIS_URL": redis_url, "DATABASE_URL": postgres_url}
    async with _used_and_erased(tmp_path, settings) as (results, stored, store):
        left = await _marked_records(store)
        _check_use(results, stored)
    again = RedisStore(redis_url, Keyring(bytes.fromhex(KEY)))
    left += await _marked_records(again)
    await again.close()

    assert left == []
    with psycopg.connect(postgres_url) as crawls:
        counts = [crawls.execute(f"SELECT count(*) FROM {name}").fetchone() for name in _CRAWLS]  # noqa: S608
    assert counts == [(0,)] * len(_CRAWLS)


_CRAWLS: tuple[LiteralString, ...] = (
    "crawl_jobs", "crawl_pages", "crawl_urls", "crawl_runs", "crawl_places", "crawl_files",
    "crawl_deliveries", "monitors", "monitor_versions", "monitor_changes", "monitor_deliveries",
)  # fmt: skip


def test_every_table_of_a_crawl_is_looked_at() -> None:
    crawls = {"crawl_jobs", *(table for table, _ in PARTS)}
    assert set(_CRAWLS) == crawls | {"monitors", *MONITOR_PARTS}


def _check_use(results: Mapping[str, Result], stored: list[str]) -> None:
    """Check that the test has seen what it is about: all tools, and most kinds of records."""
    assert set(results) | {"local_search"} == {entry.name for entry in TOOLS}
    failed = {name: result.content for name, result in results.items() if result.is_error}
    assert {name: text for name, text in failed.items() if name not in WITHOUT_RESULTS} == {}
    kinds = {name.partition(":")[0] for name in stored}
    assert kinds >= {
        "analytics", "cache", "consent", "contribution", "found", "member", "memory", "owned",
        "page", "ranked", "session",
    }  # fmt: skip

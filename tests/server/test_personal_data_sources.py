"""Personal data is readable only by its owner, and can be exported and erased."""

import ast
import re
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from redis import Redis

from tests.redis_server import running_redis
from tests.services.searching.fakes import provider
from tests.services.watching.monitor_setup import (
    HandClock,
    ScriptedObserver,
    new_monitor,
    new_watch,
)
from webquarry.auth.api_keys import ApiKeys
from webquarry.calls.limits import (
    CallCounterPersonalData,
    Limiter,
    StoreCallCounter,
    personal_limit,
)
from webquarry.crawl.service import CrawlDependencies, CrawlService
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.sqlite import open_sqlite
from webquarry.errors import NotFoundError
from webquarry.models.call_task import CallTask
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.models.document_check import CheckOptions
from webquarry.models.exchange import Exchange
from webquarry.models.login import LoginCookie, StoredLogin
from webquarry.models.people import Contribution, MemoryEntry
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.session import ResearchStep, StepTaken
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.observe.call_context import CallRecord
from webquarry.providers.provider import Provider
from webquarry.server.personal_data_sources import build_data_rights
from webquarry.services.answering.stored_answers import StoredAnswers
from webquarry.services.call_history import CallHistory
from webquarry.services.checking.check_store import CheckStore, new_job
from webquarry.services.cinder.ranked_search import RankedSearch
from webquarry.services.cinder.search_query import CinderQuery
from webquarry.services.extraction.derived_content import PageDerivation
from webquarry.services.extraction.service import ExtractionService
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consent, Consents
from webquarry.services.people.data_rights import DataRights
from webquarry.services.people.members import Member, Members
from webquarry.services.people.memories import Memories
from webquarry.services.people.workspaces import Workspaces
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import Preferences, SearchService
from webquarry.services.sessions.service import SessionService
from webquarry.services.watching.service import MonitorService
from webquarry.services.watching.store.monitor_values import NewMonitor
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.captures import Captures, digest
from webquarry.storage.cipher import Keyring
from webquarry.storage.exchange_store import CaptureGroup, ExchangeStore
from webquarry.storage.indexed_page import IndexedPage, IndexQuery
from webquarry.storage.key_names import name_of
from webquarry.storage.key_namespaces import FILES, IMPERSONAL, PERSONAL, SHARED
from webquarry.storage.logins import Logins
from webquarry.storage.page_index import PageIndex
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import Store
from webquarry.storage.task_records import TaskRecords

pytestmark = pytest.mark.anyio

SOURCE = Path(__file__).parents[2] / "src" / "webquarry"
KEYRING = Keyring(b"k" * 32)
ALICE = Caller(tenant="acme-corp", user="alice@example.org")
# same tenant, same user name in another tenant, and names that try to collide with Alice's keys
OTHERS = (
    Caller(tenant="acme-corp", user="bob"),
    Caller(tenant="globex", user="alice@example.org"),
    Caller(tenant="acme-corp:alice@example.org", user=""),
    Caller(tenant="acme-corp", user="alice@example.org:"),
    Caller(tenant="acme-corp%3Aalice@example.org", user="x"),
    Caller(tenant="", user="acme-corp:alice@example.org"),
    Caller(tenant="acme-corp", user="*"),
    Caller(tenant="*", user="*"),
    Caller(),
)
FINDING = "the finding nobody else may see"


@dataclass(frozen=True)
class Storage:
    """The storage of one server."""

    store: Store
    index: PageIndex
    crawling: CrawlService
    watching: MonitorService

    @property
    def subjects(self) -> DataRights:
        sessions = SessionService(self.store)
        return build_data_rights(self.store, self.index, sessions, self.crawling, self.watching)


class NoDispatcher:
    """A dispatcher that runs no crawl; these tests need only the stored job."""

    async def dispatch(self, job_id: str) -> None:
        return None

    def resume_unfinished(self) -> None:
        return None

    async def finish_deliveries(self, job_id: str, seconds: float) -> int:
        return 0

    async def stop(self) -> None:
        return None


@asynccontextmanager
async def open_storage_with(store: Store, home: Path) -> AsyncGenerator[Storage]:
    index = PageIndex(home / "index.sqlite3")
    unused: Any = None
    crawl_store = open_sqlite(home / "crawls.sqlite3", CrawlCipher(KEYRING))
    dependencies = CrawlDependencies(
        store=crawl_store,
        dispatcher=NoDispatcher(),
        site_mapper=unused,
        blind_host=str.encode,
        derives=PageDerivation(ExtractionService, lambda: None),
    )
    crawling = CrawlService(dependencies)
    watch = new_watch(crawl_store, HandClock(), ScriptedObserver())
    watching = MonitorService(
        store=watch.engine.store, new_monitors=unused, engine=watch.engine,
        scheduler=watch.scheduler, limit=9, feed_key=str.encode, embedded=False,
    )  # fmt: skip
    try:
        yield Storage(store, index, crawling, watching)
    finally:
        await crawling.close()
        await index.close()
        await store.close()


@asynccontextmanager
async def sqlite_storage(home: Path) -> AsyncGenerator[Storage]:
    async with open_storage_with(SqliteStore(home / "store.sqlite3", KEYRING), home) as storage:
        yield storage


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with running_redis() as url:
        yield url


def _redis(url: str) -> Any:
    """Return a Redis client without types, which the library leaves partly unknown."""
    library: Any = Redis
    return library.from_url(url)


@pytest.fixture(params=["sqlite", "redis"])
async def storage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Storage]:
    if request.param == "sqlite":
        async with sqlite_storage(tmp_path) as storage:
            yield storage
        return
    url: str = request.getfixturevalue("redis_url")
    with _redis(url) as raw:
        raw.flushall()
    async with open_storage_with(RedisStore(url, KEYRING), tmp_path) as storage:
        yield storage


Writes = Callable[[Storage, Caller], Awaitable[None]]
Reads = Callable[[Storage, Caller], Awaitable[object]]  # truthy if there is data


@dataclass(frozen=True)
class Sample:
    """How one kind of data is written for a person and read by a person."""

    write: Writes
    read: Reads


async def _write_artifact(storage: Storage, caller: Caller) -> None:
    body = FINDING.encode()
    await Artifacts(storage.store).put(
        body, mime="text/plain", tenant=caller.tenant, owner=caller.user
    )


async def _read_artifact(storage: Storage, caller: Caller) -> object:
    import hashlib

    digest = hashlib.sha256(FINDING.encode()).hexdigest()
    try:
        return await Artifacts(storage.store).read(digest, tenant=caller.tenant, owner=caller.user)
    except NotFoundError:
        return None


async def _write_capture(storage: Storage, caller: Caller) -> None:
    captures = Captures(storage.store)
    await captures.save("https://owls.test/", "", FINDING, tenant=caller.tenant, owner=caller.user)


async def _read_capture(storage: Storage, caller: Caller) -> object:
    return await Captures(storage.store).get(
        "https://owls.test/", digest(FINDING), tenant=caller.tenant, owner=caller.user
    )


def _capture_group(caller: Caller) -> CaptureGroup:
    return CaptureGroup(caller.tenant, caller.user, "crawl.owls")


async def _write_exchange(storage: Storage, caller: Caller) -> None:
    exchange = Exchange(url="https://owls.test/", at=1_000.0, body=FINDING.encode())
    await ExchangeStore(storage.store).save(_capture_group(caller), [exchange])


async def _read_exchange(storage: Storage, caller: Caller) -> object:
    exchanges = ExchangeStore(storage.store)
    return [each.exchange.url async for each in exchanges.heads(_capture_group(caller))]


async def _read_payload(storage: Storage, caller: Caller) -> object:
    prefix = name_of("payload", caller.tenant, caller.user, "")
    return [key async for key in storage.store.scan(prefix)]


async def _write_consent(storage: Storage, caller: Caller) -> None:
    decision = Consent(tenant_id=caller.tenant, user_id=caller.user, purpose="memory", granted=True)
    await Consents(storage.store).record(decision)


async def _read_consent(storage: Storage, caller: Caller) -> object:
    return await Consents(storage.store).find(caller.tenant, caller.user, "memory")


async def _write_login(storage: Storage, caller: Caller) -> None:
    login = StoredLogin(
        host="owls.test",
        source="browser",
        stored_at=time.time(),
        expires_at=time.time() + 60,
        cookies=(LoginCookie(name=FINDING, value="session"),),
    )
    await Logins(storage.store).save(caller, login)


async def _read_login(storage: Storage, caller: Caller) -> object:
    return await Logins(storage.store).find(caller, "owls.test")


async def _write_member(storage: Storage, caller: Caller) -> None:
    await Members(storage.store).add(_member(caller))


async def _read_member(storage: Storage, caller: Caller) -> object:
    return await Members(storage.store).has(_member(caller))


def _member(caller: Caller) -> Member:
    return Member(workspace_id="w", tenant_id=caller.tenant, user_id=caller.user)


async def _write_api_key(storage: Storage, caller: Caller) -> None:
    await ApiKeys(storage.store).create(tenant=caller.tenant, user=caller.user, note=FINDING)


async def _read_api_key(storage: Storage, caller: Caller) -> object:
    return await ApiKeys(storage.store).export(caller.tenant, caller.user)


async def _write_count(storage: Storage, caller: Caller) -> None:
    await Limiter((personal_limit(9),), StoreCallCounter(lambda: storage.store)).take(caller)


async def _read_count(storage: Storage, caller: Caller) -> object:
    return await CallCounterPersonalData(storage.store).export(caller.tenant, caller.user)


async def _write_cached(storage: Storage, caller: Caller) -> None:
    owner = Caller(tenant=caller.tenant, user=caller.user, proved=True)
    for key in (f"cache:{caller.tenant}:q1", f"page:{caller.tenant}:p1"):
        await storage.store.set(key, FINDING.encode(), ttl=600, owner=owner)


async def _read_cached(storage: Storage, caller: Caller) -> object:
    return await OwnedResults(storage.store).export(caller.tenant, caller.user)


async def _write_page(storage: Storage, caller: Caller) -> None:
    page = IndexedPage(url="https://example.org/", title="t", text=f"{FINDING} {caller.user}")
    await storage.index.add([page], tenant=caller.tenant, owner=caller.user)


async def _read_page(storage: Storage, caller: Caller) -> object:
    return await storage.index.search(
        IndexQuery(words="finding"), tenant=caller.tenant, owner=caller.user
    )


async def _write_memory(storage: Storage, caller: Caller) -> None:
    entry = MemoryEntry(
        id="", tenantId=caller.tenant, userId=caller.user, note=FINDING, createdAt=""
    )
    await Memories(storage.store, 3600).save(entry)


async def _read_memory(storage: Storage, caller: Caller) -> object:
    return await Memories(storage.store, 3600).recall(
        caller.tenant, caller.user, topic=None, words=None, limit=5
    )


async def _write_analytics(storage: Storage, caller: Caller) -> None:
    await Analytics(storage.store).count(caller.tenant, caller.user, "echo", _always)


async def _always() -> bool:
    return True


async def _read_analytics(storage: Storage, caller: Caller) -> object:
    return await Analytics(storage.store).find(caller.tenant, caller.user)


async def _write_contribution(storage: Storage, caller: Caller) -> None:
    contribution = Contribution(
        id="", workspaceId="w", contributorTenant=caller.tenant, contributorUser=caller.user,
        note=FINDING, createdAt="",
    )  # fmt: skip
    await Workspaces(storage.store, Members(storage.store)).contribute(contribution)


async def _read_contribution(storage: Storage, caller: Caller) -> object:
    # members may read shared findings, but only the contributor exports them
    return await Workspaces(storage.store, Members(storage.store)).export(
        caller.tenant, caller.user
    )


async def _write_session(storage: Storage, caller: Caller) -> None:
    step = ResearchStep(stepNumber=1, description=FINDING, timestamp="2026-11-02T09:30:00Z")
    await SessionService(storage.store).start(caller, FINDING, StepTaken(step=step, more=True))


async def _read_session(storage: Storage, caller: Caller) -> object:
    return await SessionService(storage.store).all_states(caller)


async def _write_task(storage: Storage, caller: Caller) -> None:
    task = CallTask(
        id="t1",
        tool="answer",
        arguments={"query": FINDING},
        created=time.time(),
        updated=0,
        ttl=60,
        outcome="completed",
        result={"content": [{"type": "text", "text": FINDING}]},
    )
    await TaskRecords(storage.store, time.time).create(task, caller)


async def _read_task(storage: Storage, caller: Caller) -> object:
    try:
        return await TaskRecords(storage.store, time.time).get("t1", caller)
    except NotFoundError:
        return None


async def _write_check(storage: Storage, caller: Caller) -> None:
    job = new_job(caller, "report.md", "0" * 64, CheckOptions(), "text/markdown")
    await CheckStore(storage.store, "p1").create(job, FINDING.encode())


async def _read_check(storage: Storage, caller: Caller) -> object:
    return await CheckStore(storage.store, "p1").jobs(caller)


async def _write_history(storage: Storage, caller: Caller) -> None:
    history = CallHistory(lambda: storage.store, caller.user, ttl=60)
    history.record(
        CallRecord("web_search", caller, "r1", 0.1, query=None, outcome="ok", subject=FINDING)
    )
    await history.close()


async def _read_history(storage: Storage, caller: Caller) -> object:
    return await CallHistory(lambda: storage.store, caller.user, ttl=60).latest(caller, 1)


async def _write_answer(storage: Storage, caller: Caller) -> None:
    question = AnswerQuery(text=FINDING, asker=caller)
    await StoredAnswers(storage.store).store(question, WrittenAnswer(text=FINDING))


async def _read_answer(storage: Storage, caller: Caller) -> object:
    return await StoredAnswers(storage.store).get(AnswerQuery(text=FINDING, asker=caller))


def _ranked_search(storage: Storage, *results: WebResult) -> RankedSearch:
    def respond(_: WebQuery) -> list[WebResult]:
        return list(results)

    ready = cast("list[Provider]", [provider("one", respond)])
    directory = ProviderDirectory(ready, [type(each) for each in ready])
    return RankedSearch(SearchService(directory, Preferences()), storage.store)


async def _write_ranked(storage: Storage, caller: Caller) -> None:
    result = WebResult(url="https://example.org/the-finding", title=FINDING, snippet=FINDING)
    await _ranked_search(storage, result).page(CinderQuery(text=FINDING), caller, 0, 1)


async def _read_ranked(storage: Storage, caller: Caller) -> object:
    # the provider finds nothing, so that results come from the stored list
    page = await _ranked_search(storage).page(CinderQuery(text=FINDING), caller, 0, 1)
    return page.items


async def _write_crawl(storage: Storage, caller: Caller) -> None:
    await storage.crawling.start(
        CrawlRequest.model_validate({"url": "https://example.org/the-finding"}), caller
    )


async def _read_crawl(storage: Storage, caller: Caller) -> object:
    return await storage.crawling.jobs(caller)


async def _write_monitor(storage: Storage, caller: Caller) -> None:
    monitor = new_monitor(id=secrets.token_urlsafe(12), tenant=caller.tenant, user=caller.user)
    definition = monitor.definition.model_copy(update={"name": FINDING})
    named = monitor.model_copy(update={"definition": definition})
    await storage.watching.store.create(NewMonitor(monitor=named, host=b""), limit=9)


async def _read_monitor(storage: Storage, caller: Caller) -> object:
    return await storage.watching.monitors(caller)


async def _write_crawl_database(storage: Storage, caller: Caller) -> None:
    await _write_crawl(storage, caller)
    await _write_monitor(storage, caller)


async def _read_crawl_database(storage: Storage, caller: Caller) -> object:
    return await _read_crawl(storage, caller) or await _read_monitor(storage, caller)


SAMPLES = {
    "crawls.sqlite3": Sample(_write_crawl_database, _read_crawl_database),
    "answer": Sample(_write_answer, _read_answer),
    "analytics": Sample(_write_analytics, _read_analytics),
    "contribution": Sample(_write_contribution, _read_contribution),
    "login": Sample(_write_login, _read_login),
    "memory": Sample(_write_memory, _read_memory),
    "session": Sample(_write_session, _read_session),
    "artifact": Sample(_write_artifact, _read_artifact),
    "capture": Sample(_write_capture, _read_capture),
    "exchange": Sample(_write_exchange, _read_exchange),
    "payload": Sample(_write_exchange, _read_payload),
    "consent": Sample(_write_consent, _read_consent),
    "member": Sample(_write_member, _read_member),
    "apikey": Sample(_write_api_key, _read_api_key),
    "limit": Sample(_write_count, _read_count),
    "owned": Sample(_write_cached, _read_cached),
    "check": Sample(_write_check, _read_check),
    "history": Sample(_write_history, _read_history),
    "task": Sample(_write_task, _read_task),
    "ranked": Sample(_write_ranked, _read_ranked),
    "index.sqlite3": Sample(_write_page, _read_page),
}
PERSONAL_FILES = set(FILES) - {"store.sqlite3"}


def test_every_kind_of_personal_data_has_a_sample() -> None:
    assert set(SAMPLES) == set(PERSONAL) | PERSONAL_FILES


async def test_every_kind_of_personal_data_is_covered_by_export_and_erasure(tmp_path: Path) -> None:
    async with sqlite_storage(tmp_path) as storage:
        assert storage.subjects.kinds == set(PERSONAL) | PERSONAL_FILES


def test_shared_results_use_only_impersonal_key_namespaces() -> None:
    assert set(IMPERSONAL) >= SHARED


@pytest.mark.parametrize("kind", SAMPLES)
async def test_personal_data_is_not_readable_by_others(storage: Storage, kind: str) -> None:
    sample = SAMPLES[kind]
    await sample.write(storage, ALICE)

    assert await sample.read(storage, ALICE)
    for other in OTHERS:
        assert not await sample.read(storage, other), other
        exported = await storage.subjects.export(other.tenant, other.user)
        assert exported["data"] == {}, other
        assert await storage.subjects.erase(other.tenant, other.user) == {}, other
    assert await sample.read(storage, ALICE)


async def _write_all_samples(storage: Storage, caller: Caller) -> None:
    for sample in SAMPLES.values():
        await sample.write(storage, caller)


async def test_everything_of_a_person_is_exported(storage: Storage) -> None:
    await _write_all_samples(storage, ALICE)

    exported = await storage.subjects.export(ALICE.tenant, ALICE.user)

    assert (exported["tenantId"], exported["userId"]) == (ALICE.tenant, ALICE.user)
    assert {kind for kinds in exported["data"] for kind in kinds.split(",")} == set(SAMPLES)


async def test_monitors_are_exported_with_their_definition_and_erased(storage: Storage) -> None:
    await _write_monitor(storage, ALICE)
    await _write_monitor(storage, OTHERS[0])

    exported = await storage.subjects.export(ALICE.tenant, ALICE.user)

    [records] = exported["data"].values()
    assert [record["definition"]["name"] for record in records] == [FINDING]
    assert [record["found"] for record in records] == [[]]
    await storage.subjects.erase(ALICE.tenant, ALICE.user)
    assert not await _read_monitor(storage, ALICE)
    assert await _read_monitor(storage, OTHERS[0])


async def test_everything_of_a_person_is_erased_and_nothing_of_others(storage: Storage) -> None:
    bob = OTHERS[0]
    await _write_all_samples(storage, ALICE)
    await _write_all_samples(storage, bob)

    await storage.subjects.erase(ALICE.tenant, ALICE.user)

    assert [k for k, s in SAMPLES.items() if await s.read(storage, ALICE)] == []
    # cached results are shared within a tenant, and bob's call was the last
    assert [k for k, s in SAMPLES.items() if not await s.read(storage, bob)] in ([], ["owned"])


def _raw(home: Path, pattern: str = "store.sqlite3*") -> bytes:
    return b"".join(p.read_bytes() for p in sorted(home.glob(pattern)))


def _raw_redis(url: str) -> dict[bytes, bytes]:
    """Return the raw contents of the Redis server."""
    with _redis(url) as raw:
        return {name: raw.dump(name) for name in raw.keys("*")}


async def _stored_names(store: Store) -> list[str]:
    values = [name async for name in store.scan("")]
    logs = [name async for name in store.logs("")]
    counts = await CallCounterPersonalData(store).export(ALICE.tenant, ALICE.user)
    return [*values, *logs, *(count["name"] for count in counts)]


def _blinded_keys(names: list[str]) -> set[bytes]:
    kinds = ("value", "counter", "log")
    return {blind for name in names for kind in kinds for blind in KEYRING.names(kind, name)}


PLAINTEXTS = (b"alice@example.org", b"acme-corp", FINDING.encode())


async def test_a_raw_scan_of_sqlite_finds_nothing_of_a_person_after_erasure(
    tmp_path: Path,
) -> None:
    async with sqlite_storage(tmp_path) as storage:
        await _write_all_samples(storage, ALICE)
        names = await _stored_names(storage.store)
        before = _raw(tmp_path) + _raw(tmp_path, "crawls.sqlite3*")
        found = {blind for blind in _blinded_keys(names) if blind in before}
        assert len(found) >= len(SAMPLES)
        assert [text for text in PLAINTEXTS if text in before] == []

        await storage.subjects.erase(ALICE.tenant, ALICE.user)

        after = _raw(tmp_path) + _raw(tmp_path, "crawls.sqlite3*")
        assert {blind for blind in found if blind in after} == set()
        index = _raw(tmp_path, "index.sqlite3*")
        assert [text for text in PLAINTEXTS if text in index] == []


async def test_a_raw_scan_of_redis_finds_nothing_of_a_person_after_erasure(
    redis_url: str, tmp_path: Path
) -> None:
    with _redis(redis_url) as raw:
        raw.flushall()
    async with open_storage_with(RedisStore(redis_url, KEYRING), tmp_path) as storage:
        await _write_all_samples(storage, ALICE)
        names = await _stored_names(storage.store)
        before = _raw_redis(redis_url)
        dump = b"".join(name + value for name, value in before.items())
        assert len({b for b in _blinded_keys(names) if b.hex().encode() in dump}) >= len(SAMPLES)
        assert [text for text in PLAINTEXTS if text in dump] == []

        await storage.subjects.erase(ALICE.tenant, ALICE.user)

        # only the fencing token counter is left
        assert set(_raw_redis(redis_url)) <= {b"webquarry:fence"}


def _texts(module: Path) -> Iterator[str]:
    """Yield the constant prefixes of the strings in a module."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr) and node.values:
            first = node.values[0]
            if isinstance(first, ast.Constant):
                yield str(first.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Call | ast.Assign):
            yield from _kinds(node)


def _kinds(node: ast.Call | ast.Assign) -> Iterator[str]:
    """Yield the kind of name_of("kind", …) or _KIND = "kind"."""
    if isinstance(node, ast.Call):
        named = getattr(node.func, "id", "") == "name_of"
        values = node.args[:1] if named else []
    else:
        named = any(getattr(target, "id", "") == "_KIND" for target in node.targets)
        values = [node.value] if named else []
    yield from (f"{value.value}:" for value in values if isinstance(value, ast.Constant))


def test_every_key_namespace_in_the_code_is_declared() -> None:
    name = re.compile(r"([a-z_]+):(?![/\s])\S*$")
    users = re.compile(r"webquarry\.storage\.(store|key_names)|services\.store")
    modules = [m for m in SOURCE.rglob("*.py") if users.search(m.read_text(encoding="utf-8"))]
    assert len(modules) > 10

    found = {
        match[1]: str(module.relative_to(SOURCE))
        for module in modules
        for text in _texts(module)
        if (match := name.fullmatch(text))
    }

    # schemes, scopes and parts of sentences look like names of stored things
    others = {"tool", "toolset", "research", "unix", "redis", "x", "job", "user"}
    assert {k: m for k, m in found.items() if k not in {*PERSONAL, *IMPERSONAL, *others}} == {}


def test_every_database_file_in_the_code_is_declared() -> None:
    files = {
        text
        for module in SOURCE.rglob("*.py")
        for text in _texts(module)
        if re.fullmatch(r"[\w-]+\.sqlite3?", text)
    }

    assert files <= set(FILES)

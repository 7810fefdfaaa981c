"""Nobody reads what is another's, and whatever is stored about a person can be forgotten."""

import ast
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.redis_server import running_redis
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
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.models.people import Contribution, MemoryEntry
from webquarry.models.session import ResearchStep, StepTaken
from webquarry.models.synthesis import AnswerQuery, WrittenAnswer
from webquarry.observe.call_context import bind_person
from webquarry.services.answering.stored_answers import StoredAnswers
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consent, Consents
from webquarry.services.people.data_rights import DataRights
from webquarry.services.people.members import Member, Members
from webquarry.services.people.memories import Memories
from webquarry.services.people.workspaces import Workspaces
from webquarry.services.sessions.service import SessionService
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.captures import Captures, digest
from webquarry.storage.cipher import Keyring
from webquarry.storage.key_namespaces import FILES, IMPERSONAL, PERSONAL, SHARED
from webquarry.storage.page_index import IndexedPage, IndexQuery, PageIndex
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import Store
from webquarry.wiring.owned_store import owning
from webquarry.wiring.personal_data_sources import build_subjects

pytestmark = pytest.mark.anyio

SOURCE = Path(__file__).parents[2] / "src" / "webquarry"
KEYRING = Keyring(b"k" * 32)
ALICE = Caller(tenant="acme-corp", user="alice@example.org")
# someone of the same tenant, of the same name elsewhere, and names made to be mistaken for hers
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
class Shelf:
    """The stores of one server."""

    store: Store
    index: PageIndex
    crawling: CrawlService

    @property
    def subjects(self) -> DataRights:
        return build_subjects(self.store, self.index, SessionService(self.store), self.crawling)


class Nobody:
    """Works on no crawl: what is stored of one is enough."""

    async def dispatch(self, job_id: str) -> None:
        return None

    def mind(self) -> None:
        return None

    async def stop(self) -> None:
        return None


@asynccontextmanager
async def shelf_of(store: Store, home: Path) -> AsyncGenerator[Shelf]:
    index = PageIndex(home / "index.sqlite3")
    unused: Any = None
    means = CrawlDependencies(
        crawls=open_sqlite(home / "crawls.sqlite3", CrawlCipher(KEYRING)),
        dispatcher=Nobody(),
        sites=unused,
        name_host=str.encode,
    )
    crawling = CrawlService(means)
    try:
        yield Shelf(owning(store), index, crawling)
    finally:
        await crawling.close()
        await index.close()
        await store.close()


@asynccontextmanager
async def sqlite_shelf(home: Path) -> AsyncGenerator[Shelf]:
    async with shelf_of(SqliteStore(home / "store.sqlite3", KEYRING), home) as shelf:
        yield shelf


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with running_redis() as url:
        yield url


def _redis(url: str) -> Any:
    """Return a bare client; its library leaves half of its types open."""
    library: Any = Redis
    return library.from_url(url)


@pytest.fixture(params=["sqlite", "redis"])
async def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Shelf]:
    if request.param == "sqlite":
        async with sqlite_shelf(tmp_path) as shelf:
            yield shelf
        return
    url: str = request.getfixturevalue("redis_url")
    with _redis(url) as raw:
        raw.flushall()
    async with shelf_of(RedisStore(url, KEYRING), tmp_path) as shelf:
        yield shelf


Writes = Callable[[Shelf, Caller], Awaitable[None]]
Reads = Callable[[Shelf, Caller], Awaitable[object]]  # something when there is something


@dataclass(frozen=True)
class Sample:
    """How one kind of thing is stored for a person, and how a person reads theirs."""

    write: Writes
    read: Reads


async def _write_artifact(shelf: Shelf, who: Caller) -> None:
    body = FINDING.encode()
    await Artifacts(shelf.store).put(body, mime="text/plain", tenant=who.tenant, owner=who.user)


async def _read_artifact(shelf: Shelf, who: Caller) -> object:
    import hashlib

    digest = hashlib.sha256(FINDING.encode()).hexdigest()
    try:
        return await Artifacts(shelf.store).read(digest, tenant=who.tenant, owner=who.user)
    except NotFoundError:
        return None


async def _write_capture(shelf: Shelf, who: Caller) -> None:
    captures = Captures(shelf.store)
    await captures.keep("https://owls.test/", "", FINDING, tenant=who.tenant, owner=who.user)


async def _read_capture(shelf: Shelf, who: Caller) -> object:
    return await Captures(shelf.store).get(
        "https://owls.test/", digest(FINDING), tenant=who.tenant, owner=who.user
    )


async def _write_consent(shelf: Shelf, who: Caller) -> None:
    decision = Consent(tenant_id=who.tenant, user_id=who.user, purpose="memory", granted=True)
    await Consents(shelf.store).record(decision)


async def _read_consent(shelf: Shelf, who: Caller) -> object:
    return await Consents(shelf.store).find(who.tenant, who.user, "memory")


async def _write_member(shelf: Shelf, who: Caller) -> None:
    await Members(shelf.store).add(_member(who))


async def _read_member(shelf: Shelf, who: Caller) -> object:
    return await Members(shelf.store).has(_member(who))


def _member(who: Caller) -> Member:
    return Member(workspace_id="w", tenant_id=who.tenant, user_id=who.user)


async def _write_api_key(shelf: Shelf, who: Caller) -> None:
    await ApiKeys(shelf.store).create(tenant=who.tenant, user=who.user, note=FINDING)


async def _read_api_key(shelf: Shelf, who: Caller) -> object:
    return await ApiKeys(shelf.store).export(who.tenant, who.user)


async def _write_count(shelf: Shelf, who: Caller) -> None:
    await Limiter((personal_limit(9),), StoreCallCounter(lambda: shelf.store)).admit(who)


async def _read_count(shelf: Shelf, who: Caller) -> object:
    return await CallCounterPersonalData(shelf.store).export(who.tenant, who.user)


async def _write_cached(shelf: Shelf, who: Caller) -> None:
    with bind_person(who.tenant, who.user):
        await shelf.store.set(f"cache:{who.tenant}:q1", FINDING.encode(), ttl=600)
        await shelf.store.set(f"page:{who.tenant}:p1", FINDING.encode(), ttl=600)


async def _read_cached(shelf: Shelf, who: Caller) -> object:
    return await OwnedResults(shelf.store).export(who.tenant, who.user)


async def _write_page(shelf: Shelf, who: Caller) -> None:
    page = IndexedPage(url="https://example.org/", title="t", text=f"{FINDING} {who.user}")
    await shelf.index.add([page], tenant=who.tenant, owner=who.user)


async def _read_page(shelf: Shelf, who: Caller) -> object:
    return await shelf.index.search(IndexQuery(words="finding"), tenant=who.tenant, owner=who.user)


async def _write_memory(shelf: Shelf, who: Caller) -> None:
    entry = MemoryEntry(id="", tenantId=who.tenant, userId=who.user, note=FINDING, createdAt="")
    await Memories(shelf.store, 3600).save(entry)


async def _read_memory(shelf: Shelf, who: Caller) -> object:
    return await Memories(shelf.store, 3600).recall(
        who.tenant, who.user, topic=None, words=None, limit=5
    )


async def _write_analytics(shelf: Shelf, who: Caller) -> None:
    await Analytics(shelf.store).count(who.tenant, who.user, "echo")


async def _read_analytics(shelf: Shelf, who: Caller) -> object:
    return await Analytics(shelf.store).find(who.tenant, who.user)


async def _write_contribution(shelf: Shelf, who: Caller) -> None:
    given = Contribution(
        id="", workspaceId="w", contributorTenant=who.tenant, contributorUser=who.user,
        note=FINDING, createdAt="",
    )  # fmt: skip
    await Workspaces(shelf.store, Members(shelf.store)).contribute(given)


async def _read_contribution(shelf: Shelf, who: Caller) -> object:
    # members read what others share: that is what it is for; whose it is stays the contributor's
    return await Workspaces(shelf.store, Members(shelf.store)).export(who.tenant, who.user)


async def _write_session(shelf: Shelf, who: Caller) -> None:
    step = ResearchStep(stepNumber=1, description=FINDING, timestamp="2026-11-02T09:30:00Z")
    await SessionService(shelf.store).start(who, FINDING, StepTaken(step=step, more=True))


async def _read_session(shelf: Shelf, who: Caller) -> object:
    return await SessionService(shelf.store).notebooks(who)


async def _write_answer(shelf: Shelf, who: Caller) -> None:
    question = AnswerQuery(text=FINDING, asker=who)
    await StoredAnswers(shelf.store).keep(question, WrittenAnswer(text=FINDING))


async def _read_answer(shelf: Shelf, who: Caller) -> object:
    return await StoredAnswers(shelf.store).find(AnswerQuery(text=FINDING, asker=who))


async def _write_crawl(shelf: Shelf, who: Caller) -> None:
    await shelf.crawling.start(
        CrawlRequest.model_validate({"url": "https://example.org/the-finding"}), who
    )


async def _read_crawl(shelf: Shelf, who: Caller) -> object:
    return await shelf.crawling.jobs(who)


SAMPLES = {
    "crawls.sqlite3": Sample(_write_crawl, _read_crawl),
    "answer": Sample(_write_answer, _read_answer),
    "analytics": Sample(_write_analytics, _read_analytics),
    "contribution": Sample(_write_contribution, _read_contribution),
    "memory": Sample(_write_memory, _read_memory),
    "session": Sample(_write_session, _read_session),
    "artifact": Sample(_write_artifact, _read_artifact),
    "capture": Sample(_write_capture, _read_capture),
    "consent": Sample(_write_consent, _read_consent),
    "member": Sample(_write_member, _read_member),
    "apikey": Sample(_write_api_key, _read_api_key),
    "limit": Sample(_write_count, _read_count),
    "owned": Sample(_write_cached, _read_cached),
    "index.sqlite3": Sample(_write_page, _read_page),
}
PERSONAL_FILES = set(FILES) - {"store.sqlite3"}


def test_every_kind_about_people_has_a_sample_here() -> None:
    assert set(SAMPLES) == set(PERSONAL) | PERSONAL_FILES


async def test_every_kind_about_people_is_exported_and_erased_with_them(tmp_path: Path) -> None:
    async with sqlite_shelf(tmp_path) as shelf:
        assert shelf.subjects.kinds == set(PERSONAL) | PERSONAL_FILES


def test_shared_results_are_of_kinds_that_name_nobody() -> None:
    assert set(IMPERSONAL) >= SHARED


@pytest.mark.parametrize("kind", SAMPLES)
async def test_nobody_reads_what_is_stored_for_someone_else(shelf: Shelf, kind: str) -> None:
    sample = SAMPLES[kind]
    await sample.write(shelf, ALICE)

    assert await sample.read(shelf, ALICE)
    for other in OTHERS:
        assert not await sample.read(shelf, other), other
        exported = await shelf.subjects.export(other.tenant, other.user)
        assert exported["data"] == {}, other
        assert await shelf.subjects.erase(other.tenant, other.user) == {}, other
    assert await sample.read(shelf, ALICE)


async def _everything(shelf: Shelf, who: Caller) -> None:
    for sample in SAMPLES.values():
        await sample.write(shelf, who)


async def test_everything_of_a_person_is_exported(shelf: Shelf) -> None:
    await _everything(shelf, ALICE)

    exported = await shelf.subjects.export(ALICE.tenant, ALICE.user)

    assert (exported["tenantId"], exported["userId"]) == (ALICE.tenant, ALICE.user)
    assert set(exported["data"]) == set(SAMPLES)


async def test_everything_of_a_person_is_erased_and_nothing_of_others(shelf: Shelf) -> None:
    bob = OTHERS[0]
    await _everything(shelf, ALICE)
    await _everything(shelf, bob)

    await shelf.subjects.erase(ALICE.tenant, ALICE.user)

    assert [k for k, s in SAMPLES.items() if await s.read(shelf, ALICE)] == []
    # the cached results of one tenant are shared, and the last to make one was bob
    assert [k for k, s in SAMPLES.items() if not await s.read(shelf, bob)] in ([], ["owned"])


def _raw(home: Path, pattern: str = "store.sqlite3*") -> bytes:
    return b"".join(p.read_bytes() for p in sorted(home.glob(pattern)))


def _raw_redis(url: str) -> dict[bytes, bytes]:
    """Return everything in the server, as it is there."""
    with _redis(url) as raw:
        return {name: raw.dump(name) for name in raw.keys("*")}


async def _stored_names(store: Store) -> list[str]:
    values = [name async for name in store.scan("")]
    logs = [name async for name in store.logs("")]
    counts = await CallCounterPersonalData(store).export(ALICE.tenant, ALICE.user)
    return [*values, *logs, *(count["name"] for count in counts)]


def _blinded(names: list[str]) -> set[bytes]:
    kinds = ("value", "counter", "log")
    return {blind for name in names for kind in kinds for blind in KEYRING.names(kind, name)}


CLEAR = (b"alice@example.org", b"acme-corp", FINDING.encode())


async def test_a_raw_scan_of_sqlite_finds_nothing_of_a_person_after_erasure(
    tmp_path: Path,
) -> None:
    async with sqlite_shelf(tmp_path) as shelf:
        await _everything(shelf, ALICE)
        names = await _stored_names(shelf.store)
        before = _raw(tmp_path) + _raw(tmp_path, "crawls.sqlite3*")
        found = {blind for blind in _blinded(names) if blind in before}
        assert len(found) >= len(SAMPLES)
        assert [text for text in CLEAR if text in before] == []

        await shelf.subjects.erase(ALICE.tenant, ALICE.user)

        after = _raw(tmp_path) + _raw(tmp_path, "crawls.sqlite3*")
        assert {blind for blind in found if blind in after} == set()
        index = _raw(tmp_path, "index.sqlite3*")
        assert [text for text in CLEAR if text in index] == []


async def test_a_raw_scan_of_redis_finds_nothing_of_a_person_after_erasure(
    redis_url: str, tmp_path: Path
) -> None:
    with _redis(redis_url) as raw:
        raw.flushall()
    async with shelf_of(RedisStore(redis_url, KEYRING), tmp_path) as shelf:
        await _everything(shelf, ALICE)
        names = await _stored_names(shelf.store)
        before = _raw_redis(redis_url)
        dump = b"".join(name + value for name, value in before.items())
        assert len({b for b in _blinded(names) if b.hex().encode() in dump}) >= len(SAMPLES)
        assert [text for text in CLEAR if text in dump] == []

        await shelf.subjects.erase(ALICE.tenant, ALICE.user)

        # the number of the latest lock is all that is left
        assert set(_raw_redis(redis_url)) <= {b"webquarry:fence"}


def _texts(module: Path) -> Iterator[str]:
    """Yield the constant beginnings of the texts in a module."""
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


def test_nothing_is_stored_under_a_kind_that_nobody_declared() -> None:
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


def test_no_file_of_a_database_is_made_that_nobody_declared() -> None:
    files = {
        text
        for module in SOURCE.rglob("*.py")
        for text in _texts(module)
        if re.fullmatch(r"[\w-]+\.sqlite3?", text)
    }

    assert files <= set(FILES)

"""Everything that changes an answer is in the key of the cached answer."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pytest

from tests.services.searching.fakes import pages, provider
from tests.support import ALICE
from webquarry.calls.call_path import CallPath, CallRules
from webquarry.calls.registry import Registry
from webquarry.providers.provider import Provider
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.settings.groups.search import SearchSettings
from webquarry.settings.groups.server import ServerSettings
from webquarry.settings.load import Settings
from webquarry.settings.tree import BASE_URLS, KEYS, Declaration, declarations
from webquarry.storage.key_namespaces import CACHES, IMPERSONAL, PERSONAL, SHARED
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.web_search import web_search
from webquarry.wiring.configuration_digest import NEUTRAL_GROUPS, configuration_digest
from webquarry.wiring.container import Services
from webquarry.wiring.declared_settings import declared_variables
from webquarry.wiring.open_storage import StorageKeys

pytestmark = pytest.mark.anyio
KEY = bytes(32)
DECLARED = declarations(declared_variables())
TELLING = [entry for entry in DECLARED.values() if entry.group not in NEUTRAL_GROUPS]
# namespaces whose values do not depend on settings: they are written by people or count something
NO_CACHES = {
    "login",
    "task", "check",
    "analytics", "apikey", "artifact", "capture", "consent", "contribution", "exchange",
    "health", "history", "limit", "payload",
    "llm", "member", "memory", "owned", "pace", "searxng", "session",
}  # fmt: skip


def changed(settings: Settings, entry: Declaration) -> Settings:
    """Return the settings with another value of one variable."""
    if entry.group in (KEYS, BASE_URLS):
        name = entry.name if entry.group == KEYS else entry.key
        return replace(settings, **{entry.group: MappingProxyType({name: "another"})})
    group = getattr(settings, entry.group)
    return replace(settings, **{entry.group: replace(group, **{entry.key: "another"})})


@pytest.mark.parametrize("entry", TELLING, ids=lambda entry: entry.name)
def test_every_setting_that_changes_an_answer_changes_the_digest(entry: Declaration) -> None:
    other = changed(Settings(search=SearchSettings()), entry)
    if entry.name == "CUSTOM_LENSES_PATH":
        other = Settings(search=SearchSettings(custom_lenses_path=Path("lenses")))

    assert configuration_digest(Settings(), KEY) != configuration_digest(other, KEY)


@pytest.mark.parametrize("name", ["SEARCH_PROVIDER", "SEARCH_ROUTING", "BRAVE_API_KEY",
                                  "GOOGLE_CUSTOM_SEARCH_ID", "SEARXNG_URL", "BRAVE_BASE_URL",
                                  "ALLOW_PRIVATE_IPS", "LLM_MODEL", "EXA_API_KEY"])  # fmt: skip
def test_the_settings_that_were_once_forgotten_are_covered(name: str) -> None:
    assert DECLARED[name] in TELLING


def test_the_digest_is_keyed_and_shows_no_secret() -> None:
    settings = Settings(keys=MappingProxyType({"BRAVE_API_KEY": "the-secret"}))

    digest = configuration_digest(settings, KEY)

    assert digest != configuration_digest(settings, b"x" * 32)
    assert "the-secret" not in digest
    assert len(digest) == 64


def test_the_content_of_a_lens_is_part_of_it(tmp_path: Path) -> None:
    settings = Settings(search=SearchSettings(custom_lenses_path=tmp_path))
    (tmp_path / "birds.json").write_text('{"name": "birds", "domains": ["ebird.org"]}')
    before = configuration_digest(settings, KEY)

    (tmp_path / "birds.json").write_text('{"name": "birds", "domains": ["birdlife.org"]}')

    assert configuration_digest(settings, KEY) != before


def test_every_namespace_is_a_cache_or_not() -> None:
    assert {*PERSONAL, *IMPERSONAL} == CACHES.keys() | NO_CACHES
    assert not CACHES.keys() & NO_CACHES
    assert CACHES.keys() >= SHARED


@pytest.mark.parametrize("namespace", sorted(CACHES))
async def test_a_cached_value_is_found_only_with_the_settings_it_was_stored_with(
    namespace: str,
) -> None:
    store = MemoryStore()
    store.configuration = "first"
    owner: Any = {"owner": None} if namespace in SHARED else {}
    await store.set(f"{namespace}::question", b"answer", ttl=60, **owner)

    store.configuration = "second"
    other = await store.get(f"{namespace}::question")
    store.configuration = "first"
    same = await store.get(f"{namespace}::question")

    assert other is None
    assert same is not None
    assert same.value == b"answer"


@pytest.mark.parametrize("namespace", sorted(CACHES))
async def test_a_full_name_reads_and_erases_whatever_the_settings_are_now(namespace: str) -> None:
    store = MemoryStore()
    store.configuration = "first"
    owner: Any = {"owner": None} if namespace in SHARED else {}
    await store.set(f"{namespace}::question", b"answer", ttl=60, **owner)
    store.configuration = "second"

    (name,) = [name async for name in store.scan(f"{namespace}:")]
    found = await store.get(name)

    assert found is not None
    assert await store.delete(name)
    assert [name async for name in store.scan(f"{namespace}:")] == []


async def test_other_values_are_found_with_any_settings() -> None:
    store = MemoryStore()
    store.configuration = "first"
    await store.set("memory:a:b:1", b"note")

    store.configuration = "second"

    assert await store.get("memory:a:b:1") is not None


async def _search(home: Path, preferred: str) -> list[str]:
    """Search once in a new process with this provider preferred."""
    fakes = [provider("one", pages(1, "one.test")), provider("two", pages(1, "two.test"))]
    settings = Settings(
        server=ServerSettings(data_dir=home), search=SearchSettings(provider=preferred)
    )
    async with AsyncExitStack() as stack:
        services = Services(settings, StorageKeys(KEY, None), stack)
        ready = cast("list[Provider]", fakes)
        services.providers = ProviderDirectory(ready, [type(each) for each in ready])
        path = CallPath(Registry((web_search,)), services, CallRules(record=lambda _: None))
        result = await path.call("web_search", {"query": "owls"}, ALICE)
        await path.close()
    assert result.structured is not None
    return [*result.structured["urls"], str(result.meta["cached"])]


async def test_another_provider_never_gets_the_results_of_the_first(tmp_path: Path) -> None:
    first = await _search(tmp_path, "one")
    second = await _search(tmp_path, "two")
    again = await _search(tmp_path, "one")

    assert first == ["https://one.test/1", "False"]
    assert second == ["https://two.test/1", "False"]
    assert again == ["https://one.test/1", "True"]

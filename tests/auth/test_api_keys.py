import pytest

from webquarry.auth.api_keys import ApiKey, ApiKeys
from webquarry.auth.principal import Principal, UnauthenticatedError
from webquarry.errors import BadInputError, NotFoundError
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemoryStore:
    return MemoryStore(clock=clock)


@pytest.fixture
def keys(store: MemoryStore, clock: Clock) -> ApiKeys:
    return ApiKeys(store, clock)


async def test_a_key_speaks_for_its_tenant_user_and_scopes(keys: ApiKeys) -> None:
    text, made = await keys.create(tenant="acme", user="alice", scopes=["tool:echo"], note="ci")

    assert made == ApiKey(
        id=made.id, tenant="acme", user="alice", scopes=("tool:echo",), note="ci",
        created_at=1_800_000_000.0,
    )  # fmt: skip
    assert await keys.verify(text) == Principal(
        tenant="acme", user="alice", scopes=frozenset({"tool:echo"}), client=made.id
    )


async def test_only_a_hash_of_the_key_is_stored(keys: ApiKeys, store: MemoryStore) -> None:
    text, made = await keys.create(tenant="acme", user="alice")

    entry = await store.get(f"apikey:{made.id}")

    assert entry is not None
    assert text.rpartition("_")[2].encode() not in entry.value
    assert text.encode() not in entry.value


async def test_anything_but_the_key_is_refused(keys: ApiKeys) -> None:
    text, _ = await keys.create(tenant="acme", user="alice")
    other = text[:-1] + ("A" if text[-1] != "A" else "B")
    moved = "wq_" + "0" * 16 + text[19:]

    for wrong in (other, moved, text + "A", text[:-1], text.upper(), "wq_", "wq_apikey:x_a"):
        with pytest.raises(UnauthenticatedError) as caught:
            await keys.verify(wrong)
        assert caught.value.code == "bad_api_key"


async def test_a_revoked_key_stops_at_once(keys: ApiKeys) -> None:
    text, made = await keys.create(tenant="acme", user="alice")

    assert await keys.revoke(made.id) == made
    with pytest.raises(UnauthenticatedError):
        await keys.verify(text)
    with pytest.raises(NotFoundError):
        await keys.revoke(made.id)


async def test_a_key_expires(keys: ApiKeys, clock: Clock) -> None:
    text, made = await keys.create(tenant="acme", user="alice", ttl=60)
    assert made.expires_at == 1_800_000_060.0
    await keys.verify(text)

    clock.now += 60

    with pytest.raises(UnauthenticatedError):
        await keys.verify(text)
    assert await keys.list_keys() == []


@pytest.mark.parametrize(
    ("tenant", "user", "scopes"),
    [("", "a", ()), ("t", "anonymous", ()), ("t", "a\n", ()), ("t", "a", ("everything",))],
)
async def test_a_key_needs_a_valid_user_and_valid_scopes(
    keys: ApiKeys, tenant: str, user: str, scopes: tuple[str, ...]
) -> None:
    with pytest.raises(BadInputError):
        await keys.create(tenant=tenant, user=user, scopes=scopes)


async def test_a_person_s_keys_are_exported_without_secrets_and_erased(keys: ApiKeys) -> None:
    mine, made = await keys.create(tenant="acme", user="alice")
    other, _ = await keys.create(tenant="acme", user="bob")

    exported = await keys.export("acme", "alice")

    assert [record["id"] for record in exported] == [made.id]
    assert "digest" not in exported[0]
    assert await keys.erase("acme", "alice") == 1
    with pytest.raises(UnauthenticatedError):
        await keys.verify(mine)
    assert (await keys.verify(other)).user == "bob"

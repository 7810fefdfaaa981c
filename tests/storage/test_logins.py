import pytest

from webquarry.errors import ForbiddenError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.login import LoginCookie, StoredLogin
from webquarry.storage.logins import Logins
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

ADA = Caller(tenant="t", user="ada", transport="http")
BOB = Caller(tenant="t", user="bob", transport="http")
NOBODY = Caller(tenant="t", transport="http")
LOGIN = StoredLogin(
    host="owls.test",
    source="browser",
    stored_at=1000.0,
    expires_at=2000.0,
    cookies=(LoginCookie(name="session", value="abc"),),
)


def logins(**options: bool) -> Logins:
    return Logins(MemoryStore(clock=lambda: 1000.0), clock=lambda: 1000.0, **options)


async def test_only_its_owner_finds_a_login_and_only_for_its_host() -> None:
    stored = logins()
    await stored.save(ADA, LOGIN)

    assert await stored.find(ADA, "owls.test") == LOGIN
    assert await stored.find(ADA, "www.owls.test") is None
    assert await stored.find(BOB, "owls.test") is None
    assert await stored.find(ADA.model_copy(update={"tenant": "u"}), "owls.test") is None


async def test_a_login_is_exported_without_its_values_and_erased() -> None:
    stored = logins()
    await stored.save(ADA, LOGIN)
    exported = await stored.export("t", "ada")
    erased = await stored.erase("t", "ada")

    assert exported == [
        {
            "host": "owls.test",
            "source": "browser",
            "storedAt": 1000.0,
            "expiresAt": 2000.0,
            "cookies": ["session"],
            "localStorage": [],
        }
    ]
    assert (erased, await stored.list_for("t", "ada")) == (1, [])


async def test_a_revoked_login_is_gone_and_another_cannot_be_revoked() -> None:
    stored = logins()
    await stored.save(ADA, LOGIN)
    with pytest.raises(NotFoundError, match=r"no login for 'owls\.test'"):
        await stored.revoke(BOB, "owls.test")
    await stored.revoke(ADA, "owls.test")

    assert await stored.find(ADA, "owls.test") is None


async def test_callers_without_a_name_have_no_login_unless_the_operator_allows_it() -> None:
    with pytest.raises(ForbiddenError, match="LOGINS_SHARED"):
        await logins().save(NOBODY, LOGIN)
    shared = logins(shared=True)
    await shared.save(NOBODY, LOGIN)

    assert await shared.find(NOBODY, "owls.test") == LOGIN


async def test_logins_that_are_turned_off_are_neither_stored_nor_used() -> None:
    with pytest.raises(ForbiddenError, match="LOGINS=off"):
        await logins(enabled=False).save(ADA, LOGIN)

    assert await logins(enabled=False).find(ADA, "owls.test") is None

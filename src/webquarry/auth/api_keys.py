"""API keys: a simple alternative to access tokens. Only a hash of a key is stored."""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable

from pydantic import Field

from webquarry.auth.principal import Principal, UnauthenticatedError, is_name
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import ANONYMOUS
from webquarry.models.model import Model
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store

PREFIX = "wq_"
_KIND = "apikey"
_KEY_FORM = re.compile(r"wq_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
_ID = re.compile(r"[0-9a-f]{16}")
_SCOPE = re.compile(r"tool:\*|research|tool:[a-z][a-z0-9_]{0,63}|toolset:[a-z][a-z0-9_-]{0,63}")
_NO_DIGEST = "0" * 64


class ApiKey(Model):
    """The data of an API key, without the key itself."""

    id: str
    tenant: str
    user: str
    scopes: tuple[str, ...] = Field(description="What it may be used for; none means everything.")
    note: str = ""
    created_at: float
    expires_at: float | None = None


class _Stored(ApiKey):
    digest: str


class ApiKeys:
    """Creates, lists, verifies and revokes keys. Revoking takes effect at once everywhere."""

    kinds = (_KIND,)

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    async def create(
        self,
        *,
        tenant: str,
        user: str,
        scopes: Iterable[str] = (),
        note: str = "",
        ttl: float | None = None,
    ) -> tuple[str, ApiKey]:
        """Return a new key, which cannot be shown again, and its stored data."""
        unique_scopes = tuple(dict.fromkeys(scopes))
        _check(tenant, user, unique_scopes)
        ident, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        now = self._clock()
        stored = _Stored(
            id=ident,
            tenant=tenant,
            user=user,
            scopes=unique_scopes,
            note=note[:200],
            created_at=now,
            expires_at=None if ttl is None else now + ttl,
            digest=_digest(secret),
        )
        await self._store.set(name_of(_KIND, ident), stored.model_dump_json().encode(), ttl=ttl)
        return f"{PREFIX}{ident}_{secret}", _public(stored)

    async def verify(self, key: str) -> Principal:
        """Return the principal of a key, or raise `UnauthenticatedError`."""
        match = _KEY_FORM.fullmatch(key)
        stored = await self._find(match[1]) if match else None
        expected = stored.digest if stored else _NO_DIGEST
        # always compare: a missing key must not be faster than a wrong one
        matches = hmac.compare_digest(_digest(match[2] if match else ""), expected)
        if stored is None or not matches:
            raise UnauthenticatedError(
                "The API key is unknown, expired or revoked.", code="bad_api_key"
            )
        scopes = frozenset(stored.scopes) or None
        return Principal(tenant=stored.tenant, user=stored.user, scopes=scopes, client=stored.id)

    async def list_keys(self) -> list[ApiKey]:
        """Return all keys, oldest first."""
        names = [name async for name in self._store.scan(f"{_KIND}:")]
        stored = [await self._find(name.partition(":")[2]) for name in names]
        keys = [_public(key) for key in stored if key is not None]
        return sorted(keys, key=lambda key: (key.created_at, key.id))

    async def revoke(self, ident: str) -> ApiKey:
        """Delete a key; return its data."""
        stored = await self._find(ident) if _ID.fullmatch(ident) else None
        if stored is None or not await self._store.delete(name_of(_KIND, ident)):
            raise NotFoundError(f"there is no API key {ident!r}; `webquarry keys list` shows all")
        return _public(stored)

    async def export(self, tenant: str, user: str) -> list[Record]:
        return [key.model_dump(mode="json") for key in await self._of_user(tenant, user)]

    async def erase(self, tenant: str, user: str) -> int:
        keys = await self._of_user(tenant, user)
        return sum([await self._store.delete(name_of(_KIND, key.id)) for key in keys])

    async def _of_user(self, tenant: str, user: str) -> list[ApiKey]:
        return [key for key in await self.list_keys() if (key.tenant, key.user) == (tenant, user)]

    async def _find(self, ident: str) -> _Stored | None:
        entry = await self._store.get(name_of(_KIND, ident))
        return None if entry is None else _Stored.model_validate_json(entry.value)


def _check(tenant: str, user: str, scopes: tuple[str, ...]) -> None:
    for what, value in (("tenant", tenant), ("user", user)):
        if not is_name(value) or value == ANONYMOUS:
            raise BadInputError(f"{what}: must be 1 to 256 printable characters, not 'anonymous'")
    for scope in scopes:
        if not _SCOPE.fullmatch(scope):
            raise BadInputError(
                f"scope {scope!r} is unknown; use tool:*, research, tool:<name> or toolset:<name>"
            )


def _digest(secret: str) -> str:
    # 256 random bits cannot be guessed, so a slow hash adds no protection
    return hashlib.sha256(secret.encode()).hexdigest()


def _public(stored: _Stored) -> ApiKey:
    return ApiKey.model_validate(stored.model_dump(exclude={"digest"}))

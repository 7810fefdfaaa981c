"""API keys: a simple alternative to tokens. Only a hash of a key is stored."""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable

from pydantic import Field

from webquarry.auth.principal import Principal, UnauthenticatedError
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.model import Model
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store

PREFIX = "wq_"
_KIND = "apikey"
_KEY = re.compile(r"wq_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
_ID = re.compile(r"[0-9a-f]{16}")
_SCOPE = re.compile(r"tool:\*|research|tool:[a-z][a-z0-9_]{0,63}|toolset:[a-z][a-z0-9_-]{0,63}")
_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,256}")
_MISSING = "0" * 64


class ApiKey(Model):
    """What is known of a key, except the key."""

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
    """Makes, lists, checks and revokes keys; a revoked key stops working at once, everywhere."""

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
        """Return a new key, which nobody can show again, and what is kept of it."""
        wanted = tuple(dict.fromkeys(scopes))
        _check(tenant, user, wanted)
        ident, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        now = self._clock()
        stored = _Stored(
            id=ident,
            tenant=tenant,
            user=user,
            scopes=wanted,
            note=note[:200],
            created_at=now,
            expires_at=None if ttl is None else now + ttl,
            digest=_digest(secret),
        )
        await self._store.set(name_of(_KIND, ident), stored.model_dump_json().encode(), ttl=ttl)
        return f"{PREFIX}{ident}_{secret}", _public(stored)

    async def verify(self, text: str) -> Principal:
        """Return whom the key speaks for; `UnauthenticatedError` when it is none of ours."""
        match = _KEY.fullmatch(text)
        stored = await self._find(match[1]) if match else None
        expected = stored.digest if stored else _MISSING
        # compared also when there is nothing to compare with: a miss must not be quicker
        genuine = hmac.compare_digest(_digest(match[2] if match else ""), expected)
        if stored is None or not genuine:
            raise UnauthenticatedError(
                "The API key is unknown, expired or revoked.", code="bad_api_key"
            )
        scopes = frozenset(stored.scopes) or None
        return Principal(tenant=stored.tenant, user=stored.user, scopes=scopes, client=stored.id)

    async def listing(self) -> list[ApiKey]:
        """Return all keys, oldest first."""
        return sorted(map(_public, await self._all()), key=lambda key: (key.created_at, key.id))

    async def revoke(self, ident: str) -> ApiKey:
        """Stop a key from working; return what it was."""
        stored = await self._find(ident) if _ID.fullmatch(ident) else None
        if stored is None or not await self._store.delete(name_of(_KIND, ident)):
            raise NotFoundError(f"there is no API key {ident!r}; `webquarry keys list` shows all")
        return _public(stored)

    async def export(self, tenant: str, user: str) -> list[Record]:
        return [key.model_dump(mode="json") for key in await self._of(tenant, user)]

    async def erase(self, tenant: str, user: str) -> int:
        mine = await self._of(tenant, user)
        return sum([await self._store.delete(name_of(_KIND, key.id)) for key in mine])

    async def _of(self, tenant: str, user: str) -> list[ApiKey]:
        return [key for key in await self.listing() if (key.tenant, key.user) == (tenant, user)]

    async def _all(self) -> list[_Stored]:
        names = [name async for name in self._store.scan(f"{_KIND}:")]
        found = [await self._find(name.partition(":")[2]) for name in names]
        return [stored for stored in found if stored is not None]

    async def _find(self, ident: str) -> _Stored | None:
        entry = await self._store.get(name_of(_KIND, ident))
        return None if entry is None else _Stored.model_validate_json(entry.value)


def _check(tenant: str, user: str, scopes: tuple[str, ...]) -> None:
    for what, value in (("tenant", tenant), ("user", user)):
        if not _NAME.fullmatch(value) or not value.strip() or value == "anonymous":
            raise BadInputError(f"{what}: must be 1 to 256 printable characters, not 'anonymous'")
    for scope in scopes:
        if not _SCOPE.fullmatch(scope):
            raise BadInputError(
                f"scope {scope!r} is unknown; use tool:*, research, tool:<name> or toolset:<name>"
            )


def _digest(secret: str) -> str:
    # 256 random bits cannot be guessed, so a slow hash would protect nothing more
    return hashlib.sha256(secret.encode()).hexdigest()


def _public(stored: _Stored) -> ApiKey:
    return ApiKey.model_validate(stored.model_dump(exclude={"digest"}))

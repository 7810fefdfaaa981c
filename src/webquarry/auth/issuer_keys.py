"""The keys of the token issuer: found by discovery, kept for a while, never asked for too often."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from webquarry.auth.principal import IssuerUnavailableError
from webquarry.errors import WebquarryError
from webquarry.net.upstream.http_port import Http, Request

logger = logging.getLogger(__name__)

# the algorithms we accept, each bound to the one kind of key that may use it
ALGORITHMS: Mapping[tuple[str, str | None], str] = {
    ("RSA", None): "RS256",
    ("EC", "P-256"): "ES256",
    ("OKP", "Ed25519"): "EdDSA",
}
PAUSE = 30.0  # seconds between two fetches, however many unknown keys are named
_STALE = 86_400.0  # for how long keys serve while their issuer is away
_MOST_BYTES = 2**20
_MOST_KEYS = 100
_SMALLEST_RSA = 2048


@dataclass(frozen=True)
class IssuerKey:
    """One public key and the only algorithm it may verify."""

    kid: str | None
    algorithm: str
    public: Any


class IssuerKeys:
    """The signing keys of one issuer."""

    def __init__(
        self,
        issuer: str,
        http: Http,
        *,
        refresh: float = 3600.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._http = http
        self._refresh = refresh
        self._now = now
        self._alone = asyncio.Lock()
        self._keys: tuple[IssuerKey, ...] = ()
        self._address = ""
        self._fetched = self._tried = -float("inf")

    async def find(self, kid: str | None, algorithm: str) -> IssuerKey | None:
        """Return the key; None when the issuer has none such, an error when it cannot be asked."""
        if self._now() - self._fetched >= self._refresh:
            await self._update(self._fetched)
        seen = self._fetched
        found = self._among(kid, algorithm)
        if found is None:
            await self._update(seen)
            found = self._among(kid, algorithm)
        if found is None and self._now() - self._fetched >= _STALE:
            raise IssuerUnavailableError(
                f"the keys of {self._issuer} could not be fetched; try again shortly",
                retry_after=PAUSE,
            )
        return found

    def _among(self, kid: str | None, algorithm: str) -> IssuerKey | None:
        if self._now() - self._fetched >= _STALE:
            return None
        fitting = [key for key in self._keys if key.algorithm == algorithm]
        if kid is None:  # only safe when there is nothing to choose
            return fitting[0] if len(fitting) == 1 else None
        return next((key for key in fitting if key.kid == kid), None)

    async def _update(self, seen: float) -> None:
        """Fetch the keys, unless somebody did since `seen` or it is too soon."""
        async with self._alone:
            if self._fetched != seen or self._now() - self._tried < PAUSE:
                return
            self._tried = self._now()
            try:
                if not self._address or self._tried - seen >= self._refresh:
                    self._address = await self._discover()
                self._keys = read_keys((await self._get(self._address)).get("keys"))
                self._fetched = self._tried
            except (WebquarryError, ValueError) as error:
                self._address = ""
                logger.warning("the keys of %s could not be fetched: %s", self._issuer, error)

    async def _discover(self) -> str:
        """Return where the keys are, as the issuer itself says; otherwise the usual place."""
        base = self._issuer.rstrip("/")
        parts = urlsplit(base)
        origin = f"{parts.scheme}://{parts.netloc}"
        for address in (
            f"{base}/.well-known/openid-configuration",
            f"{origin}/.well-known/oauth-authorization-server{parts.path}",
        ):
            answer = await self._http.send(Request(url=address, timeout=5, max_bytes=_MOST_BYTES))
            if answer.status == 404:
                continue
            said = _object(answer.status, answer.content)
            if str(said.get("issuer", "")).rstrip("/") != base:
                raise ValueError(f"{address} speaks for another issuer, {said.get('issuer')!r}")
            return self._checked(said.get("jwks_uri"))
        return f"{base}/.well-known/jwks.json"

    def _checked(self, address: object) -> str:
        text = str(address)
        wanted = urlsplit(self._issuer).scheme
        # keys that travel in the clear could be anybody's
        if urlsplit(text).scheme not in {"https", wanted} or not urlsplit(text).hostname:
            raise ValueError(f"jwks_uri is {text[:200]!r}")
        return text

    async def _get(self, address: str) -> dict[str, Any]:
        answer = await self._http.send(Request(url=address, timeout=5, max_bytes=_MOST_BYTES))
        return _object(answer.status, answer.content)


def read_keys(raw: object) -> tuple[IssuerKey, ...]:
    """Return the keys we may verify with; others in the set are none of our business."""
    if not isinstance(raw, list):
        # a ValueError: the data is wrong, not the code
        raise ValueError("the key set has no list of keys")  # noqa: TRY004
    listed = cast("Sequence[object]", raw)[:_MOST_KEYS]
    return tuple(key for entry in listed if (key := _key(entry)) is not None)


def _key(entry: object) -> IssuerKey | None:
    from jwt import PyJWK
    from jwt.exceptions import PyJWTError

    if not isinstance(entry, dict):
        return None
    raw = cast("dict[str, Any]", entry)
    kty = raw.get("kty")
    algorithm = ALGORITHMS.get((str(kty), None if kty == "RSA" else str(raw.get("crv"))))
    if algorithm is None or raw.get("alg", algorithm) != algorithm or not _for_verifying(raw):
        return None
    try:
        public = PyJWK(raw, algorithm=algorithm).key
    except (PyJWTError, ValueError, TypeError):
        return None
    if algorithm == "RS256" and public.key_size < _SMALLEST_RSA:
        return None
    kid = raw.get("kid")
    return IssuerKey(kid if isinstance(kid, str) else None, algorithm, public)


def _for_verifying(raw: dict[str, Any]) -> bool:
    operations = raw.get("key_ops", ["verify"])
    # a set with a private part in it has been leaked: whoever signs with it is not the issuer
    return raw.get("use", "sig") == "sig" and "verify" in operations and "d" not in raw


def _object(status: int, content: bytes) -> dict[str, Any]:
    import json

    if status != 200:
        raise ValueError(f"status {status}")
    body = json.loads(content)
    if not isinstance(body, dict):
        # a ValueError: the data is wrong, not the code
        raise ValueError("not a JSON object")  # noqa: TRY004
    return cast("dict[str, Any]", body)

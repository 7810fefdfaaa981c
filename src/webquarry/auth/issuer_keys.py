"""The public keys of the token issuer (JWKS): discovery, caching, limited refetching."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from webquarry.auth.principal import IssuerUnavailableError
from webquarry.errors import WebquarryError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest, Http

logger = logging.getLogger(__name__)

# the accepted algorithms, each bound to one type of key
ALGORITHMS: Mapping[tuple[str, str | None], str] = {
    ("RSA", None): "RS256",
    ("EC", "P-256"): "ES256",
    ("OKP", "Ed25519"): "EdDSA",
}
MIN_FETCH_INTERVAL = 30.0  # seconds, however many tokens name an unknown key
_MAX_AGE = 86_400.0  # seconds that keys are used while their issuer is unavailable
_MAX_BYTES = 2**20
_MAX_KEYS = 100
_MIN_RSA_BITS = 2048


@dataclass(frozen=True)
class IssuerKey:
    """One public key and the one algorithm it is used with."""

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
        self._lock = asyncio.Lock()
        self._keys: tuple[IssuerKey, ...] = ()
        self._jwks_url = ""
        self._fetched_at = self._tried_at = -float("inf")

    async def find(self, kid: str | None, algorithm: str) -> IssuerKey | None:
        """Return a key; None if the issuer has no such key.

        Raises `IssuerUnavailableError` if its keys cannot be fetched.
        """
        if self._now() - self._fetched_at >= self._refresh:
            await self._update(self._fetched_at)
        fetched_at = self._fetched_at
        key = self._cached(kid, algorithm)
        if key is None:
            await self._update(fetched_at)
            key = self._cached(kid, algorithm)
        if key is None and self._now() - self._fetched_at >= _MAX_AGE:
            raise IssuerUnavailableError(
                f"the keys of {self._issuer} could not be fetched; retry shortly",
                retry_after=MIN_FETCH_INTERVAL,
            )
        return key

    def _cached(self, kid: str | None, algorithm: str) -> IssuerKey | None:
        if self._now() - self._fetched_at >= _MAX_AGE:
            return None
        candidates = [key for key in self._keys if key.algorithm == algorithm]
        if kid is None:  # only safe if there is one key
            return candidates[0] if len(candidates) == 1 else None
        return next((key for key in candidates if key.kid == kid), None)

    async def _update(self, fetched_at: float) -> None:
        """Fetch the keys, unless that was done since `fetched_at` or tried too recently."""
        async with self._lock:
            if self._fetched_at != fetched_at or self._now() - self._tried_at < MIN_FETCH_INTERVAL:
                return
            self._tried_at = self._now()
            try:
                if not self._jwks_url or self._tried_at - fetched_at >= self._refresh:
                    self._jwks_url = await self._discover()
                jwks = _json_object(await self._get(self._jwks_url))
                self._keys = parse_keys(jwks.get("keys"))
                self._fetched_at = self._tried_at
            except (WebquarryError, ValueError) as error:
                self._jwks_url = ""
                logger.warning("the keys of %s could not be fetched: %s", self._issuer, error)

    async def _discover(self) -> str:
        """Return the JWKS URL from the issuer's metadata, or else the usual one."""
        base = self._issuer.rstrip("/")
        parts = urlsplit(base)
        origin = f"{parts.scheme}://{parts.netloc}"
        for url in (
            f"{base}/.well-known/openid-configuration",
            f"{origin}/.well-known/oauth-authorization-server{parts.path}",
        ):
            response = await self._get(url)
            if response.status == 404:
                continue
            metadata = _json_object(response)
            if str(metadata.get("issuer", "")).rstrip("/") != base:
                raise ValueError(f"{url} is for another issuer, {metadata.get('issuer')!r}")
            return self._check_jwks_uri(str(metadata.get("jwks_uri")))
        return f"{base}/.well-known/jwks.json"

    def _check_jwks_uri(self, url: str) -> str:
        parts = urlsplit(url)
        # anybody could replace keys that are sent without TLS
        if parts.scheme not in {"https", urlsplit(self._issuer).scheme} or not parts.hostname:
            raise ValueError(f"jwks_uri is {url[:200]!r}")
        return url

    async def _get(self, url: str) -> FetchedResponse:
        return await self._http.send(ApiRequest(url=url, timeout=5, max_bytes=_MAX_BYTES))


def parse_keys(raw: object) -> tuple[IssuerKey, ...]:
    """Return the keys of a JWKS that can verify tokens; others are ignored."""
    if not isinstance(raw, list):
        # a ValueError: the data is wrong, not the code
        raise ValueError("the key set has no list `keys`")  # noqa: TRY004
    listed = cast("Sequence[object]", raw)[:_MAX_KEYS]
    return tuple(key for entry in listed if (key := _parse_key(entry)) is not None)


def _parse_key(entry: object) -> IssuerKey | None:
    from jwt import PyJWK
    from jwt.exceptions import PyJWTError

    if not isinstance(entry, dict):
        return None
    raw = cast("dict[str, Any]", entry)
    kty = raw.get("kty")
    algorithm = ALGORITHMS.get((str(kty), None if kty == "RSA" else str(raw.get("crv"))))
    if algorithm is None or raw.get("alg", algorithm) != algorithm or not _is_for_verifying(raw):
        return None
    try:
        public = PyJWK(raw, algorithm=algorithm).key
    except (PyJWTError, ValueError, TypeError):
        return None
    if algorithm == "RS256" and public.key_size < _MIN_RSA_BITS:
        return None
    kid = raw.get("kid")
    return IssuerKey(kid if isinstance(kid, str) else None, algorithm, public)


def _is_for_verifying(raw: dict[str, Any]) -> bool:
    operations = raw.get("key_ops", ["verify"])
    # a key published with its private part can be used by anybody
    return raw.get("use", "sig") == "sig" and "verify" in operations and "d" not in raw


def _json_object(response: FetchedResponse) -> dict[str, Any]:
    if response.status != 200:
        raise ValueError(f"status {response.status}")
    body = json.loads(response.content)
    if not isinstance(body, dict):
        # a ValueError: the data is wrong, not the code
        raise ValueError("it is not a JSON object")  # noqa: TRY004
    return cast("dict[str, Any]", body)

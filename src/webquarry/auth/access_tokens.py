"""Verifies access tokens (JWT, RFC 9068) of one issuer."""

import base64
import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from webquarry.auth.issuer_keys import ALGORITHMS, IssuerKeys
from webquarry.auth.principal import Principal, UnauthenticatedError
from webquarry.auth.scopes import about_tools

LONGEST = 16 * 1024
_COMPACT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_TYPES = frozenset({"", "jwt", "at+jwt", "application/at+jwt"})
_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,256}")
_KNOWN = frozenset(ALGORITHMS.values())


@dataclass(frozen=True, kw_only=True)
class TokenRequirements:
    """What a token must say."""

    issuer: str
    audiences: tuple[str, ...]
    leeway: float = 60.0
    tenant_claim: str = "tenant_id"
    enforce_scopes: bool = False  # a token that names no tool may use none


class AccessTokens:
    """Turns a token into the principal it proves."""

    def __init__(
        self, demands: TokenRequirements, keys: IssuerKeys, clock: Callable[[], float] = time.time
    ) -> None:
        self._demands = demands
        self._keys = keys
        self._clock = clock

    async def verify(self, token: str) -> tuple[Principal, frozenset[str]]:
        """Return whom the token speaks for and its scopes; otherwise `UnauthenticatedError`."""
        head, claims = _parts(token)
        # before a key is looked for: most bad tokens are not worth asking the issuer about
        algorithm, kid = _head(head)
        self._check(claims)
        key = await self._keys.find(kid, algorithm)
        if key is None:
            raise _bad("it is signed with a key its issuer does not have", "unknown_key")
        _check_signature(token, key.public, algorithm)
        scopes = _scopes(claims)
        return self._principal(claims, scopes), scopes

    def _check(self, claims: dict[str, Any]) -> None:
        demands, now = self._demands, self._clock()
        if claims.get("iss") != demands.issuer:
            raise _bad("another issuer made it", "wrong_issuer")
        named = claims.get("aud")
        audiences = cast("list[object]", named) if isinstance(named, list) else [named]
        if not any(isinstance(a, str) and a in demands.audiences for a in audiences):
            raise _bad("it is for another audience", "wrong_audience")
        if _moment(claims, "exp", required=True) <= now - demands.leeway:
            raise _bad("it has expired", "expired")
        if _moment(claims, "nbf") > now + demands.leeway:
            raise _bad("it is not valid yet", "not_yet_valid")
        if _moment(claims, "iat") > now + demands.leeway:
            raise _bad("it was issued in the future", "issued_in_future")
        if "cnf" in claims:
            # bound to a key of its holder, so whoever merely bears it may have stolen it
            raise _bad("it is bound to a key that was not shown", "bound_token")

    def _principal(self, claims: dict[str, Any], scopes: frozenset[str]) -> Principal:
        held = self._demands.enforce_scopes or bool(about_tools(scopes))
        client = claims.get("client_id") or claims.get("azp") or ""
        return Principal(
            tenant=_name(claims.get(self._demands.tenant_claim, "default"), "tenant"),
            user=_name(claims.get("sub"), "subject"),
            scopes=scopes if held else None,
            issuer=self._demands.issuer,
            client=client if isinstance(client, str) else "",
        )


def granted(claims_scope: object) -> frozenset[str]:
    """Return the scopes in a space-separated text or a list."""
    if isinstance(claims_scope, str):
        return frozenset(claims_scope.split())
    if isinstance(claims_scope, list):
        listed = cast("list[object]", claims_scope)
        return frozenset(s for s in listed if isinstance(s, str))
    return frozenset()


def _scopes(claims: dict[str, Any]) -> frozenset[str]:
    return granted(claims.get("scope")) | granted(claims.get("scp"))


def _parts(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    if len(token) > LONGEST:
        raise _bad(f"it is longer than {LONGEST} characters", "too_long")
    if not _COMPACT.fullmatch(token):
        raise _bad("it is neither a JWT nor one of our keys", "malformed")
    head, claims, _ = token.split(".")
    return _json(head), _json(claims)


def _json(part: str) -> dict[str, Any]:
    try:
        raw = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        value = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as exc:
        raise _bad("it cannot be decoded", "malformed") from exc
    if not isinstance(value, dict):
        raise _bad("it cannot be decoded", "malformed")
    return cast("dict[str, Any]", value)


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _head(head: dict[str, Any]) -> tuple[str, str | None]:
    algorithm, kid = head.get("alg"), head.get("kid")
    if not isinstance(algorithm, str) or algorithm not in _KNOWN:
        known = ", ".join(sorted(_KNOWN))
        raise _bad(f"its algorithm is not one of {known}", "wrong_algorithm")
    if kid is not None and not (isinstance(kid, str) and len(kid) <= 256):
        raise _bad("its key id is no text", "malformed")
    if str(head.get("typ") or "").lower() not in _TYPES:
        raise _bad("it is not an access token", "wrong_type")
    if "crit" in head:
        raise _bad("it demands an extension we do not know", "unknown_extension")
    return algorithm, kid


def _moment(claims: dict[str, Any], name: str, *, required: bool = False) -> float:
    value = claims.get(name)
    if value is None and not required:
        return -math.inf
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e12:
        raise _bad(f"its {name} is missing or no number", "malformed")
    return float(value)


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value) or not value.strip():
        raise _bad(f"its {what} is missing or unusable", "no_identity")
    if what == "subject" and value == "anonymous":
        raise _bad("its subject is reserved for callers without a token", "no_identity")
    return value


def _check_signature(token: str, public: Any, algorithm: str) -> None:
    from jwt import PyJWS
    from jwt.exceptions import PyJWTError

    try:
        PyJWS(algorithms=[algorithm]).decode(token, public, algorithms=[algorithm])
    except PyJWTError as exc:
        raise _bad("its signature is wrong", "bad_signature") from exc


def _bad(reason: str, code: str) -> UnauthenticatedError:
    return UnauthenticatedError(f"The access token is refused: {reason}.", code=code)

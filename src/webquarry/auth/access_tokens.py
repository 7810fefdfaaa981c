"""Verifies OAuth access tokens (JWT, RFC 9068) of one issuer."""

import re
from dataclasses import dataclass
from typing import Any, cast

from jwt import PyJWT
from jwt.exceptions import DecodeError, PyJWTError
from jwt.types import Options

from webquarry.auth.issuer_keys import ALGORITHMS, IssuerKey, IssuerKeys
from webquarry.auth.principal import Principal, UnauthenticatedError, is_name
from webquarry.auth.scopes import tool_scopes
from webquarry.models.caller import ANONYMOUS

MAX_TOKEN_LENGTH = 16 * 1024
_COMPACT_FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_TOKEN_TYPES = frozenset({"", "jwt", "at+jwt", "application/at+jwt"})
_ALGORITHMS = frozenset(ALGORITHMS.values())
_DATE_CLAIMS = ("exp", "nbf", "iat")
_MAX_DATE = 1e12  # seconds since 1970
# all are needed: without a signature PyJWT checks only the claims named here
_CLAIM_CHECKS: Options = {
    "require": ["exp", "iss", "aud"],
    "verify_exp": True,
    "verify_nbf": True,
    "verify_iat": True,
    "verify_iss": True,
    "verify_aud": True,
    "verify_sub": True,
    "verify_jti": False,
}
_WRONG_ISSUER = ("it has another issuer", "wrong_issuer")
_WRONG_AUDIENCE = ("it is for another audience", "wrong_audience")
_BAD_SIGNATURE = ("its signature is wrong", "bad_signature")
# PyJWT's error, a part of its message, our reason and code; the first match counts
_REASONS = (
    ("ExpiredSignatureError", "", ("it has expired", "expired")),
    ("ImmatureSignatureError", "(nbf)", ("it is not valid yet", "not_yet_valid")),
    ("ImmatureSignatureError", "(iat)", ("it was issued in the future", "issued_in_future")),
    ("InvalidIssuerError", "", _WRONG_ISSUER),
    ("MissingRequiredClaimError", '"iss"', _WRONG_ISSUER),
    ("InvalidAudienceError", "", _WRONG_AUDIENCE),
    ("MissingRequiredClaimError", '"aud"', _WRONG_AUDIENCE),
    ("MissingRequiredClaimError", '"exp"', ("its exp is missing", "malformed")),
    ("InvalidSubjectError", "", ("its subject is missing or invalid", "no_identity")),
    ("InvalidSignatureError", "", _BAD_SIGNATURE),
    ("DecodeError", "crypto", _BAD_SIGNATURE),
    ("InvalidTokenError", "crit", ("it requires an unknown extension", "unknown_extension")),
)
_UNDECODABLE = ("it cannot be decoded", "malformed")


@dataclass(frozen=True, kw_only=True)
class TokenRequirements:
    """The claims that a token must have."""

    issuer: str
    audiences: tuple[str, ...]
    leeway: float = 60.0
    tenant_claim: str = "tenant_id"
    enforce_scopes: bool = False  # a token without tool scopes may use no tool


class AccessTokens:
    """Turns an access token into the principal that it proves."""

    def __init__(self, requirements: TokenRequirements, keys: IssuerKeys) -> None:
        self._requirements = requirements
        self._keys = keys
        self._decoder = _Decoder()

    async def verify(self, token: str) -> tuple[Principal, frozenset[str]]:
        """Return the principal and the scopes of a token, or raise `UnauthenticatedError`."""
        if len(token) > MAX_TOKEN_LENGTH:
            raise _refused(f"it is longer than {MAX_TOKEN_LENGTH} characters", "too_long")
        if not _COMPACT_FORM.fullmatch(token):
            raise _refused("it is neither a JWT nor one of our keys", "malformed")
        # without the signature first: most bad tokens need no request to the issuer
        algorithm, kid = _check_header(self._decode(token)["header"])
        key = await self._keys.find(kid, algorithm)
        if key is None:
            raise _refused("it is signed with a key its issuer does not have", "unknown_key")
        claims = self._decode(token, key)["payload"]
        scopes = parse_scopes(claims.get("scope")) | parse_scopes(claims.get("scp"))
        return self._principal(claims, scopes), scopes

    def _decode(self, token: str, key: IssuerKey | None = None) -> dict[str, Any]:
        """Return header and payload after checking the claims, and the signature with a key."""
        try:
            decoded = self._decoder.decode_complete(
                token,
                key.public if key else "",
                algorithms=[key.algorithm] if key else None,
                audience=self._requirements.audiences,
                issuer=self._requirements.issuer,
                leeway=self._requirements.leeway,
                options={**_CLAIM_CHECKS, "verify_signature": key is not None},
            )
        except PyJWTError as error:
            raise _refused_by_pyjwt(error) from error
        if "cnf" in decoded["payload"]:
            # a sender-constrained token: we cannot check that the caller holds its key
            raise _refused("it is bound to a key that was not shown", "bound_token")
        return decoded

    def _principal(self, claims: dict[str, Any], scopes: frozenset[str]) -> Principal:
        limited = self._requirements.enforce_scopes or bool(tool_scopes(scopes))
        client = claims.get("client_id") or claims.get("azp") or ""
        return Principal(
            tenant=_name(claims.get(self._requirements.tenant_claim, "default"), "tenant"),
            user=_name(claims.get("sub"), "subject"),
            scopes=scopes if limited else None,
            issuer=self._requirements.issuer,
            client=client if isinstance(client, str) else "",
        )


def parse_scopes(claim: object) -> frozenset[str]:
    """Return the scopes of a claim: space-separated text or a list."""
    if isinstance(claim, str):
        return frozenset(claim.split())
    if isinstance(claim, list):
        values = cast("list[object]", claim)
        return frozenset(value for value in values if isinstance(value, str))
    return frozenset()


class _Decoder(PyJWT):
    """PyJWT, but stricter about dates: it reads `true` as 1 and accepts any year."""

    def _decode_payload(self, decoded: dict[str, Any]) -> dict[str, Any]:
        payload = super()._decode_payload(decoded)
        # null means absent
        claims = {name: value for name, value in payload.items() if value is not None}
        for name in _DATE_CLAIMS:
            date = claims.get(name, 0)
            # not isinstance: a bool is an int
            if type(date) not in (int, float) or not abs(date) <= _MAX_DATE:
                raise DecodeError(f"{name} is not a date")
        return claims


def _check_header(header: dict[str, Any]) -> tuple[str, str | None]:
    """Return the algorithm and the key id."""
    algorithm, kid = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in _ALGORITHMS:
        accepted = ", ".join(sorted(_ALGORITHMS))
        raise _refused(f"its algorithm is not one of {accepted}", "wrong_algorithm")
    if kid is not None and len(kid) > 256:
        raise _refused("its key id is too long", "malformed")
    if str(header.get("typ") or "").lower() not in _TOKEN_TYPES:
        raise _refused("it is not an access token", "wrong_type")
    return algorithm, kid


def _name(value: object, what: str) -> str:
    if not is_name(value):
        raise _refused(f"its {what} is missing or invalid", "no_identity")
    if what == "subject" and value == ANONYMOUS:
        raise _refused("its subject is reserved for callers without a token", "no_identity")
    return str(value)


def _refused_by_pyjwt(error: PyJWTError) -> UnauthenticatedError:
    kind, text = type(error).__name__, str(error)
    matches = (row[2] for row in _REASONS if row[0] == kind and row[1] in text)
    return _refused(*next(matches, _UNDECODABLE))


def _refused(reason: str, code: str) -> UnauthenticatedError:
    return UnauthenticatedError(f"The access token is refused: {reason}.", code=code)

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

import jwt
import pytest

from tests.auth.issuer import AUDIENCE, Issuer, Signer, encoded, new_signer, running_issuer
from tests.net.fetching import ClosingHttp
from webquarry.auth.access_tokens import AccessTokens, TokenRequirements
from webquarry.auth.issuer_keys import IssuerKeys
from webquarry.auth.principal import IssuerUnavailableError, Principal, UnauthenticatedError

pytestmark = [
    pytest.mark.anyio,
    # one of the bad keys is too short on purpose
    pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning"),
]

RSA, EC, ED = new_signer("rsa"), new_signer("ec", "ES256"), new_signer("ed", "EdDSA")
STRANGER = new_signer("rsa")  # the same name, another key
WEAK = new_signer("weak", bits=1024)
NOW = 1_800_000_000.0


class FrozenTime(datetime):
    """The time that PyJWT reads."""

    seconds = NOW

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "FrozenTime":
        return cls.fromtimestamp(cls.seconds, tz)


@pytest.fixture(autouse=True)
def frozen_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FrozenTime, "seconds", NOW)
    monkeypatch.setattr("jwt.api_jwt.datetime", FrozenTime)


@dataclass
class Setup:
    """A setup and the issuer behind it."""

    issuer: Issuer
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.http = ClosingHttp()
        keys = IssuerKeys(self.issuer.url, self.http, now=lambda: self.now)
        requirements = TokenRequirements(
            issuer=self.issuer.url, audiences=(AUDIENCE,), **self.settings
        )
        self.tokens = AccessTokens(requirements, keys)

    @property
    def now(self) -> float:
        return FrozenTime.seconds

    @now.setter
    def now(self, seconds: float) -> None:
        FrozenTime.seconds = seconds

    def claims(self, **others: Any) -> dict[str, Any]:
        return self.issuer.claims(self.now, **others)

    async def verify(self, token: str) -> Principal:
        return (await self.tokens.verify(token))[0]

    async def refusal(self, token: str) -> str:
        with pytest.raises(UnauthenticatedError) as caught:
            await self.tokens.verify(token)
        return caught.value.code


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running_issuer() as issuer:
        issuer.keys = [signer.published() for signer in (RSA, EC, ED)]
        yield issuer


@pytest.fixture
def setup(issuer: Issuer) -> Iterator[Setup]:
    setup = Setup(issuer)
    yield setup
    setup.http.close()


@pytest.mark.parametrize("signer", [RSA, EC, ED], ids=lambda s: s.algorithm)
async def test_a_token_of_the_issuer_names_tenant_and_user(setup: Setup, signer: Signer) -> None:
    token = signer.sign(setup.claims(client_id="editor"), typ="at+jwt")

    principal = await setup.verify(token)

    assert principal == Principal(
        tenant="acme", user="alice", scopes=None, issuer=setup.issuer.url, client="editor"
    )


async def test_the_leeway_covers_clocks_that_differ(setup: Setup) -> None:
    late = RSA.sign(setup.claims(exp=int(NOW) - 50))
    early = RSA.sign(setup.claims(nbf=int(NOW) + 50, iat=int(NOW) + 50))

    assert (await setup.verify(late)).user == "alice"
    assert (await setup.verify(early)).user == "alice"


@pytest.mark.parametrize(
    ("enforce", "claims", "scopes"),
    [
        (False, {}, None),
        (False, {"scope": "openid profile"}, None),
        (False, {"scope": "openid tool:echo"}, {"openid", "tool:echo"}),
        (False, {"scp": ["toolset:web"]}, {"toolset:web"}),
        (True, {}, set[str]()),
        (True, {"scope": "openid"}, {"openid"}),
        (True, {"scope": "research"}, {"research"}),
    ],
)
async def test_a_token_that_names_tools_is_held_to_them(
    *, issuer: Issuer, enforce: bool, claims: dict[str, Any], scopes: set[str] | None
) -> None:
    setup = Setup(issuer, settings={"enforce_scopes": enforce})

    principal = await setup.verify(RSA.sign(setup.claims(**claims)))

    assert principal.scopes == scopes


async def test_the_tenant_comes_from_the_claim_the_operator_names(issuer: Issuer) -> None:
    setup = Setup(issuer, settings={"tenant_claim": "org"})

    principal = await setup.verify(RSA.sign(setup.claims(org="globex")))

    assert principal.tenant == "globex"


def unsigned(head: dict[str, Any], claims: dict[str, Any], signature: str = "") -> str:
    return f"{encoded(head)}.{encoded(claims)}.{signature}"


def hmac_with_public_key(claims: dict[str, Any]) -> str:
    text = unsigned({"alg": "HS256", "kid": "rsa", "typ": "JWT"}, claims)[:-1]
    digest = hmac.digest(RSA.pem(), text.encode(), hashlib.sha256)
    return f"{text}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def tampered(claims: dict[str, Any]) -> str:
    head, _, signature = RSA.sign(claims).split(".")
    return f"{head}.{encoded(claims | {'sub': 'root'})}.{signature}"


def of(**others: Any) -> Callable[[dict[str, Any]], str]:
    """Return a well-signed token whose claims are wrong."""

    def make(claims: dict[str, Any]) -> str:
        changed = {k: v for k, v in (claims | others).items() if v is not None}
        text = json.dumps(changed).encode()
        return jwt.api_jws.encode(text, RSA.private, algorithm="RS256", headers={"kid": "rsa"})

    return make


def under(**head: Any) -> Callable[[dict[str, Any]], str]:
    """Return a well-signed token with a strange head."""
    return lambda claims: RSA.sign(claims, **head)


def swapped(claims: dict[str, Any]) -> str:
    """Return a token with the algorithm ES256 and the signature of an RSA key."""
    head = encoded({"alg": "ES256", "kid": "ec"})
    return f"{head}.{encoded(claims)}.{RSA.sign(claims).rpartition('.')[2]}"


def raw_claims(text: bytes) -> Callable[[dict[str, Any]], str]:
    return lambda _: jwt.api_jws.encode(text, RSA.private, "RS256", headers={"kid": "rsa"})


BAD: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
    "no signature: none": (lambda c: unsigned({"alg": "none"}, c, "AA"), "wrong_algorithm"),
    "no signature: None": (lambda c: unsigned({"alg": "None"}, c, "AA"), "wrong_algorithm"),
    "no signature: NONE": (lambda c: unsigned({"alg": "NONE"}, c, "AA"), "wrong_algorithm"),
    "no algorithm": (lambda c: unsigned({"kid": "rsa"}, c, "AA"), "wrong_algorithm"),
    "algorithm is a list": (lambda c: unsigned({"alg": ["RS256"]}, c, "AA"), "wrong_algorithm"),
    "HS256 with the public key": (hmac_with_public_key, "wrong_algorithm"),
    "HS256 with an empty key": (
        lambda c: unsigned({"alg": "HS256", "kid": ""}, c, "AA"), "wrong_algorithm"
    ),
    "RS512": (
        lambda c: jwt.encode(c, RSA.private, "RS512", headers={"kid": "rsa"}), "wrong_algorithm"
    ),
    "PS256": (
        lambda c: jwt.encode(c, RSA.private, "PS256", headers={"kid": "rsa"}), "wrong_algorithm"
    ),
    "another key of the same name": (STRANGER.sign, "bad_signature"),
    "a key the issuer does not have": (new_signer("other").sign, "unknown_key"),
    "a key too short to trust": (WEAK.sign, "unknown_key"),
    "no key id with several keys of a kind": (
        lambda c: jwt.encode(c, STRANGER.private, "RS256"), "bad_signature"
    ),
    "the key of another algorithm": (swapped, "bad_signature"),
    "the name of a key of another kind": (under(kid="ec"), "unknown_key"),
    "key id is a number": (
        lambda c: unsigned({"alg": "RS256", "kid": 7}, c, "AA"), "malformed"
    ),
    "key id is a path": (under(kid="../../dev/null"), "unknown_key"),
    "key id is endless": (under(kid="k" * 300), "malformed"),
    "its own key in the head": (
        lambda c: STRANGER.sign(c, kid="mine", jwk=STRANGER.published()), "unknown_key"
    ),
    "an address of keys in the head": (
        lambda c: STRANGER.sign(c, kid="mine", jku="http://127.0.0.1:9/keys"), "unknown_key"
    ),
    "changed after signing": (tampered, "bad_signature"),
    "signature cut": (lambda c: RSA.sign(c)[:-20], "bad_signature"),
    "signature of another token": (
        lambda c: RSA.sign(c).rpartition(".")[0] + "." + RSA.sign({}).rpartition(".")[2],
        "bad_signature",
    ),
    "expired": (of(exp=int(NOW) - 61), "expired"),
    "expired long ago": (of(exp=0), "expired"),
    "no expiry": (of(exp=None), "malformed"),
    "expiry is text": (of(exp="never"), "malformed"),
    "expiry is true": (of(exp=True), "malformed"),
    "expiry is infinite": (
        lambda c: raw_claims(
            json.dumps(c | {"exp": 1}).replace('"exp": 1', '"exp": Infinity').encode()
        )(c),
        "malformed",
    ),
    "expiry beyond all numbers": (of(exp=10**30), "malformed"),
    "not valid yet": (of(nbf=int(NOW) + 1000), "not_yet_valid"),
    "issued in the future": (of(iat=int(NOW) + 3600), "issued_in_future"),
    "another audience": (of(aud="https://other.example"), "wrong_audience"),
    "no audience": (of(aud=None), "wrong_audience"),
    "several audiences, not ours": (of(aud=["a", "b"]), "wrong_audience"),
    "audience that starts like ours": (of(aud=AUDIENCE + ".evil.example"), "wrong_audience"),
    "audience is an object": (of(aud={AUDIENCE: 1}), "wrong_audience"),
    "another issuer": (of(iss="https://evil.example"), "wrong_issuer"),
    "no issuer": (of(iss=None), "wrong_issuer"),
    "issuer in a list": (of(iss=["x"]), "wrong_issuer"),
    "no subject": (of(sub=None), "no_identity"),
    "empty subject": (of(sub=""), "no_identity"),
    "blank subject": (of(sub="  "), "no_identity"),
    "subject is a number": (of(sub=1), "no_identity"),
    "subject with a line break": (of(sub="a\nb"), "no_identity"),
    "subject that means nobody": (of(sub="anonymous"), "no_identity"),
    "tenant is a list": (of(tenant_id=["acme"]), "no_identity"),
    "tenant is empty": (of(tenant_id=""), "no_identity"),
    "bound to a key of its holder": (of(cnf={"jkt": "x"}), "bound_token"),
    "an extension that must be understood": (under(crit=["exp2"], exp2=1), "unknown_extension"),
    "another type of token": (under(typ="dpop+jwt"), "wrong_type"),
    "oversized": (of(padding="x" * 20_000), "too_long"),
    "empty": (lambda _: "", "malformed"),
    "one word": (lambda _: "token", "malformed"),
    "two parts": (lambda c: RSA.sign(c).rpartition(".")[0], "malformed"),
    "four parts": (lambda c: RSA.sign(c) + ".AA", "malformed"),
    "no JSON in it": (lambda _: "AAAA.AAAA.AAAA", "malformed"),
    "claims are a list": (raw_claims(b"[1]"), "malformed"),
    "claims are nested without end": (raw_claims(b"[" * 8000), "malformed"),
    "claims are not UTF-8": (raw_claims(b'{"sub":"\xff"}'), "malformed"),
    "characters outside the alphabet": (lambda c: RSA.sign(c) + "\x00", "malformed"),
    "padding": (lambda c: RSA.sign(c) + "==", "malformed"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_token_is_refused_with_its_reason(setup: Setup, name: str) -> None:
    make, reason = BAD[name]
    setup.issuer.keys.append(WEAK.published())

    assert await setup.refusal(make(setup.claims())) == reason
    assert setup.issuer.fetches <= 1


async def test_bad_tokens_fetch_the_keys_at_most_every_thirty_seconds(
    setup: Setup,
) -> None:
    assert len(BAD) >= 40
    for second in (0, 1, 15, 29, 30, 31, 45, 59, 60, 61, 75, 89):
        setup.now = NOW + second
        for make, _ in BAD.values():
            await setup.refusal(make(setup.claims()))

    assert setup.issuer.fetches == 3


async def test_a_flood_of_unknown_keys_does_not_keep_good_tokens_out(setup: Setup) -> None:
    good = RSA.sign(setup.claims())
    for number in range(500):
        assert await setup.refusal(RSA.sign(setup.claims(), kid=f"k{number}")) == "unknown_key"
        assert (await setup.verify(good)).user == "alice"

    assert setup.issuer.fetches == 1


async def test_a_new_key_works_within_thirty_seconds_and_an_old_one_stops(
    setup: Setup,
) -> None:
    await setup.verify(RSA.sign(setup.claims()))
    new = new_signer("next")
    setup.issuer.keys = [new.published()]

    setup.now += 5
    assert await setup.refusal(new.sign(setup.claims())) == "unknown_key"
    setup.now += 25
    assert (await setup.verify(new.sign(setup.claims()))).user == "alice"
    assert await setup.refusal(RSA.sign(setup.claims())) == "unknown_key"
    assert setup.issuer.fetches == 2


async def test_keys_are_refetched_after_the_refresh_interval(setup: Setup) -> None:
    await setup.verify(RSA.sign(setup.claims()))
    setup.issuer.keys = [EC.published()]

    setup.now += 3599
    assert (await setup.verify(RSA.sign(setup.claims()))).user == "alice"
    setup.now += 1
    assert await setup.refusal(RSA.sign(setup.claims())) == "unknown_key"


async def test_cached_keys_are_used_while_the_issuer_is_unavailable(setup: Setup) -> None:
    await setup.verify(RSA.sign(setup.claims()))
    setup.issuer.broken = True
    setup.now += 7200

    assert (await setup.verify(RSA.sign(setup.claims()))).user == "alice"


async def test_an_issuer_that_was_never_reached_is_not_the_token_s_fault(
    setup: Setup,
) -> None:
    setup.issuer.broken = True

    with pytest.raises(IssuerUnavailableError) as caught:
        await setup.verify(RSA.sign(setup.claims()))

    assert caught.value.retry_after == 30
    setup.issuer.broken = False
    setup.now += 30
    assert (await setup.verify(RSA.sign(setup.claims()))).user == "alice"


async def test_an_issuer_without_discovery_has_its_keys_at_the_usual_url(
    setup: Setup,
) -> None:
    setup.issuer.discovery = {}

    assert (await setup.verify(RSA.sign(setup.claims()))).user == "alice"
    assert setup.issuer.requests["/.well-known/jwks.json"] == 1


@pytest.mark.parametrize(
    "metadata", [{"issuer": "https://evil.example"}, {"jwks_uri": "file:///k"}]
)
async def test_metadata_of_another_issuer_is_refused(
    setup: Setup, metadata: dict[str, str]
) -> None:
    usual = {"issuer": setup.issuer.url, "jwks_uri": f"{setup.issuer.url}/keys"}
    setup.issuer.discovery = usual | metadata

    with pytest.raises(IssuerUnavailableError):
        await setup.verify(RSA.sign(setup.claims()))
    assert setup.issuer.fetches == 0


@pytest.mark.parametrize(
    "change",
    [{"use": "enc"}, {"alg": "RS512"}, {"key_ops": ["sign"]}, {"kty": "oct", "k": "AAAA"},
     {"d": "AQAB"}, {"n": "!"}],
    ids=str,
)  # fmt: skip
async def test_keys_for_something_else_verify_nothing(setup: Setup, change: dict[str, Any]) -> None:
    setup.issuer.keys = [RSA.published() | change]

    assert await setup.refusal(RSA.sign(setup.claims())) == "unknown_key"

"""Who may use the HTTP server, and what for."""

from collections.abc import Iterable
from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, TEXT, duration, many, matching, url
from webquarry.settings.variable import Variable

_CLAIM = matching(r"[A-Za-z0-9_.:/-]{1,128}", "the name of a claim")
_SCOPE = matching(r"[\x21\x23-\x5b\x5d-\x7e]{1,128}", "a scope without blanks and quotes")
_ADMIN_KEY = matching(r"[\x21-\x7e]{16,512}", "16 to 512 printable characters without blanks")


class AuthSettings(SettingsGroup):
    """Tokens, keys and scopes of those who call over HTTP."""

    oauth_issuer_url: Annotated[
        str,
        Variable(
            "OAUTH_ISSUER_URL",
            "Issuer whose tokens are accepted (OAuth 2.1, OpenID Connect); empty for none.",
            url("https", "http"),
        ),
    ] = ""
    oauth_audience: Annotated[
        tuple[str, ...],
        Variable("OAUTH_AUDIENCE", "Audiences of which a token must name one of ours.", many(TEXT)),
    ] = ()
    oauth_leeway: Annotated[
        float,
        Variable(
            "OAUTH_LEEWAY", "By how much the issuer's clock may differ.", duration("0s", "5m")
        ),
    ] = 60.0
    oauth_tenant_claim: Annotated[
        str, Variable("OAUTH_TENANT_CLAIM", "Claim that names the tenant.", _CLAIM)
    ] = "tenant_id"
    jwks_refresh_interval: Annotated[
        float,
        Variable(
            "JWKS_REFRESH_INTERVAL",
            "How long the issuer's keys are used before they are fetched again.",
            duration("1m", "24h"),
        ),
    ] = 3600.0
    api_keys: Annotated[
        bool,
        Variable(
            "API_KEYS", "Accept the keys that `webquarry keys create` makes, and demand one.", FLAG
        ),
    ] = False
    enforce_scopes: Annotated[
        bool,
        Variable(
            "ENFORCE_SCOPES",
            "Refuse every tool to tokens that name none; those that do are always held to it.",
            FLAG,
        ),
    ] = False
    required_scopes: Annotated[
        tuple[str, ...],
        Variable("REQUIRED_SCOPES", "Scopes that every token must have.", many(_SCOPE)),
    ] = ()
    allow_unauthenticated: Annotated[
        bool,
        Variable(
            "ALLOW_UNAUTHENTICATED",
            "Serve other machines without tokens or keys: everyone who reaches it may use it.",
            FLAG,
        ),
    ] = False
    public_url: Annotated[
        str,
        Variable(
            "PUBLIC_URL",
            "Address of this server as its clients know it, like https://research.example.org.",
            url("https", "http"),
        ),
    ] = ""
    admin_api_key: Annotated[
        str,
        Variable(
            "ADMIN_API_KEY", "Key of /admin; without one there is no /admin.", _ADMIN_KEY,
            secret=True,
        ),
    ] = ""  # fmt: skip
    admin_api_key_prev: Annotated[
        str,
        Variable(
            "ADMIN_API_KEY_PREV",
            "The admin key before the current one: still accepted, and noted.",
            _ADMIN_KEY,
            secret=True,
        ),
    ] = ""
    metrics_token: Annotated[
        str,
        Variable(
            "METRICS_TOKEN",
            "Bearer token that /metrics demands; with authentication on, the admin key works too.",
            _ADMIN_KEY,
            secret=True,
        ),
    ] = ""

    @property
    def demanded(self) -> bool:
        """Return whether a caller must say who they are."""
        return bool(self.oauth_issuer_url) or self.api_keys

    def conflicts(self) -> Iterable[str]:
        """Refuse half a configuration: it would protect nothing."""
        if self.oauth_issuer_url and not self.oauth_audience:
            yield (
                "OAUTH_ISSUER_URL is set but OAUTH_AUDIENCE is not: tokens that the issuer made "
                "for other services would be accepted; set it to what tokens for this server name"
            )
        if self.oauth_audience and not self.oauth_issuer_url:
            yield "OAUTH_AUDIENCE is set but OAUTH_ISSUER_URL is not: nobody could have a token"
        if self.admin_api_key_prev and not self.admin_api_key:
            yield "ADMIN_API_KEY_PREV is set but ADMIN_API_KEY is not; set the current key too"

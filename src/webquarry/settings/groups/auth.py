"""Authentication and authorisation of HTTP clients."""

from collections.abc import Iterable

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import TEXT, duration, many, matching, url

_CLAIM = matching(r"[A-Za-z0-9_.:/-]{1,128}", "the name of a claim")
_SCOPE = matching(r"[\x21\x23-\x5b\x5d-\x7e]{1,128}", "a scope without blanks and quotes")
_ADMIN_KEY = matching(r"[\x21-\x7e]{16,512}", "16 to 512 printable characters without blanks")


class AuthSettings(SettingsGroup):
    """Authentication of HTTP clients: tokens, keys and scopes."""

    oauth_issuer_url: str = setting(
        "OAUTH_ISSUER_URL",
        "Issuer whose tokens are accepted (OAuth 2.1, OpenID Connect); empty for none.",
        url("https", "http"),
        default="",
    )
    oauth_audience: tuple[str, ...] = setting(
        "OAUTH_AUDIENCE",
        "Accepted audiences; a token must name one of them.",
        many(TEXT),
        default=(),
    )
    oauth_leeway: float = setting(
        "OAUTH_LEEWAY",
        "How much the issuer's clock may differ.",
        duration("0s", "5m"),
        default=60.0,
    )
    oauth_tenant_claim: str = setting(
        "OAUTH_TENANT_CLAIM", "Claim that contains the tenant.", _CLAIM, default="tenant_id"
    )
    jwks_refresh_interval: float = setting(
        "JWKS_REFRESH_INTERVAL",
        "How long the issuer's keys are used before they are fetched again.",
        duration("1m", "24h"),
        default=3600.0,
    )
    api_keys: bool = flag(
        "API_KEYS",
        "Accept keys created with `webquarry keys create`, and require one.",
        default=False,
    )
    enforce_scopes: bool = flag(
        "ENFORCE_SCOPES",
        "Deny every tool to tokens whose scopes name no tool; tokens with such scopes are "
        "always limited to them.",
        default=False,
    )
    required_scopes: tuple[str, ...] = setting(
        "REQUIRED_SCOPES", "Scopes that every token must have.", many(_SCOPE), default=()
    )
    allow_unauthenticated: bool = flag(
        "ALLOW_UNAUTHENTICATED",
        "Serve other machines without authentication: everyone who can reach the server may "
        "use it.",
        default=False,
    )
    public_url: str = setting(
        "PUBLIC_URL",
        "URL of this server as its clients know it, such as https://research.example.org.",
        url("https", "http"),
        default="",
    )
    admin_api_key: str = setting(
        "ADMIN_API_KEY",
        "Key for /admin; without it, /admin is disabled.",
        _ADMIN_KEY,
        default="",
        secret=True,
    )
    admin_api_key_prev: str = setting(
        "ADMIN_API_KEY_PREV",
        "The previous admin key: still accepted, and its use is logged.",
        _ADMIN_KEY,
        default="",
        secret=True,
    )
    metrics_token: str = setting(
        "METRICS_TOKEN",
        "Bearer token that /metrics requires; with authentication on, the admin key works too.",
        _ADMIN_KEY,
        default="",
        secret=True,
    )

    @property
    def required(self) -> bool:
        """Return whether callers must authenticate."""
        return bool(self.oauth_issuer_url) or self.api_keys

    def conflicts(self) -> Iterable[str]:
        """Reject incomplete configurations."""
        if self.oauth_issuer_url and not self.oauth_audience:
            yield (
                "OAUTH_ISSUER_URL is set but OAUTH_AUDIENCE is not: tokens that the issuer made "
                "for other services would be accepted; set it to what tokens for this server name"
            )
        if self.oauth_audience and not self.oauth_issuer_url:
            yield "OAUTH_AUDIENCE is set but OAUTH_ISSUER_URL is not: no token could be valid"
        if self.admin_api_key_prev and not self.admin_api_key:
            yield "ADMIN_API_KEY_PREV is set but ADMIN_API_KEY is not; set the current key too"

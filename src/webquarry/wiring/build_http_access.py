"""Builds what stands between the HTTP server and the world, as the settings want it."""

from collections.abc import Callable

from webquarry.auth.access_tokens import AccessTokens, TokenRequirements
from webquarry.auth.admin_key import AdminKey
from webquarry.auth.api_keys import ApiKeys
from webquarry.auth.authenticator import Authenticator
from webquarry.auth.issuer_keys import IssuerKeys
from webquarry.calls.limits import (
    CallCounter,
    Limiter,
    LocalCallCounter,
    StoreCallCounter,
    address_limit,
    http_limits,
)
from webquarry.errors import SettingsError
from webquarry.observe.audit import AuditEvent, AuditLog
from webquarry.server.access_control import AccessRules
from webquarry.server.admin import AdminApi
from webquarry.server.http_app import HttpApp
from webquarry.server.request_guard import LOOPBACK
from webquarry.services.people.consent import Consents
from webquarry.services.people.members import Members
from webquarry.settings.load import Settings
from webquarry.storage.store import Store
from webquarry.wiring.container import Container
from webquarry.wiring.personal_data_sources import build_subjects


def check_exposure(settings: Settings) -> None:
    """Refuse to serve other machines without asking who calls, unless that is what is wanted."""
    open_to_all = settings.server.host not in LOOPBACK and not settings.auth.demanded
    if open_to_all and not settings.auth.allow_unauthenticated:
        raise SettingsError(
            f"{settings.server.host} can be reached from other machines, and nobody would have to "
            "say who they are: set OAUTH_ISSUER_URL and OAUTH_AUDIENCE, or API_KEYS=on (and make "
            "a key with `webquarry keys create`), or ALLOW_UNAUTHENTICATED=on to serve everyone"
        )
    if not settings.http.cors_strict and not settings.auth.demanded:
        raise SettingsError(
            "CORS_STRICT=off without tokens or keys would let every web page use this server; "
            "name the pages in ALLOWED_ORIGINS instead"
        )


def build_house(settings: Settings, parts: Container, audit: AuditLog | None) -> HttpApp:
    """Return who may come in and who may look behind the scenes."""
    note: Callable[[AuditEvent], None] = audit.log if audit else lambda _: None
    shared = StoreCallCounter(lambda: parts.store)
    alone = settings.http.workers == 1 and not settings.cache.redis_url
    counts: CallCounter = LocalCallCounter() if alone else shared
    limits = settings.limits
    access = AccessRules(
        addresses=Limiter((address_limit(limits.rate_limit_per_ip),), counts),
        requests=Limiter(
            http_limits(
                per_tenant=limits.rate_limit_per_tenant,
                overall=limits.rate_limit_global,
                daily=limits.daily_quota_per_tenant,
            ),
            counts,
            daily=shared,
        ),
        door=_door(settings, parts),
        issuer=settings.auth.oauth_issuer_url,
        public_url=settings.auth.public_url,
        trust_proxy=settings.http.trust_proxy,
        note=note,
    )
    parts.quotas.watch(access.requests.quotas)
    return HttpApp(access=access, desk=_desk(settings, parts, note))


def _door(settings: Settings, parts: Container) -> Authenticator | None:
    auth = settings.auth
    if not auth.demanded:
        return None
    tokens = None
    if auth.oauth_issuer_url:
        demands = TokenRequirements(
            issuer=auth.oauth_issuer_url,
            audiences=auth.oauth_audience,
            leeway=auth.oauth_leeway,
            tenant_claim=auth.oauth_tenant_claim,
            enforce_scopes=auth.enforce_scopes,
        )
        keys = IssuerKeys(
            auth.oauth_issuer_url, parts.network.http, refresh=auth.jwks_refresh_interval
        )
        tokens = AccessTokens(demands, keys)
    api_keys = ApiKeys(parts.store) if auth.api_keys else None
    return Authenticator(tokens=tokens, keys=api_keys, required=auth.required_scopes)


def _desk(
    settings: Settings, parts: Container, note: Callable[[AuditEvent], None]
) -> AdminApi | None:
    auth = settings.auth
    if not auth.admin_api_key:
        return None
    store: Store = parts.store
    metrics = parts.metrics
    # without its database a server that shares a store can have no crawls at all
    shared = bool(settings.cache.redis_url) == bool(settings.crawling.database_url)
    crawling = parts.crawling if shared else None
    return AdminApi(
        key=AdminKey(auth.admin_api_key, auth.admin_api_key_prev),
        store=store,
        subjects=build_subjects(store, parts.index, parts.sessions, crawling),
        consents=Consents(store),
        members=Members(store),
        keys=ApiKeys(store),
        use=metrics.tenants,
        forget_errors=metrics.forget_errors,
        note=note,
    )

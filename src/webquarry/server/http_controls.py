"""Builds authentication, rate limits and the admin API of the HTTP server."""

from collections.abc import Callable

from webquarry.auth.admin_key import AdminKey
from webquarry.auth.api_keys import ApiKeys
from webquarry.auth.authenticator import Authenticator
from webquarry.auth.issuer_keys import IssuerKeys
from webquarry.calls.limits import (
    CallCounter,
    Limiter,
    LocalCallCounter,
    StoreCallCounter,
    global_limit,
    http_limits,
    ip_limit,
)
from webquarry.observe.audit import AuditEvent, AuditLog
from webquarry.server.access_control import AccessRules
from webquarry.server.admin import AdminApi
from webquarry.server.exposure import is_single_user
from webquarry.server.http_app import HttpControls
from webquarry.server.personal_data_sources import build_data_rights
from webquarry.services.people.consent import Consents
from webquarry.services.people.members import Members
from webquarry.settings.load import Settings
from webquarry.storage.store import Store
from webquarry.wiring.container import Services


def build_http_controls(
    settings: Settings, services: Services, audit: AuditLog | None
) -> HttpControls:
    """Return the access rules and the admin API that the settings describe."""
    log_event: Callable[[AuditEvent], None] = audit.log if audit else lambda _: None
    shared = StoreCallCounter(lambda: services.store)
    single_process = settings.http.workers == 1 and not settings.cache.redis_url
    counter: CallCounter = LocalCallCounter() if single_process else shared
    limits = settings.limits
    access = AccessRules(
        ip_limiter=Limiter((ip_limit(limits.rate_limit_per_ip),), counter),
        request_limiter=Limiter(
            http_limits(
                per_tenant=limits.rate_limit_per_tenant,
                overall=limits.rate_limit_global,
                daily=limits.daily_quota_per_tenant,
            ),
            counter,
            daily=shared,
        ),
        read_limiter=Limiter((global_limit(limits.rate_limit_global),), counter),
        authenticator=_authenticator(settings, services),
        local_user=settings.server.local_user if is_single_user(settings) else "",
        issuer=settings.auth.oauth_issuer_url,
        public_url=settings.auth.public_url,
        trust_proxy=settings.http.trust_proxy,
        log_event=log_event,
    )
    services.quotas.register(access.request_limiter.quotas)
    return HttpControls(access=access, admin=_admin_api(settings, services, log_event))


def _authenticator(settings: Settings, services: Services) -> Authenticator | None:
    auth = settings.auth
    if not auth.required:
        return None
    tokens = None
    if auth.oauth_issuer_url:
        # PyJWT takes 30 ms to import, and few servers have an issuer
        from webquarry.auth.access_tokens import AccessTokens, TokenRequirements

        requirements = TokenRequirements(
            issuer=auth.oauth_issuer_url,
            audiences=auth.oauth_audience,
            leeway=auth.oauth_leeway,
            tenant_claim=auth.oauth_tenant_claim,
            enforce_scopes=auth.enforce_scopes,
        )
        keys = IssuerKeys(
            auth.oauth_issuer_url, services.network.http, refresh=auth.jwks_refresh_interval
        )
        tokens = AccessTokens(requirements, keys)
    api_keys = ApiKeys(services.store) if auth.api_keys else None
    return Authenticator(tokens=tokens, keys=api_keys, required=auth.required_scopes)


def _admin_api(
    settings: Settings, services: Services, log_event: Callable[[AuditEvent], None]
) -> AdminApi | None:
    auth = settings.auth
    if not auth.admin_api_key:
        return None
    store: Store = services.store
    metrics = services.metrics
    # crawls need both Redis and Postgres, or neither
    can_crawl = bool(settings.cache.redis_url) == bool(settings.crawling.database_url)
    crawling = services.crawling if can_crawl else None
    watching = services.watching if can_crawl else None
    return AdminApi(
        key=AdminKey(auth.admin_api_key, auth.admin_api_key_prev),
        store=store,
        data_rights=build_data_rights(
            store, services.page_index, services.sessions, crawling, watching
        ),
        consents=Consents(store),
        members=Members(store),
        keys=ApiKeys(store),
        usage=metrics.tenants,
        forget_errors=metrics.forget_errors,
        log_event=log_event,
    )

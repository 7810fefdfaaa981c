"""Who can reach the HTTP server; free of server imports, for `webquarry doctor`."""

from webquarry.errors import SettingsError
from webquarry.settings.load import Settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def check_exposure(settings: Settings) -> None:
    """Refuse to serve other machines without authentication, unless the operator allows it."""
    open_to_all = settings.server.host not in LOOPBACK and not settings.auth.required
    if open_to_all and not settings.auth.allow_unauthenticated:
        raise SettingsError(
            f"{settings.server.host} is reachable from other machines without authentication. Set "
            "OAUTH_ISSUER_URL and OAUTH_AUDIENCE, or API_KEYS=on (and create a key with "
            "`webquarry keys create`), or ALLOW_UNAUTHENTICATED=on to serve everyone"
        )
    if not settings.http.cors_strict and not settings.auth.required:
        raise SettingsError(
            "CORS_STRICT=off without authentication lets every web page use this server; "
            "list the allowed origins in ALLOWED_ORIGINS instead"
        )


def is_single_user(settings: Settings) -> bool:
    """Tell whether everyone who can reach the server is the person who started it.

    Not if other machines can reach it, directly or through a proxy.
    """
    server = settings.server
    behind_proxy = settings.http.trust_proxy or settings.auth.public_url or server.allowed_hosts
    is_local = server.host in LOOPBACK and not settings.auth.required and not behind_proxy
    return is_local and server.single_user

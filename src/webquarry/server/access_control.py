"""Authentication and rate limits, checked before anything else happens to a request."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.auth.authenticator import Authenticator
from webquarry.auth.principal import MissingScopeError, Principal, UnauthenticatedError
from webquarry.calls.limits import Limiter, LimitStatus, OverLimitError
from webquarry.errors import WebquarryError
from webquarry.models.caller import ANONYMOUS, Caller, Transport
from webquarry.observe.audit import AuditEvent
from webquarry.server.limit_headers import limit_headers
from webquarry.server.problem_details import rejection

METADATA = "/.well-known/oauth-protected-resource"
# if authentication is required, every other path needs a credential
# pages without data, and feeds, whose URLs hold a secret
PUBLIC_PREFIXES = ("/health/", "/.well-known/", "/assets/", "/console/", "/feeds/")
PUBLIC_PATHS = frozenset({"/", "/llms.txt", "/metrics"})  # /metrics checks its own token
UNLIMITED_PREFIXES = ("/health/", "/assets/")
ADMIN = "/admin"
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
_JOBS = ("/v1/crawl", "/v1/batch", "/v1/monitors")
JOB_PATHS = "webquarry.job_paths"  # in the scope of a request: further paths of jobs


@dataclass(frozen=True, kw_only=True)
class AccessRules:
    """The conditions that a request must meet."""

    ip_limiter: Limiter  # checked before authentication
    request_limiter: Limiter  # per tenant, and overall
    read_limiter: Limiter  # overall: for reads of jobs, which cost little
    authenticator: Authenticator | None = None  # None: no caller has a credential
    local_user: str = ""  # the only user of a local server without authentication
    issuer: str = ""
    public_url: str = ""
    trust_proxy: bool = False
    log_event: Callable[[AuditEvent], None] = lambda _: None


class AccessMiddleware:
    """Rejects unauthenticated and too frequent requests; puts the principal into the others."""

    def __init__(self, app: ASGIApp, *, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # health checks and the assets of a page do not count against a limit
        if scope["type"] != "http" or scope["path"].startswith(UNLIMITED_PREFIXES):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        address = client_ip(request, trust_proxy=self._rules.trust_proxy)
        request.state.address = address
        try:
            limits = await self._check(request, address)
        except WebquarryError as exc:
            await self._rejection(request, exc)(scope, receive, send)
            return
        await self._app(scope, receive, _LimitHeaders(send, limits) if limits else send)

    async def _check(self, request: Request, address: str | None) -> tuple[LimitStatus, ...]:
        """Return the state of the limits that the request counts against, or raise."""
        rules, path = self._rules, request.url.path
        limits = await rules.ip_limiter.take(Caller(address=address))
        if path in PUBLIC_PATHS or path.startswith(PUBLIC_PREFIXES) or _is_below(path, ADMIN):
            return limits
        if rules.authenticator is not None:
            principal = await rules.authenticator.authenticate(_credential(request.headers))
            request.state.principal = principal
            request.scope["user"] = _sdk_user(principal)
        elif rules.local_user and not _is_forwarded(request.headers):
            request.state.local_user = rules.local_user
        limiter = rules.read_limiter if _is_status_read(request) else rules.request_limiter
        return limits + await limiter.take(caller_of(request, "http"))

    def _rejection(self, request: Request, exc: WebquarryError) -> Response:
        headers: dict[str, str] = {}
        status = 503
        if isinstance(exc, OverLimitError):
            status, headers = 429, limit_headers([exc.status])
        elif isinstance(exc, UnauthenticatedError):
            status, headers = 401, {"WWW-Authenticate": self._challenge(request, exc)}
            self._log_failure(request, exc.code)
        elif isinstance(exc, MissingScopeError):
            status, headers = 403, {"WWW-Authenticate": self._challenge(request, exc)}
            self._log_failure(request, "insufficient_scope")
        block = exc.block()
        if exc.retry_after is not None and status != 401:
            headers["Retry-After"] = str(max(1, math.ceil(exc.retry_after)))
        return rejection(request.url.path, str(exc), block, status=status, headers=headers)

    def _challenge(self, request: Request, exc: UnauthenticatedError | MissingScopeError) -> str:
        parts = ['realm="webquarry"']
        if self._rules.issuer:
            base = public_base_url(request, self._rules.public_url)
            parts.append(f'resource_metadata="{base}{METADATA}/mcp"')
        if isinstance(exc, MissingScopeError):
            parts += ['error="insufficient_scope"', f'scope="{" ".join(exc.scopes)}"']
        elif exc.code != "missing":  # RFC 6750: no error code if no credential was sent
            parts.append('error="invalid_token"')
            parts.append(f'error_description="{exc}"')
        return "Bearer " + ", ".join(parts)

    def _log_failure(self, request: Request, code: str) -> None:
        self._rules.log_event(
            AuditEvent(
                event_type="auth.failure",
                tenant_id="",
                user_id="",
                success=False,
                request_id=request.state.request_id,
                source_ip=request.state.address or "",
                error_code=code,
                metadata={"path": request.url.path[:200]},
            )
        )


class _LimitHeaders:
    """Adds the RateLimit headers to a response."""

    def __init__(self, send: Send, limits: tuple[LimitStatus, ...]) -> None:
        self._send = send
        self._limits = limits

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in limit_headers(self._limits).items():
                headers.setdefault(name, value)
        await self._send(message)


def caller_of(request: Request | None, transport: Transport) -> Caller:
    """Return the authenticated caller of a request, the only user, or an anonymous one."""
    if request is None:
        return Caller(transport=transport)
    address: str | None = getattr(request.state, "address", None)
    principal: Principal | None = getattr(request.state, "principal", None)
    if principal is None:
        return _unauthenticated(getattr(request.state, "local_user", ""), transport, address)
    return Caller(
        tenant=principal.tenant,
        user=principal.user,
        transport=transport,
        scopes=principal.scopes,
        address=address,
        proved=True,
    )


def _unauthenticated(local_user: str, transport: Transport, address: str | None) -> Caller:
    if not local_user:
        return Caller(transport=transport, address=address)
    # before the console had a user, what it stored belonged to nobody
    previous = (ANONYMOUS,)
    return Caller(user=local_user, transport=transport, address=address, previous_users=previous)


def client_ip(request: Request, *, trust_proxy: bool) -> str | None:
    """Return the IP address of the client; behind a trusted proxy, as the proxy reports it."""
    if trust_proxy and (forwarded := request.headers.get("x-forwarded-for")):
        # our proxy appended the last address; the client may have forged the others
        return forwarded.rpartition(",")[2].strip()[:64]
    return request.client.host if request.client else None


def public_base_url(request: Request, public_url: str) -> str:
    """Return the base URL that clients use."""
    return public_url.rstrip("/") or str(request.base_url).rstrip("/")


def _credential(headers: Headers) -> str:
    values = [*headers.getlist("authorization"), *headers.getlist("x-api-key")]
    if not values:
        raise UnauthenticatedError(
            "Authentication is required: send an access token or an API key.", code="missing"
        )
    if len(values) > 1:
        raise UnauthenticatedError("Send only one credential.", code="several")
    if "authorization" not in headers:
        return values[0]
    scheme, _, credential = values[0].partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise UnauthenticatedError("Send Authorization: Bearer <token>.", code="wrong_scheme")
    return credential.strip()


def _sdk_user(principal: Principal) -> AuthenticatedUser:
    """Return the user for the SDK, which binds MCP sessions to the user who opened them."""
    token = AccessToken(
        token="",
        client_id=principal.client,
        scopes=sorted(principal.scopes or ()),
        subject=f"{principal.tenant}\0{principal.user}",
        claims={"iss": principal.issuer},
    )
    return AuthenticatedUser(token)


def _is_forwarded(headers: Headers) -> bool:
    """Tell whether a proxy on this machine forwarded the request, maybe for someone else."""
    return any(name in headers for name in _FORWARDED)


def _is_status_read(request: Request) -> bool:
    """Tell whether a request only reads the progress and results of a job, as pollers do."""
    if request.method not in {"GET", "HEAD"}:
        return False
    roots = (*_JOBS, *request.scope.get(JOB_PATHS, ()))
    return any(_is_below(request.url.path, root) for root in roots)


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root}/")

"""Who gets past the gate: addresses, tokens, keys and limits, before anything else happens."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.auth.authenticator import Authenticator
from webquarry.auth.principal import MissingScopeError, Principal, UnauthenticatedError
from webquarry.calls.limits import Limiter, LimitStatus, OverLimitError
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller, Transport
from webquarry.observe.audit import AuditEvent
from webquarry.server.limit_headers import limit_headers
from webquarry.server.problem_details import problem

METADATA = "/.well-known/oauth-protected-resource"
# everything else needs a credential when credentials are demanded
OPEN = ("/health/", "/.well-known/", "/assets/", "/console/")  # pages of it hold no data
OPEN_PAGES = frozenset({"/", "/llms.txt", "/metrics"})  # /metrics has a key of its own
UNCOUNTED = ("/health/", "/assets/")
ADMIN = "/admin"


@dataclass(frozen=True, kw_only=True)
class AccessRules:
    """What the server demands of a request."""

    addresses: Limiter  # per address, before anybody is known
    requests: Limiter  # per tenant and of everyone
    door: Authenticator | None = None  # None: everyone is the same anonymous caller
    issuer: str = ""
    public_url: str = ""
    trust_proxy: bool = False
    note: Callable[[AuditEvent], None] = lambda _: None


class Access:
    """Refuses who is not known or comes too often; the others carry their principal along."""

    def __init__(self, app: ASGIApp, *, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # probes and what a page is made of are not calls; a dozen files should not use up a limit
        if scope["type"] != "http" or scope["path"].startswith(UNCOUNTED):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        address = address_of(request, trust_proxy=self._rules.trust_proxy)
        request.state.address = address
        try:
            standings = await self._admit(request, address)
        except WebquarryError as exc:
            await self._refuse(request, exc)(scope, receive, send)
            return
        await self._app(scope, receive, _Telling(send, standings) if standings else send)

    async def _admit(self, request: Request, address: str | None) -> tuple[LimitStatus, ...]:
        rules, path = self._rules, request.url.path
        standings = await rules.addresses.take(Caller(address=address))
        if path in OPEN_PAGES or path.startswith(OPEN) or _below(path, ADMIN):
            return standings
        if rules.door is not None:
            principal = await rules.door.admit(_credential(request.headers))
            request.state.principal = principal
            request.scope["user"] = _sdk_user(principal)
        return standings + await rules.requests.take(caller_of(request, "http"))

    def _refuse(self, request: Request, exc: WebquarryError) -> Response:
        headers: dict[str, str] = {}
        status = 503
        if isinstance(exc, OverLimitError):
            status, headers = 429, limit_headers([exc.standing])
        elif isinstance(exc, UnauthenticatedError):
            status, headers = 401, {"WWW-Authenticate": self._challenge(request, exc)}
            self._note_failure(request, exc.code)
        elif isinstance(exc, MissingScopeError):
            status, headers = 403, {"WWW-Authenticate": self._challenge(request, exc)}
            self._note_failure(request, "insufficient_scope")
        block = exc.block()
        if exc.retry_after is not None and status != 401:
            headers["Retry-After"] = str(max(1, math.ceil(exc.retry_after)))
        if not _below(request.url.path, "/mcp"):
            return problem(str(exc), block, status=status, headers=headers)
        error = {"code": -32000, "message": str(exc), "data": block}
        body = {"jsonrpc": "2.0", "id": None, "error": error}
        return JSONResponse(body, status, headers=headers)

    def _challenge(self, request: Request, exc: UnauthenticatedError | MissingScopeError) -> str:
        parts = ['realm="webquarry"']
        if self._rules.issuer:
            base = resource_base(request, self._rules.public_url)
            parts.append(f'resource_metadata="{base}{METADATA}/mcp"')
        if isinstance(exc, MissingScopeError):
            parts += ['error="insufficient_scope"', f'scope="{" ".join(exc.scopes)}"']
        elif exc.code != "missing":  # whoever sent nothing made no mistake yet
            parts.append('error="invalid_token"')
            parts.append(f'error_description="{exc}"')
        return "Bearer " + ", ".join(parts)

    def _note_failure(self, request: Request, code: str) -> None:
        self._rules.note(
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


class _Telling:
    """Adds to the answer how its caller stands."""

    def __init__(self, send: Send, standings: tuple[LimitStatus, ...]) -> None:
        self._send = send
        self._standings = standings

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in limit_headers(self._standings).items():
                headers.setdefault(name, value)
        await self._send(message)


def caller_of(request: Request | None, transport: Transport) -> Caller:
    """Return who sent the request: what its credential proved, or an anonymous caller."""
    if request is None:
        return Caller(transport=transport)
    address: str | None = getattr(request.state, "address", None)
    principal: Principal | None = getattr(request.state, "principal", None)
    if principal is None:
        return Caller(transport=transport, address=address)
    return Caller(
        tenant=principal.tenant,
        user=principal.user,
        transport=transport,
        scopes=principal.scopes,
        address=address,
        proved=True,
    )


def address_of(request: Request, *, trust_proxy: bool) -> str | None:
    """Return where the request comes from; behind a proxy, what the proxy says."""
    if trust_proxy and (forwarded := request.headers.get("x-forwarded-for")):
        # the last one was added by our own proxy; those before it are anybody's claim
        return forwarded.rpartition(",")[2].strip()[:64]
    return request.client.host if request.client else None


def resource_base(request: Request, public_url: str) -> str:
    """Return the address clients know us by."""
    return public_url.rstrip("/") or str(request.base_url).rstrip("/")


def _credential(headers: Headers) -> str:
    given = [*headers.getlist("authorization"), *headers.getlist("x-api-key")]
    if not given:
        raise UnauthenticatedError(
            "Authentication is required: send an access token or an API key.", code="missing"
        )
    if len(given) > 1:
        raise UnauthenticatedError("Send one credential, not several.", code="several")
    if "authorization" not in headers:
        return given[0]
    scheme, _, credential = given[0].partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise UnauthenticatedError("Send Authorization: Bearer <token>.", code="wrong_scheme")
    return credential.strip()


def _sdk_user(principal: Principal) -> AuthenticatedUser:
    """Return the user as the SDK knows one: it binds sessions to whoever opened them."""
    token = AccessToken(
        token="",
        client_id=principal.client,
        scopes=sorted(principal.scopes or ()),
        subject=f"{principal.tenant}\0{principal.user}",
        claims={"iss": principal.issuer},
    )
    return AuthenticatedUser(token)


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root}/")

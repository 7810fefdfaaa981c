"""The admin endpoints: for the operator's own programs, behind a key, every use written down."""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from webquarry.auth.admin_key import AdminKey
from webquarry.auth.api_keys import ApiKeys
from webquarry.errors import BadInputError, NotFoundError, WebquarryError
from webquarry.models.model import Model
from webquarry.observe.audit import AuditEvent
from webquarry.observe.tenant_usage import TenantUse
from webquarry.services.people.consent import PURPOSES, Consent, Consents, Purpose
from webquarry.services.people.data_rights import DataRights
from webquarry.services.people.members import Member, Members
from webquarry.storage.key_namespaces import SHARED
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

CACHED = tuple(f"{kind}:" for kind in sorted({*SHARED, "owned"}))
SESSIONS = ("session:",)
_MOST_BYTES = 64 * 1024
_YEAR = 366 * 86_400

M = TypeVar("M", bound=Model)
Answer = tuple[dict[str, Any], int]
Does = Callable[["AdminApi", Request], Awaitable[tuple[Answer, AuditEvent]]]


@dataclass(frozen=True, kw_only=True)
class AdminApi:
    """What an operator can look into and change."""

    key: AdminKey
    store: Store
    subjects: DataRights
    consents: Consents
    members: Members
    keys: ApiKeys
    use: TenantUse
    forget_errors: Callable[[str], None]  # the messages of a tenant's recent failures
    note: Callable[[AuditEvent], None]


def routes(desk: AdminApi) -> list[Route]:
    """Return the routes of `/admin`."""
    table: tuple[tuple[str, str, str, Does], ...] = (
        ("DELETE", "/admin/cache", "admin.cache_flush", _flush(CACHED)),
        ("DELETE", "/admin/sessions", "admin.sessions_flush", _flush(SESSIONS)),
        ("GET", "/admin/analytics", "admin.analytics", _analytics),
        ("GET", "/admin/data", "data.export", _export),
        ("DELETE", "/admin/data", "data.erasure", _erase),
        ("POST", "/admin/consent", "consent.change", _decide),
        ("GET", "/admin/consent", "consent.read", _consent),
        ("POST", "/admin/workspace/members", "workspace.member.add", _join),
        ("DELETE", "/admin/workspace/members", "workspace.member.remove", _leave),
        ("GET", "/admin/workspace/members", "workspace.member.list", _members),
        ("GET", "/admin/keys", "key.list", _keys),
        ("POST", "/admin/keys", "key.create", _create_key),
        ("DELETE", "/admin/keys", "key.revoke", _revoke_key),
    )
    return [
        Route(path, _guarded(desk, action, does), methods=[method])
        for method, path, action, does in table
    ]


def _guarded(desk: AdminApi, action: str, does: Does) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        verdict = desk.key.check(request.headers.get("x-admin-key", ""))
        if verdict == "wrong":
            desk.note(_event(request, "auth.failure", error="admin_key_invalid"))
            sentence = "The admin key is missing or wrong; send it as X-Admin-Key."
            return _problem(sentence, 401)
        if verdict == "previous":
            logger.warning("the previous admin key was used; the callers of /admin need the new")
            desk.note(_event(request, "auth.admin_key_prev_used"))
        try:
            (body, status), event = await does(desk, request)
        except WebquarryError as exc:
            desk.note(_event(request, action, error=exc.advice.kind))
            return _problem(str(exc), _status(exc))
        desk.note(event)
        return JSONResponse(body, status)

    return handle


def _flush(kinds: tuple[str, ...]) -> Does:
    async def flush(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
        names: set[str] = set()
        for kind in kinds:
            names |= {name async for name in desk.store.scan(kind)}
            names |= {name async for name in desk.store.logs(kind)}
        gone = sum([await desk.store.delete(name) for name in names])
        action = "admin.cache_flush" if kinds is CACHED else "admin.sessions_flush"
        return ({"deleted": gone}, 200), _event(request, action, metadata={"deleted": gone})

    return flush


async def _analytics(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    tenant = _wanted(request, "tenant_id")["tenant_id"]
    return (desk.use.summary(tenant), 200), _event(request, "admin.analytics", tenant=tenant)


async def _export(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    asked = _wanted(request, "tenant_id", "user_id")
    found = await desk.subjects.export(asked["tenant_id"], asked["user_id"])
    counts = {kind: len(records) for kind, records in found["data"].items()}
    return (found, 200), _event(request, "data.export", **_person(asked), metadata=counts)


async def _erase(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    asked = _wanted(request, "tenant_id", "user_id")
    gone = await desk.subjects.erase(asked["tenant_id"], asked["user_id"])
    desk.forget_errors(asked["tenant_id"])
    body = {"tenantId": asked["tenant_id"], "userId": asked["user_id"], "erased": gone}
    return (body, 200), _event(request, "data.erasure", **_person(asked), metadata=dict(gone))


async def _decide(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    decision = await _read(request, Consent)
    source = request.state.address or ""
    dated = await desk.consents.record(decision.model_copy(update={"decided_from": source}))
    action = "consent.grant" if dated.granted else "consent.withdraw"
    metadata = {"purpose": dated.purpose, "terms_version": dated.terms_version}
    person = {"tenant": dated.tenant_id, "user": dated.user_id}
    body = dated.model_dump(mode="json", by_alias=True)
    return (body, 200), _event(request, action, **person, metadata=metadata)


async def _consent(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    asked = _wanted(request, "tenant_id", "user_id", "purpose")
    wanted: dict[str, Purpose] = {p: p for p in PURPOSES}
    purpose = wanted.get(asked["purpose"])
    if purpose is None:
        raise BadInputError(f"purpose: must be one of {', '.join(PURPOSES)}")
    found = await desk.consents.find(asked["tenant_id"], asked["user_id"], purpose)
    if found is None:
        raise NotFoundError("No decision was ever recorded for this person and purpose.")
    body = found.model_dump(mode="json", by_alias=True)
    person = _person(asked)
    return (body, 200), _event(
        request, "consent.read", tenant=person["tenant"], user=person["user"]
    )


async def _join(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    member = await _read(request, Member)
    await desk.members.add(member)
    return (member.model_dump(), 200), _about(request, "workspace.member.add", member)


async def _leave(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    member = await _read(request, Member)
    removed = await desk.members.remove(member)
    body = member.model_dump() | {"removed": removed}
    return (body, 200), _about(request, "workspace.member.remove", member)


async def _members(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    workspace = _wanted(request, "workspace_id")["workspace_id"]
    found = [member.model_dump() for member in await desk.members.listing(workspace)]
    event = _event(request, "workspace.member.list", metadata={"workspace_id": workspace})
    return ({"members": found}, 200), event


async def _keys(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    found = [key.model_dump(mode="json") for key in await desk.keys.listing()]
    return ({"keys": found}, 200), _event(request, "key.list")


class _NewKey(Model):
    tenant_id: str = "default"
    user_id: str
    scopes: tuple[str, ...] = ()
    note: str = ""
    expires_in: float | None = None  # seconds


async def _create_key(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    wish = await _read(request, _NewKey)
    if wish.expires_in is not None and not 0 < wish.expires_in <= 10 * _YEAR:
        raise BadInputError("expires_in: seconds, above 0 and at most ten years")
    text, made = await desk.keys.create(
        tenant=wish.tenant_id,
        user=wish.user_id,
        scopes=wish.scopes,
        note=wish.note,
        ttl=wish.expires_in,
    )
    metadata = {"key_id": made.id, "scopes": list(made.scopes)}
    event = _event(request, "key.create", tenant=made.tenant, user=made.user, metadata=metadata)
    return (made.model_dump(mode="json") | {"key": text}, 201), event


async def _revoke_key(desk: AdminApi, request: Request) -> tuple[Answer, AuditEvent]:
    gone = await desk.keys.revoke(_wanted(request, "id")["id"])
    metadata = {"key_id": gone.id}
    event = _event(request, "key.revoke", tenant=gone.tenant, user=gone.user, metadata=metadata)
    return ({"revoked": gone.model_dump(mode="json")}, 200), event


def _wanted(request: Request, *names: str) -> dict[str, str]:
    missing = [name for name in names if not request.query_params.get(name)]
    if missing:
        raise BadInputError(f"{', '.join(missing)}: is required in the query string")
    return {name: request.query_params[name] for name in names}


async def _read(request: Request, model: type[M]) -> M:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise BadInputError(f"The body is larger than {_MOST_BYTES} bytes.")
    try:
        return model.model_validate(json.loads(body))
    except ValidationError as exc:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in exc.errors())
        raise BadInputError(wrong) from exc
    except (ValueError, RecursionError) as exc:
        raise BadInputError("The body must be one JSON object.") from exc


def _person(asked: dict[str, str]) -> dict[str, str]:
    return {"tenant": asked["tenant_id"], "user": asked["user_id"]}


def _about(request: Request, action: str, member: Member) -> AuditEvent:
    person = {"tenant": member.tenant_id, "user": member.user_id}
    return _event(request, action, **person, metadata={"workspace_id": member.workspace_id})


def _event(
    request: Request,
    action: str,
    *,
    tenant: str = "",
    user: str = "",
    error: str = "",
    metadata: dict[str, Any] | None = None,
) -> AuditEvent:
    return AuditEvent(
        event_type=action,
        tenant_id=tenant,
        user_id=user,
        success=not error,
        request_id=request.state.request_id,
        source_ip=request.state.address or "",
        error_code=error,
        metadata=metadata or {},
    )


def _status(exc: WebquarryError) -> int:
    return {"validation": 400, "not_found": 404, "network": 503}.get(exc.advice.kind, 500)


def _problem(sentence: str, status: int) -> Response:
    return JSONResponse({"error": {"message": sentence}}, status)

"""The admin API (`/admin`): protected by the admin key; every call is in the audit log."""

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
from webquarry.observe.metrics import TenantUsage
from webquarry.services.people.consent import PURPOSES, Consent, Consents, Purpose
from webquarry.services.people.data_rights import DataRights
from webquarry.services.people.members import Member, Members
from webquarry.storage.key_namespaces import SHARED
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

CACHE_PREFIXES = tuple(f"{kind}:" for kind in sorted({*SHARED, "owned"}))
SESSION_PREFIXES = ("session:",)
_MAX_BODY_BYTES = 64 * 1024
_YEAR = 366 * 86_400

M = TypeVar("M", bound=Model)
BodyAndStatus = tuple[dict[str, Any], int]
AdminAction = Callable[["AdminApi", Request], Awaitable[tuple[BodyAndStatus, AuditEvent]]]


@dataclass(frozen=True, kw_only=True)
class AdminApi:
    """The services that the admin API uses."""

    key: AdminKey
    store: Store
    data_rights: DataRights
    consents: Consents
    members: Members
    keys: ApiKeys
    usage: TenantUsage
    forget_errors: Callable[[str], None]  # deletes the recent error messages of a tenant
    log_event: Callable[[AuditEvent], None]


def routes(api: AdminApi) -> list[Route]:
    """Return the routes of `/admin`."""
    table: tuple[tuple[str, str, str, AdminAction], ...] = (
        ("DELETE", "/admin/cache", "admin.cache_flush", _flush(CACHE_PREFIXES)),
        ("DELETE", "/admin/sessions", "admin.sessions_flush", _flush(SESSION_PREFIXES)),
        ("GET", "/admin/analytics", "admin.analytics", _analytics),
        ("GET", "/admin/data", "data.export", _export),
        ("DELETE", "/admin/data", "data.erasure", _erase),
        ("POST", "/admin/consent", "consent.change", _record_consent),
        ("GET", "/admin/consent", "consent.read", _read_consent),
        ("POST", "/admin/workspace/members", "workspace.member.add", _add_member),
        ("DELETE", "/admin/workspace/members", "workspace.member.remove", _remove_member),
        ("GET", "/admin/workspace/members", "workspace.member.list", _list_members),
        ("GET", "/admin/keys", "key.list", _list_keys),
        ("POST", "/admin/keys", "key.create", _create_key),
        ("DELETE", "/admin/keys", "key.revoke", _revoke_key),
    )
    return [
        Route(path, _endpoint(api, action, handle_action), methods=[method])
        for method, path, action, handle_action in table
    ]


def _endpoint(
    api: AdminApi, action: str, handle_action: AdminAction
) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        verdict = api.key.check(request.headers.get("x-admin-key", ""))
        if verdict == "wrong":
            api.log_event(_event(request, "auth.failure", error="admin_key_invalid"))
            message = "The admin key is missing or wrong. Send it as X-Admin-Key."
            return _problem(message, 401)
        if verdict == "previous":
            logger.warning("the previous admin key was used; give callers of /admin the new one")
            api.log_event(_event(request, "auth.admin_key_prev_used"))
        try:
            (body, status), event = await handle_action(api, request)
        except WebquarryError as exc:
            api.log_event(_event(request, action, error=exc.advice.kind))
            return _problem(str(exc), _status(exc))
        api.log_event(event)
        return JSONResponse(body, status)

    return handle


def _flush(kinds: tuple[str, ...]) -> AdminAction:
    async def flush(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
        names: set[str] = set()
        for kind in kinds:
            names |= {name async for name in api.store.scan(kind)}
            names |= {name async for name in api.store.logs(kind)}
        deleted = sum([await api.store.delete(name) for name in names])
        action = "admin.cache_flush" if kinds is CACHE_PREFIXES else "admin.sessions_flush"
        return ({"deleted": deleted}, 200), _event(request, action, metadata={"deleted": deleted})

    return flush


async def _analytics(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    tenant = _required_params(request, "tenant_id")["tenant_id"]
    return (api.usage.summary(tenant), 200), _event(request, "admin.analytics", tenant=tenant)


async def _export(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    params = _required_params(request, "tenant_id", "user_id")
    found = await api.data_rights.export(params["tenant_id"], params["user_id"])
    counts = {kind: len(records) for kind, records in found["data"].items()}
    return (found, 200), _event(request, "data.export", **_person(params), metadata=counts)


async def _erase(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    params = _required_params(request, "tenant_id", "user_id")
    erased = await api.data_rights.erase(params["tenant_id"], params["user_id"])
    api.forget_errors(params["tenant_id"])
    body = {"tenantId": params["tenant_id"], "userId": params["user_id"], "erased": erased}
    return (body, 200), _event(request, "data.erasure", **_person(params), metadata=dict(erased))


async def _record_consent(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    decision = await _parse_body(request, Consent)
    source = request.state.address or ""
    dated = await api.consents.record(decision.model_copy(update={"decided_from": source}))
    action = "consent.grant" if dated.granted else "consent.withdraw"
    metadata = {"purpose": dated.purpose, "terms_version": dated.terms_version}
    person = {"tenant": dated.tenant_id, "user": dated.user_id}
    body = dated.model_dump(mode="json", by_alias=True)
    return (body, 200), _event(request, action, **person, metadata=metadata)


async def _read_consent(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    params = _required_params(request, "tenant_id", "user_id", "purpose")
    purposes: dict[str, Purpose] = {p: p for p in PURPOSES}
    purpose = purposes.get(params["purpose"])
    if purpose is None:
        raise BadInputError(f"purpose: must be one of {', '.join(PURPOSES)}")
    found = await api.consents.find(params["tenant_id"], params["user_id"], purpose)
    if found is None:
        raise NotFoundError("No consent is recorded for this person and purpose.")
    body = found.model_dump(mode="json", by_alias=True)
    person = _person(params)
    return (body, 200), _event(
        request, "consent.read", tenant=person["tenant"], user=person["user"]
    )


async def _add_member(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    member = await _parse_body(request, Member)
    await api.members.add(member)
    return (member.model_dump(), 200), _member_event(request, "workspace.member.add", member)


async def _remove_member(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    member = await _parse_body(request, Member)
    removed = await api.members.remove(member)
    body = member.model_dump() | {"removed": removed}
    return (body, 200), _member_event(request, "workspace.member.remove", member)


async def _list_members(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    workspace = _required_params(request, "workspace_id")["workspace_id"]
    found = [member.model_dump() for member in await api.members.list_members(workspace)]
    event = _event(request, "workspace.member.list", metadata={"workspace_id": workspace})
    return ({"members": found}, 200), event


async def _list_keys(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    found = [key.model_dump(mode="json") for key in await api.keys.list_keys()]
    return ({"keys": found}, 200), _event(request, "key.list")


class _NewKey(Model):
    tenant_id: str = "default"
    user_id: str
    scopes: tuple[str, ...] = ()
    note: str = ""
    expires_in: float | None = None  # seconds


async def _create_key(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    new_key = await _parse_body(request, _NewKey)
    if new_key.expires_in is not None and not 0 < new_key.expires_in <= 10 * _YEAR:
        raise BadInputError("expires_in: must be in seconds, above 0 and at most ten years")
    secret, key = await api.keys.create(
        tenant=new_key.tenant_id,
        user=new_key.user_id,
        scopes=new_key.scopes,
        note=new_key.note,
        ttl=new_key.expires_in,
    )
    metadata = {"key_id": key.id, "scopes": list(key.scopes)}
    event = _event(request, "key.create", tenant=key.tenant, user=key.user, metadata=metadata)
    return (key.model_dump(mode="json") | {"key": secret}, 201), event


async def _revoke_key(api: AdminApi, request: Request) -> tuple[BodyAndStatus, AuditEvent]:
    key = await api.keys.revoke(_required_params(request, "id")["id"])
    metadata = {"key_id": key.id}
    event = _event(request, "key.revoke", tenant=key.tenant, user=key.user, metadata=metadata)
    return ({"revoked": key.model_dump(mode="json")}, 200), event


def _required_params(request: Request, *names: str) -> dict[str, str]:
    missing = [name for name in names if not request.query_params.get(name)]
    if missing:
        raise BadInputError(f"{', '.join(missing)}: required in the query string")
    return {name: request.query_params[name] for name in names}


async def _parse_body(request: Request, model: type[M]) -> M:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BODY_BYTES:
            raise BadInputError(f"The body is larger than {_MAX_BODY_BYTES} bytes.")
    try:
        return model.model_validate(json.loads(body))
    except ValidationError as exc:
        problems = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in exc.errors())
        raise BadInputError("; ".join(problems)) from exc
    except (ValueError, RecursionError) as exc:
        raise BadInputError("The body must be one JSON object.") from exc


def _person(params: dict[str, str]) -> dict[str, str]:
    return {"tenant": params["tenant_id"], "user": params["user_id"]}


def _member_event(request: Request, action: str, member: Member) -> AuditEvent:
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


def _problem(message: str, status: int) -> Response:
    return JSONResponse({"error": {"message": message}}, status)

"""The OpenAPI 3.1 document of the REST API, from the models that validate its requests."""

from collections.abc import Sequence
from typing import Any, cast, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from webquarry.calls.registry import Registry
from webquarry.errors import Action, Kind
from webquarry.models.cinder_crawl_status import CrawlStatus
from webquarry.models.crawl import CrawledPage, Format
from webquarry.models.document_check import CheckStatus
from webquarry.models.short_schemas import full_schemas
from webquarry.server.problem_details import MEDIA_TYPE
from webquarry.server.rest_bundles import WACZ
from webquarry.server.rest_operation import Operation
from webquarry.server.rest_operations import CHECK
from webquarry.server.rest_streams import EVENTS
from webquarry.services.checking.reports.check_files import CheckForm
from webquarry.services.exports.export_streams import EXPORT_FORMS, media_types
from webquarry.version import __version__

Json = dict[str, Any]

_REF = "#/components/schemas/"
_FILE_TYPES = {"report": ("text/html", "text/markdown", "application/pdf"), "bundle": (WACZ,)}
_ID: Json = {
    "name": "id",
    "in": "path",
    "required": True,
    "description": "The crawlId, or the id of an artifact, check, session or monitor.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}
_NUMBER: Json = {
    "name": "number",
    "in": "path",
    "required": True,
    "description": "The number of the page or change, from 1.",
    "schema": {"type": "integer", "minimum": 1},
}
_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Unique key of this request; a repeated key never starts a second crawl.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[!-~]+$"},
}
_FORMATS: Json = {
    "name": "formats",
    "in": "query",
    "description": "Contents of each page in jsonl, csv and parquet; default: those of the "
    "crawl, or Markdown.",
    "schema": {"type": "array", "items": {"enum": list(get_args(Format))}},
    "explode": True,
}
_AS: Json = {
    "name": "as",
    "in": "query",
    "description": "JSON lines of CrawledPage; CSV; Parquet; a zip of Markdown files that link to "
    "each other; llms.txt; llms-full.txt.",
    "schema": {"enum": list(EXPORT_FORMS), "default": "jsonl"},
}
_REPORT: Json = {
    "name": "as",
    "in": "query",
    "schema": {"enum": list(get_args(CheckForm)), "default": "html"},
}
_UPLOAD: Json = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}},
    "required": ["file"],
}
_PROBLEM: Json = {
    "type": "object",
    "description": "What went wrong and what to do (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "The error message."},
        "kind": {"enum": list(get_args(Kind))},
        "retryable": {"type": "boolean"},
        "retryAfterSeconds": {"type": "integer"},
        "suggestedAction": {"enum": list(get_args(Action))},
        "fields": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type", "title", "status", "detail", "kind"],
}


def document(registry: Registry, operations: Sequence[Operation]) -> Json:
    """Return the OpenAPI document of these operations."""
    paths: dict[str, Json] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(
            operation, registry
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Webquarry",
            "version": __version__,
            "description": "Search, read and crawl the web. 5xx means a fault of this server; "
            "424 means that a page or a provider failed.",
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"bearer": []}, {"apiKey": []}],
        "paths": paths,
        "components": {
            "schemas": _schemas(registry, operations),
            "responses": {
                "Problem": {
                    "description": "The request failed.",
                    "content": {MEDIA_TYPE: {"schema": {"$ref": f"{_REF}Problem"}}},
                }
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def _operation(operation: Operation, registry: Registry) -> Json:
    described: Json = {"operationId": operation.name, "summary": operation.summary}
    if parameters := _parameters(operation, registry):
        described["parameters"] = parameters
    if operation.method == "POST" and operation.body is not None:
        if operation.body:
            described["requestBody"] = _named_body(operation, registry)
    elif operation.method == "POST":
        model = registry.lookup(operation.tool).input_model
        schema = {"$ref": f"{_REF}{model.__name__}"}
        content: Json = {"application/json": {"schema": schema}}
        if operation.takes_upload:
            content["multipart/form-data"] = {"schema": _UPLOAD}
        described["requestBody"] = {"required": True, "content": content}
    described["responses"] = _responses(operation, registry)
    return described


def _named_body(operation: Operation, registry: Registry) -> Json:
    """Return the body of an operation that takes some arguments of its tool."""
    full = _full_schema(registry.lookup(operation.tool).input_model)
    names = operation.body or ()
    schema: Json = {
        "type": "object",
        "properties": {name: full["properties"][name] for name in names},
        "required": list(names[:1]),
        "additionalProperties": False,
    }
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _parameters(operation: Operation, registry: Registry) -> list[Json]:
    found: list[Json] = [_ID] if "{id}" in operation.path else []
    if "{number}" in operation.path:
        found.append(_NUMBER)
    if operation.idempotent_by_key:
        found.append(_KEY)
    if operation.response_kind == "file":
        found += [_AS, _FORMATS]
    if operation.response_kind == "report":
        found.append(_REPORT)
    if operation.query:
        schema = _full_schema(registry.lookup(operation.tool).input_model)
        found += [
            {"name": name, "in": "query", "schema": schema["properties"][name]}
            for name in operation.query
        ]
    return found


def _responses(operation: Operation, registry: Registry) -> Json:
    problem: Json = {"$ref": "#/components/responses/Problem"}
    if operation.response_kind == "events":
        data = "CheckStatus" if operation.tool == CHECK else "CrawlStatus"
        text = f"Events progress, then completed, failed or cancelled; data is a {data}."
        content: Json = {EVENTS: {}}
        return {"200": {"description": text, "content": content}, "default": problem}
    if operation.response_kind == "file":
        content = {name: {} for name in media_types()}
        text = "The file; jsonl has one CrawledPage on each line."
        return {"200": {"description": text, "content": content}, "default": problem}
    if types := _FILE_TYPES.get(operation.response_kind):
        content = {name: {} for name in types}
        return {"200": {"description": "The file.", "content": content}, "default": problem}
    if operation.response_kind in ("image", "artifact"):
        content = {"image/png": {}, "image/webp": {}}
        if operation.response_kind == "artifact":
            content["application/json"] = {}
        return {"200": {"description": "The file.", "content": content}, "default": problem}
    model = operation.response_model or registry.lookup(operation.tool).output_model
    schema = {"$ref": f"{_REF}{model.__name__}"} if model else {"type": "object"}
    good: Json = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    if operation.status != 202:
        return {"200": good, "default": problem}
    job = operation.name.removeprefix("start")
    names = (f"get{job}", f"cancel{job}", f"export{job}")
    links = {name: _link(name, operation.id_field) for name in names}
    accepted = good | {"description": "Started; see Location.", "links": links}
    return {"202": accepted, "200": good | {"links": links}, "default": problem}


def _link(name: str, id_field: str) -> Json:
    return {"operationId": name, "parameters": {"id": f"$response.body#/{id_field}"}}


def _full_schema(model: type[BaseModel]) -> Json:
    with full_schemas():
        return model.model_json_schema()


def _schemas(registry: Registry, operations: Sequence[Operation]) -> Json:
    tools = [registry.lookup(operation.tool) for operation in operations]
    inputs: set[type[BaseModel]] = {tool.input_model for tool in tools}
    outputs: set[type[BaseModel]] = {tool.output_model for tool in tools if tool.output_model}
    outputs |= {op.response_model for op in operations if op.response_model}
    if any(operation.response_kind != "result" for operation in operations):
        outputs |= {CrawlStatus, CrawledPage, CheckStatus}
    schemas = _definitions(outputs, "serialization")
    for schema in schemas.values():
        schema.pop("additionalProperties", None)  # clients must accept new fields
    for model in outputs:
        schemas[model.__name__].setdefault("properties", {})["_meta"] = {"type": "object"}
    return {"Problem": _PROBLEM, **schemas, **_definitions(inputs, "validation")}


def _definitions(models: set[type[BaseModel]], mode: Any) -> dict[str, Json]:
    ordered = sorted(models, key=lambda model: model.__name__)
    with full_schemas():
        _, found = models_json_schema(
            [(model, mode) for model in ordered], ref_template=f"{_REF}{{model}}"
        )
    return cast("dict[str, Json]", found.get("$defs", {}))

"""The tools as an OpenAPI document, for clients that turn each operation into a tool."""

from collections.abc import Iterable
from typing import Any, cast

from webquarry.server.problem_details import MEDIA_TYPE
from webquarry.version import __version__

Json = dict[str, Any]

_BASE = "/v1/tools"
_DEFS = "#/$defs/"
_COMPONENTS = "#/components/schemas/"


def tool_document(definitions: Iterable[Json]) -> Json:
    """Return a document with one operation for each entry of `tools/list`.

    Clients append a path to the URL of the document without `/openapi.json`, so paths are relative
    to that.
    """
    paths: Json = {}
    schemas: Json = {}
    for definition in definitions:
        name = str(definition["name"])
        paths[f"/{name}"] = {"post": _operation(definition, schemas)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Webquarry",
            "version": __version__,
            "description": "Search, read, crawl and verify the web. Each operation is one tool.",
        },
        "servers": [{"url": _BASE}],
        "security": [{}, {"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(definition: Json, schemas: Json) -> Json:
    name, description = str(definition["name"]), str(definition["description"])
    schema = _moved(definition["inputSchema"], name, schemas)
    error: Json = {"description": "What went wrong and what to do.", "content": {MEDIA_TYPE: {}}}
    result: Json = {"description": "The result.", "content": {"application/json": {"schema": {}}}}
    return {
        "operationId": name,
        "summary": definition.get("title") or description.partition("\n")[0],
        "description": description,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"200": result, "default": error},
    }


def _moved(schema: Json, tool: str, schemas: Json) -> Json:
    """Return a schema whose definitions are among the components: elsewhere nobody finds them."""
    definitions: Json = schema.get("$defs") or {}
    for name, definition in definitions.items():
        schemas[f"{tool}_{name}"] = _with_references(definition, tool)
    return {key: _with_references(value, tool) for key, value in schema.items() if key != "$defs"}


def _with_references(value: Any, tool: str) -> Any:
    if isinstance(value, dict):
        return {k: _reference(k, v, tool) for k, v in cast("Json", value).items()}
    if isinstance(value, list):
        return [_with_references(item, tool) for item in cast("list[Any]", value)]
    return value


def _reference(key: str, value: Any, tool: str) -> Any:
    if key == "$ref" and isinstance(value, str) and value.startswith(_DEFS):
        return f"{_COMPONENTS}{tool}_{value.removeprefix(_DEFS)}"
    return _with_references(value, tool)

"""Recognizes the requests that can be answered from a snapshot."""

import json
from typing import Any

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
VIEWS_KEY = "io.modelcontextprotocol/ui"

Message = dict[str, Any]


def parse(line: bytes) -> Message | None:
    """Return a request or notification in its usual form, None for anything else."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not _is_object(message) or message.get("jsonrpc") != "2.0":
        return None
    if type(message.get("method")) is not str or not message.keys() <= _MEMBERS:
        return None
    if "id" in message and type(message["id"]) not in (int, str):
        return None
    if not _is_object(message.get("params", {})):
        return None
    return message


def handshake_version(message: Message) -> str | None:
    """Return the version that a valid `initialize` requests, None for an invalid one."""
    params = message.get("params", {})
    valid = (
        {"protocolVersion", "capabilities", "clientInfo"} <= params.keys()
        and type(params["protocolVersion"]) is str
        and _is_object(params["capabilities"])
        and all(_is_object(value) for value in params["capabilities"].values())
        and _is_client(params["clientInfo"])
    )
    return params["protocolVersion"] if valid else None


def envelope_version(message: Message) -> str | None:
    """Return the version in a complete 2026-07-28 envelope, None without one."""
    meta = message.get("params", {}).get("_meta")
    if not _is_object(meta) or type(meta.get(VERSION_KEY)) is not str:
        return None
    valid = (
        _is_object(meta.get(CAPABILITIES_KEY))
        and all(_is_object(value) for value in meta[CAPABILITIES_KEY].values())
        and (CLIENT_KEY not in meta or _is_client(meta[CLIENT_KEY]))
    )
    return meta[VERSION_KEY] if valid else None


def declares_views(message: Message) -> bool:
    """Return whether the client of a handshake or envelope shows views of results."""
    params: Message = message.get("params", {})
    meta: Message = params.get("_meta", {})
    declared: Message = params.get("capabilities") or meta.get(CAPABILITIES_KEY) or {}
    return VIEWS_KEY in declared.get("extensions", {})


def is_bare(message: Message) -> bool:
    """Return whether a request has no parameters except `_meta`."""
    params = message.get("params", {})
    return params.keys() <= {"_meta"} and _is_object(params.get("_meta", {}))


_MEMBERS = {"jsonrpc", "id", "method", "params"}


def _is_client(client: Any) -> bool:
    return (
        _is_object(client)
        and type(client.get("name")) is str
        and type(client.get("version")) is str
        and all(type(client.get(name, "")) is str for name in ("title", "description"))
    )


def _is_object(value: Any) -> bool:
    return type(value) is dict

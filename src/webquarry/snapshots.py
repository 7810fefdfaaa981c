"""Takes snapshots of the first responses of the server, for the fast start (`front`)."""

import asyncio
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio import create_memory_object_stream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from webquarry.calls.registry import DEFAULT_TOOLSETS, RENAMES, TOOLSETS
from webquarry.front.snapshot_requests import CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY
from webquarry.server.mcp_server import ServerOffer
from webquarry.settings.load import Settings
from webquarry.settings.tree import declarations, secret_names

MAX_SNAPSHOTS = 8  # one for each configuration; the oldest are deleted
CLIENT = {"name": "snapshot", "version": "1"}
Files = Mapping[str, str]


# Settings of these groups do not change what the server lists, except TOOLSETS, which the front
# evaluates itself.
NEUTRAL_GROUPS = {"server", "cache", "limits", "logging", "audit", "scraping", "search",
                  "web_search", "network"}  # fmt: skip


async def take_snapshot(server: Server[Any], offer: ServerOffer, settings: Settings) -> Files:
    """Return the files of a snapshot of `server`, by name."""
    declared = declarations(settings.declared)
    initialize: dict[str, str] = {}
    discover: dict[str, str] = {}
    frames: dict[str, dict[str, str]] = {}
    files: dict[str, str] = {}
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        opened, listed = await _first_results(server, _handshake(version))
        initialize[version] = opened
        frames[version] = _frame(listed, files)
    for version in MODERN_PROTOCOL_VERSIONS:
        opened, listed = await _first_results(server, _modern(version))
        discover[version] = opened
        frames[version] = _frame(listed, files)
    registry = offer.path.registry
    names = [definition["name"] for definition in registry.definitions()]  # in the order of a list
    index = {
        "digest": hashlib.sha256("".join(files.values()).encode()).hexdigest(),
        "matters": sorted(n for n, d in declared.items() if d.group not in NEUTRAL_GROUPS),
        "declared": sorted(variable.name for variable in settings.declared),
        "secrets": sorted(secret_names(settings.declared)),
        "groups": {"default": DEFAULT_TOOLSETS, "all": list(TOOLSETS)},
        "names": names,
        "toolsets": [registry.lookup(name).toolset for name in names],
        "renames": RENAMES,
        "initialize": initialize,
        "discover": discover,
        "tools": frames,
    }
    return {**files, "index.json": json.dumps(index, indent=1, ensure_ascii=False) + "\n"}


async def save_snapshot(
    server: Server[Any], offer: ServerOffer, settings: Settings, key: str
) -> None:
    """Save a snapshot of this configuration for its next start."""
    files = await take_snapshot(server, offer, settings)
    await asyncio.to_thread(_write, files, settings.server.data_dir / "snapshots", key)


def _write(files: Files, directory: Path, key: str) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=directory, prefix=".new-"))
    for name, text in files.items():
        (draft / name).write_text(text, encoding="utf-8")
    try:
        draft.rename(directory / key)  # atomic
    except OSError:  # another process has written it already
        shutil.rmtree(draft)
    oldest_first = sorted(directory.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in oldest_first[:-MAX_SNAPSHOTS]:
        shutil.rmtree(path, ignore_errors=True)


async def _first_results(server: Server[Any], script: list[dict[str, Any]]) -> tuple[str, str]:
    """Send the requests of a client on a new connection; return the raw results of both."""
    to_server, reads = create_memory_object_stream[SessionMessage | Exception](len(script))
    writes, from_server = create_memory_object_stream[SessionMessage](len(script))
    results: list[str] = []
    running = asyncio.create_task(server.run(reads, writes, server.create_initialization_options()))
    for message in script:
        await to_server.send(SessionMessage(types.jsonrpc_message_adapter.validate_python(message)))
        if "id" in message:
            response = (await from_server.receive()).message
            if not isinstance(response, types.JSONRPCResponse):
                raise TypeError(f"the server rejected {message['method']}: {response}")
            results.append(_compact(response.result))
    to_server.close()
    await running
    from_server.close()
    opened, listed = results
    return opened, listed


def _handshake(version: str) -> list[dict[str, Any]]:
    opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]


def _modern(version: str) -> list[dict[str, Any]]:
    meta = {VERSION_KEY: version, CLIENT_KEY: CLIENT, CAPABILITIES_KEY: {}}
    params = {"_meta": meta}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": params},
    ]


def _frame(listed: str, files: dict[str, str]) -> dict[str, str]:
    """Split a tools/list result into one line per tool and the JSON before and after them."""
    result = json.loads(listed)
    lines = "".join(_compact(tool) + "\n" for tool in result["tools"])
    before, after = _compact(result | {"tools": ["@"]}).split('"@"')
    name = next((n for n, text in files.items() if text == lines), f"tools-{len(files)}.jsonl")
    files[name] = lines
    return {"file": name, "before": before, "after": after}


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

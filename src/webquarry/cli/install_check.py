"""Starts an installed server once, as its client would, and says what it offers."""

import json
import os
import subprocess
from collections.abc import Mapping
from typing import Any

from webquarry.cli.mcp_clients import Launch
from webquarry.errors import BadInputError

_SECONDS = 60
_VERSION = "2025-11-25"
_MAX_ERROR_LINES = 5


def ask_server(launch: Launch) -> str:
    """Return the name, version and number of tools that the server answers with."""
    messages = (
        _request(1, "initialize", {
            "protocolVersion": _VERSION, "capabilities": {},
            "clientInfo": {"name": "webquarry install --check", "version": "1"},
        }),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        _request(2, "tools/list", {}),
    )  # fmt: skip
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    try:
        # the command is the one that the person's own client runs
        ended = subprocess.run(  # noqa: S603
            launch.command,
            input=lines,
            env={**os.environ, **launch.env},
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
    except OSError as exc:
        raise BadInputError(f"Cannot start {launch.command[0]}: {exc.strerror}.") from exc
    except subprocess.TimeoutExpired as exc:
        raise BadInputError(f"The server did not end within {_SECONDS} seconds.") from exc
    results = dict(_results(ended.stdout))
    if not {1, 2} <= results.keys():
        said = "\n".join(ended.stderr.strip().splitlines()[-_MAX_ERROR_LINES:])
        raise BadInputError(f"The server did not answer (exit code {ended.returncode}).\n{said}")
    server = results[1]["serverInfo"]
    return f"{server['name']} {server['version']} answers and offers {_tools(results[2])}."


def _tools(result: Mapping[str, Any]) -> str:
    count = len(result["tools"])
    return "1 tool" if count == 1 else f"{count} tools"


def _request(number: int, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _results(output: str) -> list[tuple[int, Any]]:
    """Return the results by the number of their request."""
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [(message["id"], message["result"]) for message in messages if "result" in message]

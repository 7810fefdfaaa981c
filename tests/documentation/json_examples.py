"""Checks the JSON examples of the documents against the models of the code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.documentation.blocks import ROOT
from webquarry.cli.mcp_clients import CLIENTS
from webquarry.content.fields.json_schema import resolve_schema
from webquarry.errors import BadInputError
from webquarry.models.call_task import CallTask
from webquarry.models.research import Anchor
from webquarry.server.compat.firecrawl.firecrawl_api import FIRECRAWL
from webquarry.server.problem_details import problem_body
from webquarry.server.task_methods import created_task
from webquarry.services.searching.lenses import Lens
from webquarry.tools import TOOLS


def check_json(value: Any, where: str) -> None:
    """Check an example against its model, which is found by a key; an unknown example fails."""
    for key, check in _CHECKS.items():
        if key in value:
            check(value)
            return
    raise AssertionError(f"{where}: add a check for this example to json_examples.py")


def _call(value: Any) -> None:
    assert set(value) == {"name", "arguments"}
    [listed] = [each for each in TOOLS if each.name == value["name"]]
    listed.load().input_model.model_validate(value["arguments"])


def _client(value: Any) -> None:
    for entry in value["mcpServers"].values():
        if "url" in entry:
            assert (entry["type"], entry["url"]) == ("http", "http://127.0.0.1:8642/mcp")
        else:
            assert Path(entry["command"]).name in {"webquarry", "uvx"}
            assert entry["args"][-2:] == ["serve", "--stdio"]


def _client_entry(value: Any) -> None:
    """Check an example against what `webquarry install` writes for that client."""
    [(section, servers)] = value.items()
    written = [
        client.write_entry(["/path/to/webquarry", "serve", "--stdio"], {})
        for client in CLIENTS.values()
        if client.section == (section,)
    ]
    assert servers["webquarry"] in written


def _webhook(value: Any) -> None:
    source = (ROOT / "src/webquarry/crawl/store/outbox.py").read_text(encoding="utf-8")
    assert [name for name in value if f'"{name}":' not in source] == []


def _notification(value: Any) -> None:
    source = (ROOT / "src/webquarry/services/watching/notifications.py").read_text("utf-8")
    [change] = value["changes"]
    assert [name for name in (*value, *change) if f'"{name}":' not in source] == []


def _task(value: Any) -> None:
    task = CallTask(id="t", tool="t", arguments={}, created=0, updated=0, ttl=1, message="m")
    assert set(value) == set(created_task(task))


def _node(value: Any) -> None:
    """Check the arguments of a node of n8n; tests/server/test_tool_openapi.py sends its request."""
    parameters = value["nodes"][0]["parameters"]
    arguments = json.loads(parameters["jsonBody"])
    _call({"name": parameters["url"].rpartition("/")[2], "arguments": arguments})


def _vendor_error(value: Any) -> None:
    """Check an error of Firecrawl's form against that of a request with an unknown option."""
    [details] = value["details"]
    error = BadInputError(value["error"], details={"fields": details["fields"]})
    problem = problem_body(str(error), error.block(), 400)
    assert FIRECRAWL.error(problem).body == value


_CHECKS: dict[str, Callable[[Any], object]] = {
    "arguments": _call,
    "nodes": _node,
    "success": _vendor_error,
    "mcpServers": _client,
    "servers": _client_entry,
    "mcp": _client_entry,
    "context_servers": _client_entry,
    "crawlId": _webhook,
    "monitorId": _notification,
    "taskId": _task,
    "domains": Lens.model_validate,
    "quote": Anchor.model_validate,
    "properties": resolve_schema,
}

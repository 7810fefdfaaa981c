"""Input schemas as three agent frameworks send them to models, by their own code.

Each framework has its own environment, the same as in `make client-matrix`.
"""

import json
import subprocess
from typing import Any

import pytest

from bench.client_matrix import CLIENTS, PROGRAMS, ClientProgram, client_python
from tests.calls.test_client_schemas import FREE_FORM, TOOLS, Json, nodes

CONVERTERS = {
    "langchain-mcp-adapters": "langchain_schemas.py",
    "openai-agents": "openai_agents_schemas.py",
    "pydantic-ai-slim": "pydantic_ai_schemas.py",
}
CHOSEN = [client for client in CLIENTS if client.name in CONVERTERS]
NOT_STRICT = {name for name, _ in FREE_FORM}
GIVEN = {tool.name: tool.definition() for tool in TOOLS}


def python_of(client: ClientProgram) -> str:
    """Return the Python of the framework's environment; skip if it cannot be installed."""
    try:
        return str(client_python(client))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"{client.name} cannot be installed: {error}")


def converted(client: ClientProgram) -> dict[str, dict[str, Any]]:
    """Return the schemas of all tools, by tool and kind of model."""
    done = subprocess.run(
        [python_of(client), str(PROGRAMS / CONVERTERS[client.name])],
        input=json.dumps(list(GIVEN.values())),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def is_strict(schema: Json) -> bool:
    """Return whether OpenAI's strict mode accepts a schema: closed, and everything required."""
    return all(
        node.get("additionalProperties") is False
        and set(node.get("required", ())) == set(node.get("properties", {}))
        for _, node in nodes(schema)
        if node.get("type") == "object"
    )


@pytest.mark.parametrize("client", CHOSEN, ids=lambda client: client.name)
def test_a_framework_converts_every_schema_for_every_model(client: ClientProgram) -> None:
    results = converted(client)

    assert results.keys() == GIVEN.keys()
    loose = {name for name, kinds in results.items() if not is_strict(kinds["openai strict"])}
    assert loose <= NOT_STRICT, "OpenAI's strict mode refuses these"
    for name, kinds in results.items():
        given = GIVEN[name]["inputSchema"]
        for kind, schema in kinds.items():
            lost = given["properties"].keys() ^ schema.get("properties", {}).keys()
            assert lost == set(), f"{name}, {kind}"
        assert set(kinds["openai"].get("required", ())) == set(given.get("required", ())), name


def test_a_schema_that_is_not_strict_is_noticed() -> None:
    part: Json = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    closed = part | {"additionalProperties": False}

    assert is_strict(closed)
    assert not is_strict(part)
    assert not is_strict(closed | {"required": []})
    outer = {"type": "object", "properties": {"p": part}, "required": ["p"]}
    assert not is_strict(outer | {"additionalProperties": False})

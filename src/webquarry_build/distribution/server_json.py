"""`server.json`: the entry of the server in the MCP registry."""

from typing import Any

from webquarry.settings.tree import Declaration
from webquarry_build.distribution.install_settings import default_text
from webquarry_build.distribution.project import Project

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
DESCRIPTION = "Search, read, crawl, extract and verify the web, with evidence."


def server_json(project: Project, version: str, settings: list[Declaration]) -> dict[str, Any]:
    """Return the entry for the registry."""
    return {
        "$schema": SCHEMA,
        "name": project.mcp_name,
        "title": "Webquarry",
        "description": DESCRIPTION,
        "version": version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": project.name,
                "version": version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [
                    {"type": "positional", "value": "serve"},
                    {"type": "positional", "value": "--stdio"},
                ],
                "environmentVariables": [_variable(entry) for entry in settings],
            }
        ],
    }


def _variable(entry: Declaration) -> dict[str, Any]:
    default = default_text(entry)
    return {
        "name": entry.name,
        "description": entry.variable.description,
        "isRequired": False,
        "isSecret": entry.variable.secret,
        **({"default": default} if default else {}),
    }

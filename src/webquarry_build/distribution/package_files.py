"""The generated files for packages and registries, and whether they are current."""

import json
from pathlib import Path
from typing import Any

from webquarry.calls.registry import DEFAULT_TOOLSETS
from webquarry.front.snapshot import PACKAGED
from webquarry.tools import load_tools
from webquarry.version import __version__
from webquarry.wiring.declared_settings import declared_variables
from webquarry_build.distribution import llms, mcpb
from webquarry_build.distribution.completions import completion_table
from webquarry_build.distribution.help_table import help_table
from webquarry_build.distribution.install_settings import install_settings
from webquarry_build.distribution.project import Project
from webquarry_build.distribution.server_json import server_json

SERVED = "src/webquarry/server/assets/llms.txt"


def documents(root: Path) -> dict[str, str]:
    """Return the text of each file by its path below the root."""
    project = Project.read(root)
    settings = install_settings(declared_variables())
    tools = load_tools()
    bundle = mcpb.manifest(project, __version__, settings, offered_tools())
    return {
        "server.json": _json(server_json(project, __version__, settings)),
        "deploy/mcpb/manifest.json": _json(bundle),
        "deploy/mcpb/pyproject.toml": mcpb.bundle_pyproject(project, __version__),
        "llms.txt": llms.repository_text(tools, root / "docs"),
        SERVED: llms.served_text(tools),
        "src/webquarry/cli/completions.json": _json(completion_table()),
        "src/webquarry/cli/help_texts.json": _json(help_table()),
    }


def offered_tools() -> list[dict[str, str]]:
    """Return the tools of a server with default settings, from the packaged snapshot."""
    directory = Path(PACKAGED)
    index = json.loads((directory / "index.json").read_text(encoding="utf-8"))
    lines = (directory / "tools-0.jsonl").read_text(encoding="utf-8").splitlines()
    listed = [
        json.loads(line)
        for line, toolset in zip(lines, index["toolsets"], strict=True)
        if toolset in DEFAULT_TOOLSETS
    ]
    return [{"name": tool["name"], "description": _brief(tool)} for tool in listed]


def stale(root: Path) -> list[str]:
    """Return the paths of the files that are not current."""
    current = documents(root)
    return [name for name, text in current.items() if _present(root / name) != text]


def write(root: Path) -> None:
    """Update all files."""
    for name, text in documents(root).items():
        (root / name).write_text(text, encoding="utf-8")


def _present(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _brief(tool: dict[str, Any]) -> str:
    return " ".join(tool["description"].split("\n\n")[0].split())


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"

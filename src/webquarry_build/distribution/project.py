"""The metadata in pyproject.toml and the pinned versions in requirements-full.lock."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

_PIN = re.compile(r"^([A-Za-z0-9._-]+==[^\s;\\]+)(?:\s*;\s*([^\\]+?))?\s*\\?$", re.MULTILINE)


@dataclass(frozen=True)
class Project:
    """The metadata of this project."""

    name: str
    mcp_name: str  # in the MCP registry
    description: str
    author: str
    license: str
    python: str
    keywords: tuple[str, ...]
    dependencies: tuple[str, ...]
    browser: tuple[str, ...]  # the extra of that name
    pins: tuple[str, ...]  # the tested versions

    @classmethod
    def read(cls, root: Path) -> "Project":
        """Return the project whose files are in `root`."""
        data = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        project = data["project"]
        lock = (root / "requirements-full.lock").read_text(encoding="utf-8")
        return cls(
            name=project["name"],
            mcp_name=data["tool"]["webquarry"]["mcp-name"],
            description=project["description"],
            author=project["authors"][0]["name"],
            license=project["license"],
            python=project["requires-python"],
            keywords=tuple(project["keywords"]),
            dependencies=tuple(project["dependencies"]),
            browser=tuple(project["optional-dependencies"]["browser"]),
            pins=tuple(pins(lock)),
        )


def pins(lock: str) -> list[str]:
    """Return the requirements of a lock without their hashes."""
    found = _PIN.findall(lock)
    return [f"{pin} ; {marker}" if marker else pin for pin, marker in found]

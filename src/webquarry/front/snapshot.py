"""Snapshots of the real server's responses to the first requests."""

import json
import os
import sys
from typing import Any

from webquarry.version import __version__

PACKAGED = os.path.join(os.path.dirname(__file__), "packaged")
DEFAULT_TOOLSETS = "default"
PREFIX = "WEBQUARRY_"  # may stand before the name of any setting


class ProtocolSnapshot:
    """Raw results by protocol version; tool lists are read when they are needed."""

    def __init__(self, directory: str, toolsets: frozenset[str] | None) -> None:
        self._directory = directory
        self._toolsets = toolsets  # None: all in the snapshot
        with open(os.path.join(directory, "index.json"), encoding="utf-8") as file:
            self._index: dict[str, Any] = json.load(file)
        self._names: list[str] = self._index["names"]
        self._renames: dict[str, list[str]] = self._index["renames"]

    def initialize(self, version: str) -> str | None:
        """Return the result of `initialize`, or None for an unknown version."""
        return self._index["initialize"].get(version)

    def discover(self, version: str) -> str | None:
        """Return the result of `server/discover`, or None for an unknown version."""
        return self._index["discover"].get(version)

    def tools(self, version: str) -> str | None:
        """Return the result of `tools/list`, or None for an unknown version."""
        frame = self._index["tools"].get(version)
        if frame is None:
            return None
        listed = ",".join(line for _, line, _ in self._chosen(frame["file"]))
        return frame["before"] + listed + frame["after"]

    def definitions(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the toolset and the definition of each tool, in the newest protocol version."""
        file = self._index["tools"][max(self._index["tools"])]["file"]
        return [(toolset, json.loads(line)) for _, line, toolset in self._chosen(file)]

    def _chosen(self, file_name: str) -> list[tuple[str, str, str]]:
        """Return name, definition and toolset of the tools in the chosen toolsets, by name."""
        path = os.path.join(self._directory, file_name)
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        tools = zip(self._names, lines, self._index["toolsets"], strict=True)
        return sorted((*self._renamed(name, line), ts) for name, line, ts in tools if self._has(ts))

    def _has(self, toolset: str) -> bool:
        return self._toolsets is None or toolset in self._toolsets

    def _renamed(self, name: str, line: str) -> tuple[str, str]:
        """Return the tool with the name that it has among the chosen toolsets."""
        new, holder = self._renames.get(name, (name, ""))
        if self._toolsets is None or new == name or holder in self._toolsets:
            return name, line
        return new, line.replace(f'"name":"{name}"', f'"name":"{new}"', 1)


def find(
    flag: str | None, directory: str, environ: Any = os.environ
) -> tuple[ProtocolSnapshot | None, str]:
    """Return the snapshot for this configuration, if there is one, and the configuration's key."""
    index = _packaged_index()
    toolsets = flag if flag is not None else _setting(environ, "TOOLSETS")
    key = configuration_key(index, toolsets, directory, environ)
    try:
        if key:
            return ProtocolSnapshot(os.path.join(snapshot_directory(environ), key), None), key
        return ProtocolSnapshot(PACKAGED, _expand(index, toolsets or DEFAULT_TOOLSETS)), key
    except (OSError, ValueError, KeyError):  # missing or damaged
        return None, key


def sets_no_provider(directory: str, environ: Any = os.environ) -> bool:
    """Whether there is no settings file, and no setting that a provider declares is set."""
    index = _packaged_index()
    declared = {**index, "matters": index["declared"]}
    return not configuration_key(declared, "", directory, environ)


def configuration_key(index: Any, toolsets: str, directory: str, environ: Any) -> str:
    """Return a hash of everything that can change the responses; empty for the defaults."""
    parts = [
        f"{name}={'set' if name in index['secrets'] else value}"
        for name in index["matters"]
        if (value := _setting(environ, name))
    ]
    for name in _settings_files(directory, environ):
        try:
            with open(os.path.join(directory, name), "rb") as file:
                parts.append(f"{name}:{_digest(file.read())}")
        except OSError:
            continue
    if not parts:
        return ""
    return _digest("\n".join([__version__, index["digest"], toolsets, *parts]).encode())


def _setting(environ: Any, name: str) -> str:
    return environ.get(f"{PREFIX}{name}") or environ.get(name) or ""


def _settings_files(directory: str, environ: Any) -> list[str]:
    """Return the files that may have settings, as `settings.setting_sources` chooses them."""
    toml = environ.get("WEBQUARRY_CONFIG") or "webquarry.toml"
    named = environ.get("WEBQUARRY_ENV_FILE")
    return [*([named] if named else ["webquarry.env", *_shared_dotenv(directory)]), toml]


def _shared_dotenv(directory: str) -> list[str]:
    """Return `.env` unless it belongs to another project and names no setting of ours."""
    if os.path.exists(os.path.join(directory, "webquarry.toml")):
        return [".env"]
    try:
        with open(os.path.join(directory, ".env"), "rb") as file:
            return [".env"] if PREFIX.encode() in file.read() else []
    except OSError:
        return []


def snapshot_directory(environ: Any) -> str:
    """Return the directory for snapshots of other configurations."""
    data = environ.get("WEBQUARRY_DATA_DIR")
    if not data and sys.platform == "linux":
        base = environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
        data = os.path.join(base, "webquarry")
    if not data:
        raise OSError("the data directory is unknown until the settings are loaded")
    return os.path.join(data, "snapshots")


def _packaged_index() -> dict[str, Any]:
    with open(os.path.join(PACKAGED, "index.json"), encoding="utf-8") as file:
        return json.load(file)


def _expand(index: Any, toolsets: str) -> frozenset[str]:
    names = [name.strip() for name in toolsets.split(",") if name.strip()]
    groups = index["groups"]
    chosen = frozenset(plain for name in names for plain in groups.get(name, [name]))
    if not names or not chosen <= frozenset(groups["all"]):
        raise ValueError("unknown toolset")  # the real server explains it
    return chosen


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:32]

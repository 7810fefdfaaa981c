"""A digest of every setting that changes what tools find: part of the keys of cached values."""

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from webquarry.settings.load import Settings
from webquarry.settings.tree import GROUPS
from webquarry.version import __version__

# groups that decide who may call, how often, and where things are stored or logged
NEUTRAL_GROUPS = frozenset(
    {"server", "http", "auth", "cache", "limits", "logging", "audit", "people", "sessions",
     "crawling"}
)  # fmt: skip


def configuration_digest(settings: Settings, key: bytes) -> str:
    """Return a keyed digest: API keys are among the settings, and must not be guessed from it."""
    groups = {name: _values(getattr(settings, name)) for name in GROUPS.keys() - NEUTRAL_GROUPS}
    described = [
        __version__,
        groups,
        dict(settings.keys),
        dict(settings.base_urls),
        list(_lens_files(settings.search.custom_lenses_path)),
    ]
    text = json.dumps(described, sort_keys=True, default=str)
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _values(group: Any) -> dict[str, Any]:
    # not repr(), which hides secrets
    return {field.name: getattr(group, field.name) for field in fields(group)}


def _lens_files(directory: Path | None) -> Iterable[tuple[str, str]]:
    """Yield the names and digests of the operator's lenses."""
    for file in sorted(directory.glob("*.json")) if directory else ():
        yield file.name, hashlib.sha256(file.read_bytes()).hexdigest()

"""The settings that MCP clients ask the user for during installation."""

from collections.abc import Sequence

from webquarry.settings.tree import KEYS, Declaration, declarations
from webquarry.settings.variable import Variable

# besides the API keys only these: the form should stay short
_FIRST = ("TOOLSETS",)
_LAST = ("LLM_PROVIDER", "LLM_BASE_URL", "LLM_MODEL", "LLM_API_KEY", "WEBQUARRY_DATA_DIR",
         "LOG_LEVEL")  # fmt: skip


def install_settings(declared: Sequence[Variable]) -> list[Declaration]:
    """Return the settings in the order of the form: toolsets, keys and contacts, others."""
    entries = declarations(declared)
    keys = sorted(
        (entry for entry in entries.values() if entry.group == KEYS),
        key=lambda entry: entry.name,
    )
    return [
        *(entries[name] for name in _FIRST),
        *keys,
        *(entries[name] for name in _LAST),
    ]


def default_text(entry: Declaration) -> str:
    """Return the default as text; empty if there is none or it is computed."""
    if entry.variable.default_text or entry.default in (None, ""):
        return ""
    return entry.variable.kind.show(entry.default)

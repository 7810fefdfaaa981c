"""The settings that a person is asked for when a client installs us."""

from collections.abc import Sequence

from webquarry.settings.tree import KEYS, Declaration, declarations
from webquarry.settings.variable import Variable

# Of the other settings only these: a form of two hundred fields is read by nobody.
_FIRST = ("TOOLSETS",)
_LAST = ("LLM_PROVIDER", "LLM_BASE_URL", "LLM_MODEL", "LLM_API_KEY", "WEBQUARRY_DATA_DIR",
         "LOG_LEVEL")  # fmt: skip


def asked_for(declared: Sequence[Variable]) -> list[Declaration]:
    """Return them in the order of the form: what is offered, keys and contacts, the rest."""
    known = declarations(declared)
    keys = sorted(
        (entry for entry in known.values() if entry.group == KEYS), key=lambda entry: entry.name
    )
    return [*(known[name] for name in _FIRST), *keys, *(known[name] for name in _LAST)]


def default_text(entry: Declaration) -> str:
    """Return the default as one would write it; empty when there is none or it is computed."""
    if entry.variable.default_text or entry.default in (None, ""):
        return ""
    return entry.variable.kind.show(entry.default)

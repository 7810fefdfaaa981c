"""What a scope allows: `research` and `tool:*` everything, `tool:<name>`, `toolset:<name>`."""

from collections.abc import Iterable

EVERYTHING = frozenset({"tool:*", "research"})
_PREFIXES = ("tool:", "toolset:")


def about_tools(scopes: Iterable[str]) -> frozenset[str]:
    """Return the scopes that say something about tools; tokens carry others as well."""
    return frozenset(s for s in scopes if s in EVERYTHING or s.startswith(_PREFIXES))


def allows(scopes: frozenset[str] | None, tool: str, toolset: str) -> bool:
    """Return whether the scopes cover the tool; None covers everything."""
    if scopes is None:
        return True
    return bool(scopes & (EVERYTHING | {f"tool:{tool}", f"toolset:{toolset}"}))

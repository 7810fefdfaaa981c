"""Scopes: `research` and `tool:*` allow every tool; `tool:<name>`, `toolset:<name>` some."""

from collections.abc import Iterable

EVERYTHING = frozenset({"tool:*", "research"})
_PREFIXES = ("tool:", "toolset:")


def tool_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """Return the scopes that are about tools; tokens have others as well."""
    return frozenset(
        scope for scope in scopes if scope in EVERYTHING or scope.startswith(_PREFIXES)
    )


def allows(scopes: frozenset[str] | None, tool: str, toolset: str) -> bool:
    """Return whether the scopes cover the tool; None covers everything."""
    if scopes is None:
        return True
    return bool(scopes & (EVERYTHING | {f"tool:{tool}", f"toolset:{toolset}"}))

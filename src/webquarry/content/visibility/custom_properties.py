"""Custom properties of CSS: what `var(--name)` stands for."""

from collections.abc import Mapping

from webquarry.content.visibility.css_syntax import MAX_VALUE

_MAX_SUBSTITUTIONS = 20


def resolve(value: str, properties: Mapping[str, str]) -> str:
    """Return a value with its variables replaced; "" if one has no value and no fallback."""
    for _ in range(_MAX_SUBSTITUTIONS):
        start = value.lower().find("var(")
        if start < 0:
            return value.strip().lower()
        end = _end(value, start + 4)
        name, comma, fallback = value[start + 4 : end].partition(",")
        found = properties.get(name.strip(), fallback.strip() if comma else None)
        if found is None:
            return ""
        value = f"{value[:start]} {found} {value[end + 1 :]}"[:MAX_VALUE]
    return ""


def _end(value: str, position: int) -> int:
    """Return the position of the parenthesis that closes the one before `position`."""
    depth = 1
    for at in range(position, len(value)):
        depth += (value[at] == "(") - (value[at] == ")")
        if depth == 0:
            return at
    return len(value)

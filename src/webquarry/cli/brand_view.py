"""How the terminal shows a brand."""

from collections.abc import Iterator
from typing import Any, cast

from webquarry.cli.output import Json, Note, Part, grid, list_field, object_field

_SECTIONS = ("identity", "colors", "logos", "typography", "tone_of_voice", "social")


def brand(body: Json) -> Iterator[Part]:
    """Show the brand's properties with their sources."""
    rows = [row for name in _SECTIONS for row in _rows(name, object_field(body, name))]
    if rows:
        yield grid(("", "property", "value"), rows)
    for source in list_field(body, "sources"):
        yield Note(f"{', '.join(source['fields'])}: {source['url']}")
    if body.get("guidelines_url"):
        yield Note(f"Guidelines: {body['guidelines_url']}")
    if list_field(body, "unchecked"):
        yield Note(f"Could not be checked: {', '.join(body['unchecked'])}", warning=True)
    if body.get("suggestion"):
        yield Note(body["suggestion"])


def _rows(section: str, values: Json) -> Iterator[tuple[str, str, str]]:
    title = section.replace("_", " ")
    for name, value in values.items():
        if text := _flattened(value):
            yield title, name.replace("_", " "), text
            title = ""  # only in the first row of a section


def _flattened(value: Any) -> str:
    """Return a value of any type on one line."""
    if isinstance(value, list):
        return ", ".join(map(_flattened, cast("list[Any]", value)))
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value).items()
        return " ".join(_flattened(part) for name, part in parts if name != "brightness")
    return "" if value is None else str(value)

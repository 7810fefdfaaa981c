"""How a brand looks to people."""

from collections.abc import Iterator
from typing import Any, cast

from webquarry.cli.output import Json, Note, Part, grid, inside, many

_SECTIONS = ("identity", "colors", "logos", "typography", "tone_of_voice", "social")


def brand(body: Json) -> Iterator[Part]:
    """Show what is known of a brand, and who said it."""
    rows = [row for name in _SECTIONS for row in _rows(name, inside(body, name))]
    if rows:
        yield grid(("", "what", "value"), rows)
    for source in many(body, "sources"):
        yield Note(f"{', '.join(source['fields'])}: {source['url']}")
    if body.get("guidelines_url"):
        yield Note(f"Guidelines: {body['guidelines_url']}")
    if many(body, "unchecked"):
        yield Note(f"Could not be checked: {', '.join(body['unchecked'])}", warning=True)
    if body.get("suggestion"):
        yield Note(body["suggestion"])


def _rows(section: str, values: Json) -> Iterator[tuple[str, str, str]]:
    title = section.replace("_", " ")
    for name, value in values.items():
        if told := _told(value):
            yield title, name.replace("_", " "), told
            title = ""  # once is enough


def _told(value: Any) -> str:
    """Return a value on one line, whatever it is made of."""
    if isinstance(value, list):
        return ", ".join(_told(each) for each in cast("list[Any]", value))
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value).items()
        return " ".join(_told(each) for name, each in parts if name != "brightness")
    return "" if value is None else str(value)

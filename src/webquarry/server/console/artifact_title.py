"""The title of a stored result, from its content: a heading, a page title, a query or a URL."""

import json
from typing import Any, cast

_MAX_PARSED = 4_000_000  # bytes
_MAX_TITLE = 160  # characters
_NAMES = ("title", "researchGoal", "query", "citation", "url", "domain", "name")
_NESTED = ("metadata", "document")
_TEXTS = ("document", "content", "combinedContent", "markdown")


def artifact_title(mime: str, body: bytes) -> str:
    """Return the title, or an empty text if the content has none."""
    if len(body) > _MAX_PARSED:
        return ""
    text = body.decode("utf-8", "replace")
    if "json" in mime:
        try:
            found = _json_title(json.loads(text))
        except (ValueError, RecursionError):  # a part of a result
            found = ""
    else:
        found = _heading(text) if mime.startswith("text/") else ""
    return " ".join(found.split())[:_MAX_TITLE]


def _json_title(value: Any) -> str:
    if isinstance(value, list) and value:
        return _json_title(cast("list[Any]", value)[0])
    if not isinstance(value, dict):
        return ""
    body = cast("dict[str, Any]", value)
    if _is_object(body.get("body")):  # a result stored for its cursor
        return _json_title(body["body"])
    nested = [cast("dict[str, Any]", body[name]) for name in _NESTED if _is_object(body.get(name))]
    named = [part.get(name) for part in (*nested, body) for name in _NAMES]
    headings = [_heading(body[name]) for name in _TEXTS if isinstance(body.get(name), str)]
    found = [text for text in (*named, *headings) if isinstance(text, str) and text]
    return found[0] if found else _list_title(body)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _list_title(body: dict[str, Any]) -> str:
    """Return the title of the first item of a list, and how many more there are."""
    for items in (cast("list[Any]", each) for each in body.values() if isinstance(each, list)):
        if items and isinstance(items[0], dict) and (first := _json_title(items[0])):
            return f"{first} and {len(items) - 1} more" if items[1:] else first
    return ""


def _heading(text: str) -> str:
    """Return the first heading of a Markdown text, or its first line."""
    lines = [line.strip() for line in text[:4000].splitlines() if line.strip()]
    headings = [line.lstrip("#").strip() for line in lines if line.startswith("#")]
    return next(iter([*headings, *lines]), "")

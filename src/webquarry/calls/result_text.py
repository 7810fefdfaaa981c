"""Results as Markdown: what a model reads when its client passes on the text of a result."""

from collections.abc import Iterator
from typing import Any, cast

Json = dict[str, Any]

_HIDDEN = frozenset({"nextCursor"})  # the last sentence of the text has it
_TITLES = ("title", "name")
_MAX_INLINE = 120  # characters of a text or list on the line of its name


def result_text(body: Json) -> str:
    """Return the fields of a result: values on lines, long texts and lists as sections."""
    repeated = _repeated_urls(body)
    fields = [
        (name, value)
        for name, value in body.items()
        if name not in _HIDDEN and name not in repeated and _has_value(value)
    ]
    short = [f"{name}: {_inline(value)}" for name, value in fields if _is_short(value)]
    long = [_section(name, value) for name, value in fields if not _is_short(value)]
    return "\n\n".join(filter(None, ("\n".join(short), *long)))


def part_notice(number: int, of: int, cursor: str | None) -> str:
    """Return the sentence that ends a part of a result; the last part has no cursor."""
    if not cursor:
        return f"Part {number} of {of}, the last."
    return f"Part {number} of {of}. Call again with cursor={cursor} for the rest."


def _repeated_urls(body: Json) -> set[str]:
    """Return the names of lists whose URLs are all in the items of another list."""
    lists = {name: cast("list[Any]", value) for name, value in body.items() if _is_list(value)}
    objects = [
        cast("Json", item) for items in lists.values() for item in items if isinstance(item, dict)
    ]
    listed = {str(item.get("url")) for item in objects}
    return {
        name
        for name, items in lists.items()
        if items and all(isinstance(item, str) and item in listed for item in items)
    }


def _section(name: str, value: Any) -> str:
    if _is_list(value):
        items = cast("list[Any]", value)
        lines = [_item(number, item) for number, item in enumerate(items, 1)]
        return f"{name} ({len(items)}):\n" + "\n".join(lines)
    if isinstance(value, dict):
        return f"{name}:\n{_indented(_object_lines(cast('Json', value)))}"
    return f"{name}:\n\n{value}"


def _item(number: int, item: Any) -> str:
    if not isinstance(item, dict):
        return f"{number}. {_inline(item)}"
    return f"{number}. {_indented(_object_lines(cast('Json', item))).lstrip()}"


def _object_lines(item: Json) -> Iterator[str]:
    """Yield the title, the URL, the long texts and the other values of an object."""
    rest = {name: value for name, value in item.items() if _has_value(value)}
    title = next((name for name in _TITLES if isinstance(rest.get(name), str)), None)
    if title:
        yield " ".join(str(rest.pop(title)).split())
    if isinstance(rest.get("url"), str):
        url = str(rest.pop("url"))
        if str(rest.get("displayLink", "\0")) in url:
            del rest["displayLink"]
        yield url
    short = {name: value for name, value in rest.items() if _is_short(value)}
    yield from (_section(name, value) for name, value in rest.items() if name not in short)
    if short:
        yield _pairs(short)


def _indented(lines: Iterator[str]) -> str:
    return "\n".join("   " + line.replace("\n", "\n   ") for line in lines)


def _pairs(values: Json) -> str:
    return "; ".join(f"{name}: {_inline(value)}" for name, value in values.items())


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if _is_list(value):
        return ", ".join(_inline(each) for each in cast("list[Any]", value))
    if isinstance(value, dict):
        inner = {n: v for n, v in cast("Json", value).items() if _has_value(v)}
        return f"({_pairs(inner)})"
    return str(value)


def _is_short(value: Any) -> bool:
    if isinstance(value, dict) or (_is_list(value) and any(isinstance(v, dict) for v in value)):
        return len(text := _inline(value)) <= _MAX_INLINE and "\n" not in text
    text = _inline(value)
    return "\n" not in text and (len(text) <= _MAX_INLINE or "://" in text.split(" ", 1)[0])


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _has_value(value: Any) -> bool:
    """Return whether a field says something; false and 0 do."""
    return value is not None and value not in ("", [], {})

"""Results as Markdown: what a model reads when its client passes on the text of a result."""

from typing import Any, cast

Json = dict[str, Any]

_HIDDEN = frozenset({"nextCursor"})  # the last sentence of the text has it
_TITLES = ("title", "name")
_MAX_INLINE = 120  # characters of a text or list on the line of its name
# constants: a union of types would be made for each check
_LISTS = (list, tuple)
_NUMBERS = (int, float)
_MAY_BE_EMPTY = (str, list, dict)


def result_text(body: Json) -> str:
    """Return the fields of a result: values on lines, long texts and lists as sections."""
    repeated = _repeated_urls(body)
    short: list[str] = []
    long: list[str] = []
    for name, value in body.items():
        if name in _HIDDEN or name in repeated or not _has_value(value):
            continue
        if (text := _short(value)) is not None:
            short.append(f"{name}: {text}")
        else:
            long.append(_section(name, value))
    return "\n\n".join(filter(None, ("\n".join(short), *long)))


def part_notice(number: int, of: int, cursor: str | None) -> str:
    """Return the sentence that ends a part of a result; the last part has no cursor."""
    if not cursor:
        return f"Part {number} of {of}, the last."
    return f"Part {number} of {of}. Call again with cursor={cursor} for the rest."


def _repeated_urls(body: Json) -> set[str]:
    """Return the names of lists whose URLs are all in the items of another list."""
    lists = {name: cast("list[Any]", value) for name, value in body.items() if _is_list(value)}
    objects: list[Json] = [
        item for items in lists.values() for item in items if isinstance(item, dict)
    ]
    listed = {str(item.get("url")) for item in objects}
    return {
        name
        for name, items in lists.items()
        if items and all(isinstance(item, str) and item in listed for item in items)
    }


def _section(name: str, value: Any) -> str:
    if isinstance(value, str):
        return f"{name}:\n\n{value}"
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


def _object_lines(item: Json) -> list[str]:
    """Return the title, the URL, the long texts and the other values of an object."""
    title = _title_field(item)
    url = item.get("url")
    lines = [" ".join(item[title].split())] if title else []
    left_out = [title]
    if url and isinstance(url, str):
        lines.append(url)
        left_out.append("url")
        if str(item.get("displayLink")) in url:
            left_out.append("displayLink")
    short: list[str] = []
    for name, value in item.items():
        if value is None or name in left_out or not _has_value(value):
            continue
        if (text := _short(value)) is not None:
            short.append(f"{name}: {text}")
        else:
            lines.append(_section(name, value))
    if short:
        lines.append("; ".join(short))
    return lines


def _title_field(item: Json) -> str:
    for name in _TITLES:
        if (title := item.get(name)) and isinstance(title, str):
            return name
    return ""


def _indented(lines: list[str]) -> str:
    return "   " + "\n".join(lines).replace("\n", "\n   ") if lines else ""


def _inline(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if _is_list(value):
        return ", ".join(_inline(each) for each in cast("list[Any]", value))
    if isinstance(value, dict):
        inner = cast("Json", value).items()
        pairs = (f"{name}: {_inline(each)}" for name, each in inner if _has_value(each))
        return f"({'; '.join(pairs)})"
    return str(value)


def _short(value: Any) -> str | None:
    """Return a value as it stands on the line of its name; None if it is too long for that."""
    if isinstance(value, str):
        fits = len(value) <= _MAX_INLINE or "://" in value.partition(" ")[0]
        return value if fits and "\n" not in value else None
    if isinstance(value, _NUMBERS):
        return _inline(value)
    has_objects = isinstance(value, dict) or (
        _is_list(value) and any(isinstance(each, dict) for each in value)
    )
    if has_objects and _is_long(value):
        return None
    text = _inline(value)
    fits = len(text) <= _MAX_INLINE or (not has_objects and "://" in text.split(" ", 1)[0])
    return text if fits and "\n" not in text else None


def _is_long(value: Any) -> bool:
    """Return whether the parts of a value are too long together; looks at no more than needed."""
    size = 0
    parts: Any = cast("Json", value).values() if isinstance(value, dict) else value
    for each in parts:
        size += len(_inline(each))
        if size > _MAX_INLINE:
            return True
    return False


def _is_list(value: Any) -> bool:
    return isinstance(value, _LISTS)


def _has_value(value: Any) -> bool:
    """Return whether a field says something; false and 0 do."""
    return bool(value) or not (value is None or isinstance(value, _MAY_BE_EMPTY))

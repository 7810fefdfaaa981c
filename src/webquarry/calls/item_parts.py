"""Parts of one item of a result that is too long for a page: its long texts are divided."""

from collections.abc import Iterator
from typing import Any, cast

from webquarry.content.text.token_count import cut_text, json_size

Json = dict[str, Any]
Keys = tuple[str | int, ...]

PARTIAL = "partial"  # set in an item whose texts are not complete
_MIN_LONG = 200  # characters: shorter texts are in every part


def item_part(item: Json, start: int, room: int) -> tuple[Json, int] | None:
    """Return a part of an item within `room` bytes, and the character where the next one starts.

    Characters are counted through all long texts. None if not one of them fits.
    """
    texts = dict(_long_texts(item, ()))
    frame = _with_texts(item, dict.fromkeys(texts, "")) | {PARTIAL: True}
    left, skipped, end = room - json_size(frame), start, start
    parts = dict.fromkeys(texts, "")
    for keys, text in texts.items():
        if skipped >= len(text):
            skipped -= len(text)
            continue
        rest = text[skipped:]
        parts[keys] = cut_text(rest, left)
        left -= json_size(parts[keys]) - 2
        end += len(parts[keys])
        skipped = 0
        if len(parts[keys]) < len(rest):
            break
    return (_with_texts(item, parts) | {PARTIAL: True}, end) if end > start else None


def long_length(item: Json) -> int:
    """Return the characters of all long texts of an item."""
    return sum(len(text) for _, text in _long_texts(item, ()))


def _long_texts(value: Any, keys: Keys) -> Iterator[tuple[Keys, str]]:
    if isinstance(value, str):
        if len(value) >= _MIN_LONG:
            yield keys, value
    elif isinstance(value, dict):
        for name, inner in cast("Json", value).items():
            yield from _long_texts(inner, (*keys, name))
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[Any]", value)):
            yield from _long_texts(inner, (*keys, index))


def _with_texts(value: Any, texts: dict[Keys, str], keys: Keys = ()) -> Any:
    """Return a copy with other texts."""
    if keys in texts:
        return texts[keys]
    if isinstance(value, dict):
        items = cast("Json", value).items()
        return {name: _with_texts(inner, texts, (*keys, name)) for name, inner in items}
    if isinstance(value, list):
        inners = enumerate(cast("list[Any]", value))
        return [_with_texts(inner, texts, (*keys, index)) for index, inner in inners]
    return value

"""Size of values as JSON, token estimates, and cutting text to a budget."""

import json
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

BYTES_PER_TOKEN = 4
_BREAKS = ("\n\n", "\n", ". ", "。", " ")  # paragraph, line, sentence, word: best first


def compact_json(value: Any) -> str:
    """Serialise without spaces and without escaping letters."""
    return _json_bytes(value).decode("utf-8", "surrogatepass")


def json_size(value: Any) -> int:
    """Return the bytes `value` takes as compact JSON."""
    return len(_json_bytes(value))


def _json_bytes(value: Any) -> bytes:
    try:
        return to_json(value)
    except (
        PydanticSerializationError,
        UnicodeEncodeError,
    ):
        # lone surrogates cannot be encoded as UTF-8
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "surrogatepass")


def estimate_tokens(size: int) -> int:
    """Return the tokens that `size` bytes cost, rounded up."""
    return -(-size // BYTES_PER_TOKEN)


def cut_text(text: str, room: int) -> str:
    """Return the longest start of `text` that fits `room` bytes of JSON, ending at a break.

    The quotes do not count; `text[len(result):]` is the rest.
    """
    if json_size(text) - 2 <= room:
        return text
    low, high = 0, min(len(text), max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        # the size of a text is that of its parts together, so none is measured twice
        size = json_size(text[low:middle]) - 2
        if size <= room:
            low, room = middle, room - size
        else:
            high = middle - 1
    return text[: _break_position(text, low)]


def _break_position(text: str, limit: int) -> int:
    """Return the end of the last break in the second half, else the limit."""
    for mark in _BREAKS:
        at = text.rfind(mark, limit // 2, limit)
        if at >= 0:
            return at + len(mark)
    return limit

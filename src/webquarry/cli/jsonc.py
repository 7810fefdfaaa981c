"""Edits JSON with comments and trailing commas in place: everything else stays as it is."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_COMMENTS = {"//": "\n", "/*": "*/"}  # how they begin and end
_DECODER = json.JSONDecoder()
_MAX_DEPTH = 100


class JsoncError(ValueError):
    """The text is not JSON, with or without comments."""


@dataclass(frozen=True)
class JsonSpan:
    """A value and where it stands in the text."""

    value: Any
    start: int
    end: int
    members: Mapping[str, "JsonSpan"] = field(default_factory=dict[str, "JsonSpan"])


def parse_jsonc(text: str) -> JsonSpan:
    """Return the value of a text; raise JsoncError if it has none, or a key twice."""
    parser = _Parser(text)
    root = parser.value(parser.skip(0), 0)
    if parser.skip(root.end) != len(text):
        raise parser.error("unexpected text", parser.skip(root.end))
    return root


def set_member(text: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with the value at a path of object keys; missing objects are created."""
    present = parse_jsonc(text)
    for position, key in enumerate(path):
        if key not in present.members:
            for missing in reversed(path[position + 1 :]):
                value = {missing: value}
            return _insert(text, present, key, value)
        present = present.members[key]
    style = _Style(text)
    return text[: present.start] + style.dump(value, present.start) + text[present.end :]


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text

    def error(self, what: str, at: int) -> JsoncError:
        line = self._text.count("\n", 0, at) + 1
        return JsoncError(f"{what} in line {line}")

    def skip(self, at: int) -> int:
        """Return the position after white space and comments."""
        while at < len(self._text):
            if self._text[at] in " \t\r\n":
                at += 1
            elif ending := _COMMENTS.get(self._text[at : at + 2]):
                found = self._text.find(ending, at + 2)
                at = len(self._text) if found < 0 else found + len(ending)
            else:
                break
        return at

    def value(self, at: int, depth: int) -> JsonSpan:
        if depth > _MAX_DEPTH:
            raise self.error("too many levels", at)
        opening = self._text[at : at + 1]
        if opening == "{":
            return self._object(at, depth)
        if opening == "[":
            return self._array(at, depth)
        try:
            value, end = _DECODER.raw_decode(self._text, at)
        except ValueError:
            raise self.error("expected a value", at) from None
        return JsonSpan(value, at, end)

    def _object(self, start: int, depth: int) -> JsonSpan:
        members: dict[str, JsonSpan] = {}
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "}":
            key = self.value(at, _MAX_DEPTH) if self._text[at : at + 1] == '"' else None
            if key is None:
                raise self.error("expected a key", at)
            at = self.skip(key.end)
            if self._text[at : at + 1] != ":":
                raise self.error("expected a colon", at)
            if key.value in members:
                raise self.error("duplicate key", at)
            members[key.value] = self.value(self.skip(at + 1), depth + 1)
            at = self._after_item(members[key.value].end, "}")
        return JsonSpan({key: span.value for key, span in members.items()}, start, at + 1, members)

    def _array(self, start: int, depth: int) -> JsonSpan:
        values: list[Any] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "]":
            item = self.value(at, depth + 1)
            values.append(item.value)
            at = self._after_item(item.end, "]")
        return JsonSpan(values, start, at + 1)

    def _after_item(self, at: int, closing: str) -> int:
        at = self.skip(at)
        if self._text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self._text[at : at + 1] != closing:
            raise self.error("expected a comma", at)
        return at


class _Style:
    """The indentation and line ends of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        indented = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
        self.unit = indented[1] if indented else "  "
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def indentation(self, at: int) -> str:
        """Return the white space that begins the line of a position."""
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def dump(self, value: Any, at: int) -> str:
        """Return a value as JSON, indented for its position."""
        lines = json.dumps(value, indent=self.unit, ensure_ascii=False).split("\n")
        return f"{self.newline}{self.indentation(at)}".join(lines)


def _insert(text: str, parent: JsonSpan, key: str, value: Any) -> str:
    """Return the text with a new member at the end of an object."""
    style = _Style(text)
    own_line = "\n" in text[parent.start : parent.end]
    if not parent.members or not own_line:
        merged = {**parent.value, key: value}
        return text[: parent.start] + style.dump(merged, parent.start) + text[parent.end :]
    last = list(parent.members.values())[-1]
    break_ = style.newline + style.indentation(last.start)
    added = f"{break_}{json.dumps(key, ensure_ascii=False)}: {style.dump(value, last.start)}"
    end_of_line = text.find("\n", last.end)
    rest = text[last.end : end_of_line].rstrip("\r")
    if "//" not in rest or rest.partition("//")[0].strip(" \t,"):
        return f"{text[: last.end]},{added}{text[last.end :]}"
    # the comment of the last member stays with it
    comma = "" if "," in rest.partition("//")[0] else ","
    return text[: last.end] + comma + rest + added + text[last.end + len(rest) :]

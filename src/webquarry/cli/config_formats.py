"""Formats of configuration files: how an entry is read from them and added to them."""

import json
import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, cast

from webquarry.cli.jsonc import JsoncError, parse_jsonc, set_member
from webquarry.errors import BadInputError

Section = tuple[str, ...]


class ConfigFormat(ABC):
    """One format. A file that cannot be changed without loss is never changed."""

    @abstractmethod
    def problem(self, text: str, section: Section) -> str:
        """Return why a text cannot be changed safely; empty if it can."""

    @abstractmethod
    def entry(self, text: str, section: Section, name: str) -> Any:
        """Return an entry, or None."""

    @abstractmethod
    def with_entry(self, text: str, section: Section, name: str, entry: dict[str, Any]) -> str:
        """Return the text with this entry and everything else unchanged."""

    @abstractmethod
    def alone(self, section: Section, name: str, entry: dict[str, Any]) -> str:
        """Return a text with only this entry, to be added by hand."""


class JsonFormat(ConfigFormat):
    """JSON, also with comments and trailing commas."""

    def problem(self, text: str, section: Section) -> str:
        if not text.strip():
            return ""
        try:
            present = parse_jsonc(text)
        except JsoncError as exc:
            return f"is not JSON ({exc})"
        for depth, key in enumerate(("", *section)):
            present = present.members.get(key) if key else present
            if present is None:
                return ""
            if not isinstance(present.value, dict):
                where = ".".join(section[:depth]) or "the file"
                return f"is not as expected ({where} is not an object)"
        return ""

    def entry(self, text: str, section: Section, name: str) -> Any:
        found: Any = parse_jsonc(text).value if text.strip() else {}
        for key in (*section, name):
            found = found.get(key) or {}
        return found or None

    def with_entry(self, text: str, section: Section, name: str, entry: dict[str, Any]) -> str:
        if not text.strip():
            return self.alone(section, name, entry)
        return set_member(text, (*section, name), entry)

    def alone(self, section: Section, name: str, entry: dict[str, Any]) -> str:
        whole: dict[str, Any] = {name: entry}
        for key in reversed(section):
            whole = {key: whole}
        return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


class TomlFormat(ConfigFormat):
    """TOML, where a table can be added at the end of the file."""

    def problem(self, text: str, section: Section) -> str:
        try:
            found: Any = tomllib.loads(text)
        except tomllib.TOMLDecodeError as exc:
            return f"is not TOML ({exc})"
        for key in section:
            below: Any = found.get(key, {})
            if not isinstance(below, dict):
                return f"is not as expected ({key} is not a table)"
            found = cast("dict[str, Any]", below)
        return ""

    def entry(self, text: str, section: Section, name: str) -> Any:
        found: Any = tomllib.loads(text)
        for key in (*section, name):
            found = found.get(key) or {}
        return found or None

    def with_entry(self, text: str, section: Section, name: str, entry: dict[str, Any]) -> str:
        rest = _without_toml_table(text, f"{'.'.join(section)}.{name}")
        gap = "\n" if rest.strip() else ""
        changed = f"{rest.rstrip()}\n{gap}{self.alone(section, name, entry)}".lstrip("\n")
        if _without_key(changed, (*section, name)) != _without_key(text, (*section, name)):
            raise BadInputError("The file has a form that cannot be changed safely.")
        return changed

    def alone(self, section: Section, name: str, entry: dict[str, Any]) -> str:
        table = ".".join((*section, name))
        values = {key: value for key, value in entry.items() if not isinstance(value, dict)}
        nested = {key: value for key, value in entry.items() if key not in values}
        tables = [_toml_table(table, values)]
        tables += [_toml_table(f"{table}.{key}", value) for key, value in nested.items()]
        return "\n".join(tables)


class YamlFormat(ConfigFormat):
    """YAML in block style, edited line by line: one section at the top level."""

    def problem(self, text: str, section: Section) -> str:
        [key] = section
        inline = re.search(rf"^{key}:[ \t]*[^#\s]", text, re.MULTILINE)
        tabs = re.search(r"^\t", text, re.MULTILINE)
        return "is not in block style" if inline or tabs else ""

    def entry(self, text: str, section: Section, name: str) -> Any:
        _, body, _ = _yaml_section(text, section[0])
        found = re.search(rf"^ +{name}: (\{{.*\}})$", body, re.MULTILINE)
        return json.loads(found[1]) if found else None

    def with_entry(self, text: str, section: Section, name: str, entry: dict[str, Any]) -> str:
        heading, body, rest = _yaml_section(text, section[0])
        if not heading:
            gap = "" if not text or text.endswith("\n") else "\n"
            return text + gap + self.alone(section, name, entry)
        child = re.search(r"^( +)[^#\s]", body, re.MULTILINE)
        indentation = child[1] if child else "  "
        line = self.alone(section, name, entry).partition("\n")[2].strip()
        others = _without_yaml_block(body, f"{indentation}{name}:", len(indentation))
        return f"{heading}{indentation}{line}\n{others}{rest}"

    def alone(self, section: Section, name: str, entry: dict[str, Any]) -> str:
        # JSON on one line is YAML
        return f"{section[0]}:\n  {name}: {json.dumps(entry, ensure_ascii=False)}\n"


def _without_key(text: str, path: Section) -> dict[str, Any]:
    """Return the content of a TOML text without one key, and without the tables it leaves empty."""
    whole = tomllib.loads(text)
    parents: list[dict[str, Any]] = [whole]
    for key in path[:-1]:
        parents.append(parents[-1].get(key, {}))
    parents[-1].pop(path[-1], None)
    for parent, key in zip(parents[-2::-1], path[-2::-1], strict=True):
        if not parent.get(key):
            parent.pop(key, None)
    return whole


def _toml_table(name: str, values: Mapping[str, Any]) -> str:
    # strings and lists of strings are written in TOML as in JSON
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


def _without_toml_table(text: str, table: str) -> str:
    """Return the text without a table and its sub-tables."""
    kept: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            header = line.strip().strip("[]").strip()
            inside = header == table or header.startswith(f"{table}.")
        if not inside:
            kept.append(line)
    return "".join(kept)


def _yaml_section(text: str, key: str) -> tuple[str, str, str]:
    """Return the text up to the first line of a section, the section, and what follows it."""
    heading = re.search(rf"^{key}:[^\n]*(\n|\Z)", text, re.MULTILINE)
    if not heading:
        return "", "", text
    following = re.search(r"^[^ #\n]", text[heading.end() :], re.MULTILINE)
    end = heading.end() + following.start() if following else len(text)
    before = text[: heading.end()]
    return before if before.endswith("\n") else f"{before}\n", text[heading.end() : end], text[end:]


def _without_yaml_block(body: str, first: str, indentation: int) -> str:
    """Return a section without an entry: its line, and the more indented lines below it."""
    kept: list[str] = []
    inside = False
    for line in body.splitlines(keepends=True):
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indentation:
            inside = line.startswith(first)
        if not inside:
            kept.append(line)
    return "".join(kept)

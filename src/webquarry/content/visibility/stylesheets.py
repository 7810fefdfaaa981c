"""Reads the rules of style sheets: nesting, conditions and layers."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from webquarry.content.text.length_limits import cap_text
from webquarry.content.visibility.css_syntax import without_comments, without_structure_in_strings
from webquarry.content.visibility.media_queries import media_applies, supports_applies

MAX_SHEET = 400_000  # characters
_MAX_CACHED_SHEET = 65_536  # characters: the pages of a site share their sheets
_MAX_SELECTORS = 2_000  # characters of the selectors of a nested rule
_MAX_PARENTS = 8  # "&" in the selectors of a rule
UNLAYERED = 1_000_000  # rules outside all layers win over those inside
_AT_RULE = re.compile(r"@(?:-\w+-)?([\w-]+)", re.ASCII)
_LIST_MARK = re.compile(r"[\[\](),]")
_COMBINATORS = (">", "+", "~")


class RuleText(NamedTuple):
    """One rule as written: its selectors and its declarations."""

    selectors: str
    body: str
    layer: int = UNLAYERED


class _Block(NamedTuple):
    """An open block: whether its rules apply, and what they are nested in."""

    applies: bool = True
    selectors: str = ""
    layer: int = UNLAYERED


_OUTSIDE = _Block()


def parse_stylesheet(source: str) -> tuple[RuleText, ...]:
    """Return the rules of a style sheet that apply to a screen."""
    return _cached_rules(source) if len(source) <= _MAX_CACHED_SHEET else tuple(_rules(source))


@lru_cache(maxsize=64)
def _cached_rules(source: str) -> tuple[RuleText, ...]:
    return tuple(_rules(source))


def _rules(source: str) -> Iterator[RuleText]:
    text = without_structure_in_strings(without_comments(cap_text(source, MAX_SHEET)))
    if "<!--" in text:
        text = text.replace("<!--", " ").replace("-->", " ")
    reader = _RuleReader()
    for part in text.split("}"):
        head, brace, body = part.partition("{")
        if brace and "{" not in body and "@" not in head and ";" not in head and reader.is_plain:
            applies, _, layer = reader.outer  # most rules: not nested in another
            if applies and (selectors := head.strip()) and body and not body.isspace():
                yield RuleText(selectors, body, layer)
        elif brace or not reader.close():
            yield from reader.read(part)


class _RuleReader:
    """Reads the parts of a style sheet between closing braces."""

    def __init__(self) -> None:
        self.outer = _OUTSIDE  # the innermost open block
        self.is_plain = True  # whether no rule is open and the next one is valid
        self._blocks: list[_Block] = []
        self._layers = _Layers()
        self._is_stray = False  # a brace that closes nothing makes the next rule invalid

    def close(self) -> bool:
        """Close an open at-rule; False if something else is open."""
        if not self._blocks or self.outer.selectors:
            return False
        self._blocks.pop()
        self.outer = self._blocks[-1] if self._blocks else _OUTSIDE
        self.is_plain = not self._is_stray and not self.outer.selectors
        return True

    def read(self, part: str) -> Iterator[RuleText]:
        """Yield the rules that end in this part."""
        *heads, body = part.split("{")
        for head in heads:
            yield from self._open(head)
        if self._blocks:
            inner = self._blocks.pop()
            if inner.applies and inner.selectors and not body.isspace() and body:
                yield RuleText(inner.selectors, body, inner.layer)
        else:
            self._is_stray = True
        self.outer = self._blocks[-1] if self._blocks else _OUTSIDE
        self.is_plain = not self._is_stray and not self.outer.selectors

    def _open(self, head: str) -> Iterator[RuleText]:
        """Open a block; yield the declarations before it."""
        outer = self._blocks[-1] if self._blocks else _OUTSIDE
        before, semicolon, prelude = head.rpartition(";")
        if semicolon and outer.selectors and outer.applies:
            yield RuleText(outer.selectors, before, outer.layer)
        elif semicolon:
            self._layers.declare(before)
        block = _open(prelude.strip(), outer, self._layers)
        self._blocks.append(block._replace(applies=False) if self._is_stray else block)
        self._is_stray = False


def imported_urls(source: str) -> tuple[str, ...]:
    """Return the URLs that a style sheet imports."""
    return tuple(match[1] or match[2] for match in _IMPORT.finditer(cap_text(source, MAX_SHEET)))


_IMPORT = re.compile(
    r"@import\s+(?:url\(\s*[\"']?([^\"')\s]{1,20000})|[\"']([^\"'\n]{1,20000}))", re.IGNORECASE
)


class _Layers:
    """The cascade layers of a sheet, in the order of their first mention."""

    def __init__(self) -> None:
        self._ranks: dict[str, int] = {}

    def declare(self, statements: str) -> None:
        """Note the layers in statements such as `@layer base, theme`."""
        for statement in statements.split(";") if "@layer" in statements else ():
            for name in statement.strip().removeprefix("@layer").split(","):
                self.rank(name.strip())

    def rank(self, name: str) -> int:
        """Return the rank of a layer; a later one wins."""
        return self._ranks.setdefault(name or f"({len(self._ranks)})", len(self._ranks))


def _open(prelude: str, outer: _Block, layers: _Layers) -> _Block:
    """Return the block that a prelude opens."""
    if not prelude.startswith("@"):
        selectors = _nested(prelude, outer.selectors) if outer.selectors else prelude
        return outer._replace(selectors=selectors, applies=outer.applies and bool(selectors))
    match = _AT_RULE.match(prelude)
    name = match[1].lower() if match else ""
    condition = prelude[match.end() :].strip() if match else ""
    if name == "layer":
        return outer._replace(layer=layers.rank(condition))
    if name == "scope":
        return outer._replace(selectors=_scope(condition))
    return outer._replace(applies=outer.applies and _applies(name, condition))


def _applies(name: str, condition: str) -> bool:
    if name == "media":
        return media_applies(condition)
    if name == "supports":
        return supports_applies(condition)
    return name == "container"


def _scope(condition: str) -> str:
    root = condition.partition(")")[0].removeprefix("(").strip()
    return root if condition.startswith("(") and root else ":root"


def _nested(selectors: str, outer: str) -> str:
    """Return the selectors of a rule that is nested in another."""
    if len(selectors) + len(outer) > _MAX_SELECTORS or selectors.count("&") > _MAX_PARENTS:
        return ""
    parent = f":is({outer})" if "," in outer or " " in outer else outer
    return ",".join(_nest(part.strip(), parent) for part in split_selectors(selectors))


def _nest(selector: str, parent: str) -> str:
    if "&" in selector:
        return selector.replace("&", parent)
    joint = " " if not selector.startswith(_COMBINATORS) else ""
    return f"{parent}{joint}{selector}"


def split_selectors(selectors: str) -> Iterable[str]:
    """Return the parts of a selector list, which commas outside parentheses separate."""
    if "," not in selectors or ("(" not in selectors and "[" not in selectors):
        return selectors.split(",")
    parts: list[str] = []
    depth = start = 0
    for mark in _LIST_MARK.finditer(selectors):
        char = mark[0]
        if char in "([":
            depth += 1
        elif char != ",":
            depth -= 1
        elif depth <= 0:
            parts.append(selectors[start : mark.start()])
            start = mark.end()
    return [*parts, selectors[start:]]

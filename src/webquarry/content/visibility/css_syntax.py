"""CSS as text: comments, strings and escapes, and declarations."""

import re
from typing import Any, NamedTuple, cast

import tinycss2

from webquarry.content.visibility.css_values import is_valid

# an unclosed string ends with its line, so that every quote starts a match
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?', re.DOTALL)
_STRUCTURE = re.compile(r"[{};]")
_MAX_EXACT = 4_000  # characters of declarations that are tokenised
MAX_VALUE = 300  # characters: longer values are images and fonts


class CssDeclaration(NamedTuple):
    """The value of a property, in lower case."""

    value: str
    important: bool


Declarations = dict[str, CssDeclaration]


def without_comments(text: str) -> str:
    """Return CSS without its comments; an unclosed one takes the rest."""
    if "/*" not in text:
        return text
    parts: list[str] = []
    position = 0
    while (start := text.find("/*", position)) >= 0:
        parts.append(text[position:start])
        end = text.find("*/", start + 2)
        if end < 0:
            return " ".join(parts)
        position = end + 2
    return " ".join([*parts, text[position:]])


def without_structure_in_strings(text: str) -> str:
    """Return CSS whose strings and URLs have no braces and semicolons."""
    if '"' in text or "'" in text:
        text = _STRING.sub(_masked_string, text)
    if "url(" not in text:
        return text
    first, *others = text.split("url(")
    return "url(".join([first, *map(_masked_url, others)])


def parse_declarations(style: str) -> dict[str, str]:
    """Return property -> value of a declaration block, lower case; `!important` wins."""
    return {name: declared.value for name, declared in declarations_of(style).items()}


def declarations_of(style: str, skipped: tuple[str, ...] = ()) -> Declarations:
    """Return the declarations by property; the last valid one wins, `!important` before others.

    Properties whose names start with one of `skipped` are left out.
    """
    declarations: Declarations = {}
    for part in _plain_text(style).split(";"):
        name, _, value = part.partition(":")
        name = name.strip().lower()
        if not name or name.startswith(skipped):
            continue
        declared = _declaration(name, value.strip())
        if not declared.value or not is_valid(name, declared.value):
            continue
        known = declarations.get(name)
        if declared.important or known is None or not known.important:
            declarations[name] = declared
    return declarations


def _declaration(name: str, value: str) -> CssDeclaration:
    bare, _, mark = value.rpartition("!")
    important = mark.strip().lower() == "important" and bare != ""
    kept = bare.rstrip() if important else value
    is_custom = name.startswith("--")
    return CssDeclaration((kept if is_custom else kept.lower())[:MAX_VALUE], important)


def _plain_text(style: str) -> str:
    """Return the declarations without comments and escapes, and with harmless strings."""
    if "\\" in style and len(style) <= _MAX_EXACT:
        style = _without_escapes(style)
    if not _is_special(style):
        return style
    return without_structure_in_strings(without_comments(style))


def _is_special(style: str) -> bool:
    return '"' in style or "'" in style or "/*" in style or "url(" in style


def _without_escapes(style: str) -> str:
    """Return the declarations with their escaped characters written plainly."""
    parse = cast("Any", tinycss2).parse_blocks_contents
    nodes: list[Any] = parse(style, skip_comments=True, skip_whitespace=True)
    parts: list[str] = []
    for node in nodes:
        if node.type == "declaration":
            mark = "!important" if node.important else ""
            parts.append(f"{node.lower_name}:{_plain(node.value)}{mark}")
    return ";".join(parts)


def _plain(tokens: list[Any]) -> str:
    parts: list[str] = []
    for token in tokens:
        is_plain_word = token.type == "ident" and re.fullmatch(r"[\w-]+", token.value)
        parts.append(token.value if is_plain_word else token.serialize())
    return "".join(parts)


def _masked_string(match: re.Match[str]) -> str:
    text = match[0]
    is_harmless = "{" not in text and "}" not in text and ";" not in text
    return text if is_harmless else _STRUCTURE.sub(" ", text)


def _masked_url(text: str) -> str:
    """Return what follows "url(", masked up to its end."""
    url, end, rest = text.partition(")")
    return _STRUCTURE.sub(" ", url) + end + rest if end else text

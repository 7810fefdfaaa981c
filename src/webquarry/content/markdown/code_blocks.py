"""Code blocks: the text as it was typed, and the language it is in."""

import re

from webquarry.content.html.dom import Element, name_of
from webquarry.content.text.word_list import words

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|brush:|code-lang)"
    r"[-: ]?\s*([a-zA-Z][\w+#.-]*)"
)
_AFTER = re.compile(r"(?:^|\s)(?:hljs|sourceCode|prettyprint|syntax)\s+([a-z][\w+#-]*)")
_NO_LANGUAGE = frozenset(
    words(
        "default none plaintext text plain highlight notranslate source block wrapper "
        "container code box nohighlight linenums lines line"
    )
)
_GUTTER = re.compile(
    r"(^|\s)(lineno|linenos|line-?numbers?(-rows)?|gutter|hljs-ln-n\w*)(\s|$)", re.I
)
_LINE = frozenset(("div", "p", "tr", "li"))


def fenced(pre: Element) -> list[str]:
    """Return the block between fences, or nothing when it is empty."""
    text = verbatim(pre)
    if not text.strip():
        return []
    runs = re.findall(r"^\s*(`{3,})", text, re.MULTILINE) if "```" in text else ()
    longest = max(map(len, runs), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language_of(pre)}\n{text}\n{fence}"]


def verbatim(pre: Element) -> str:
    """Return the text of a code block: its indentation and its blank lines included."""
    parts: list[str] = []
    _collect(pre, parts)
    lines = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def language_of(pre: Element) -> str:
    """Return the language that the block or one of its wrappers declares, lower case."""
    near = [pre, *pre.iter("code"), pre.getparent()]
    parent = pre.getparent()
    near.append(parent.getparent() if parent is not None else None)
    for element in near:
        found = _declared(element) if element is not None else ""
        if found:
            return found
    return ""


def _declared(element: Element) -> str:
    said = element.get("data-lang") or element.get("data-language") or ""
    names = element.get("class") or ""
    if not said and not names:
        return ""
    for match in (*_LANGUAGE.finditer(names), *_AFTER.finditer(names)):
        if not said and match[1].lower() not in _NO_LANGUAGE:
            said = match[1]
    return re.sub(r"[^\w+#.-]", "", said).lower()


def _collect(element: Element, parts: list[str], level: int = 0) -> None:
    """Add the text in order; an element that stands for a line ends with one."""
    if element.text:
        parts.append(element.text)
    for child in element:
        tag = name_of(child)
        if tag == "br":
            parts.append("\n")
        elif tag and level < 100 and not _is_decoration(child):
            _collect(child, parts, level + 1)
            if tag in _LINE and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
        if child.tail:
            parts.append(child.tail)


def _is_decoration(element: Element) -> bool:
    if element.tag in ("script", "style", "button", "template"):
        return True
    names = element.get("class")
    return names is not None and bool(_GUTTER.search(names))

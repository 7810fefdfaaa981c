"""Code: the verbatim text of a block and its programming language, and code in a line."""

import re
from itertools import chain, islice

from webquarry.content.html.dom import Element, tag_of
from webquarry.content.text.word_list import words

_LANGUAGE_CLASS = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|brush:|code-lang)"
    r"[-: ]?\s*([a-zA-Z][\w+#.-]*)"
)
_HIGHLIGHTER_CLASS = re.compile(r"(?:^|\s)(?:hljs|sourceCode|prettyprint|syntax)\s+([a-z][\w+#-]*)")
_NOT_A_LANGUAGE = frozenset(
    words(
        "default none plaintext text plain highlight notranslate source block wrapper "
        "container code box nohighlight linenums lines line"
    )
)
_LINE_NUMBERS = re.compile(
    r"(^|\s)(lineno|linenos|line-?numbers?(-rows)?|gutter|hljs-ln-n\w*)(\s|$)", re.I
)
_LINE_TAGS = frozenset(("div", "p", "tr", "li"))
_WRAPPER_LEVELS = 2
_MAX_DEPTH = 100


def fenced_code(pre: Element) -> list[str]:
    """Return the code block between fences, or nothing if it is empty."""
    text = code_text(pre)
    if not text.strip():
        return []
    inner_fences = re.findall(r"^[^\S\n]*(`{3,})", text, re.MULTILINE) if "```" in text else ()
    fence = "`" * (max(map(len, inner_fences), default=2) + 1)
    return [f"{fence}{language_of(pre)}\n{text}\n{fence}"]


def code_span(text: str) -> str:
    """Return inline code in a fence longer than any backticks inside it."""
    flat = " ".join(text.split())
    if not flat:
        return ""
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def code_text(pre: Element) -> str:
    """Return the text of a code block with its indentation and blank lines."""
    parts: list[str] = []
    _collect(pre, parts)
    lines = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def language_of(pre: Element) -> str:
    """Return the language that the block or one of its wrappers declares, lower case."""
    elements = chain((pre,), pre.iter("code"), islice(pre.iterancestors(), _WRAPPER_LEVELS))
    return next((language for language in map(_declared_language, elements) if language), "")


def _declared_language(element: Element) -> str:
    declared = element.get("data-lang") or element.get("data-language", "")
    classes = element.get("class", "")
    if not declared and classes:
        matches = chain(_LANGUAGE_CLASS.finditer(classes), _HIGHLIGHTER_CLASS.finditer(classes))
        names = (match[1] for match in matches)
        declared = next((name for name in names if name.lower() not in _NOT_A_LANGUAGE), "")
    return re.sub(r"[^\w+#.-]", "", declared).lower()


def _collect(element: Element, parts: list[str], level: int = 0) -> None:
    """Collect the text in order; an element for a line ends with a line break."""
    if element.text:
        parts.append(element.text)
    for child in element:
        tag = tag_of(child)
        if tag == "br":
            parts.append("\n")
        elif tag and level < _MAX_DEPTH and not _is_decoration(child):
            _collect(child, parts, level + 1)
            if tag in _LINE_TAGS and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
        if child.tail:
            parts.append(child.tail)


def _is_decoration(element: Element) -> bool:
    if element.tag in ("script", "style", "button", "template"):
        return True
    classes = element.get("class")
    return classes is not None and bool(_LINE_NUMBERS.search(classes))

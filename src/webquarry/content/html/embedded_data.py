"""Text that a page carries as data and shows by script only."""

import json
import re
from collections.abc import Iterator
from typing import Any

from webquarry.content.html.dom import Element, parse_html
from webquarry.content.html.json_ld import as_list, as_node, blocks_of
from webquarry.content.markdown.inline import escape
from webquarry.content.markdown.writer import markdown_of
from webquarry.content.visibility.hidden_text import remove_hidden

_TAG = re.compile(r"<(?:p|div|br|ul|ol|h[1-6]|blockquote|pre|table|span|a)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。\uff01\uff1f]{20,}[.!?。\uff01\uff1f]")
_BODY_KEYS = ("articleBody", "reviewBody", "text", "description")
_ANSWER_KEYS = ("mainEntity", "acceptedAnswer", "suggestedAnswer", "comment", "@graph", "hasPart")
_LONG = 200
_MAX_SOURCE = 4 * 1024 * 1024
_MAX_PIECES = 300


def embedded_markdown(root: Element, base: str) -> str:
    """Return the longest text found in JSON-LD, forum data or hydration data as Markdown."""
    sources = (_declared(root), _forum(root), _hydration(root))
    found = (_as_markdown(list(dict.fromkeys(pieces)), base) for pieces in sources)
    return max(found, key=len)


def _declared(root: Element) -> list[str]:
    """Return what the page's JSON-LD gives as its text, questions and answers in order."""
    pieces = list(_bodies(blocks_of(root)))
    return pieces if sum(map(len, pieces)) >= _LONG else []


def _bodies(value: Any, level: int = 0) -> Iterator[str]:
    if level > 10:
        return
    for item in as_list(value)[:_MAX_PIECES]:
        if isinstance(item, list):
            yield from _bodies(item, level + 1)
        node = as_node(item)
        texts = [node[key] for key in _BODY_KEYS if isinstance(node.get(key), str)]
        if texts and "@type" in node:
            yield texts[0]
        for key in _ANSWER_KEYS:
            yield from _bodies(node.get(key), level + 1)


def _forum(root: Element) -> list[str]:
    """Return the posts that Discourse puts beside its empty page."""
    holder = root.find(".//*[@data-preloaded]")
    source = holder.get("data-preloaded") if holder is not None else None
    return [text for key, text in _strings(_parsed(source)) if key == "cooked"] if source else []


def _hydration(root: Element) -> list[str]:
    """Return the prose in the data that a script builds the page from."""
    pieces: list[str] = []
    for script in root.iter("script"):
        if (script.get("type") or "").lower() == "application/json" and script.text:
            strings = (text for _, text in _strings(_parsed(script.text)))
            pieces += [text for text in strings if len(text) >= _LONG and _is_prose(text)]
    return pieces[:_MAX_PIECES]


def _is_prose(text: str) -> bool:
    sentences = _SENTENCE.findall(text)
    return len(sentences) > 1 and "{" not in text[:40] and "function(" not in text


def _parsed(source: str) -> Any:
    try:
        return json.loads(source, strict=False) if len(source) < _MAX_SOURCE else None
    except (ValueError, RecursionError):
        return None


def _strings(value: Any, key: str = "", level: int = 0) -> Iterator[tuple[str, str]]:
    """Yield every text in the data with its key, JSON inside texts included."""
    if level > 40:
        return
    if isinstance(value, dict):
        for name, item in as_node(value).items():
            yield from _strings(item, name, level + 1)
    elif isinstance(value, list):
        for item in as_list(value):
            yield from _strings(item, key, level + 1)
    elif isinstance(value, str):
        inner = _parsed(value) if value[:1] in "{[" and len(value) > _LONG else None
        if isinstance(inner, (dict, list)):
            yield from _strings(inner, key, level + 1)
        else:
            yield key, value


def _as_markdown(pieces: list[str], base: str) -> str:
    chunks: list[str] = []
    for piece in pieces[:_MAX_PIECES]:
        root = parse_html(piece) if _TAG.search(piece) else None
        if root is None:
            lines = (
                escape(" ".join(line.split())) for line in re.split(r"\n\s*\n|\r\n\r\n", piece)
            )
            chunks += [line for line in lines if line]
        else:
            remove_hidden(root)
            chunks.append(markdown_of(root, base=base))
    return "\n\n".join(chunk for chunk in chunks if chunk)

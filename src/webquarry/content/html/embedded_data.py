"""Text embedded as data, which the page shows by script only: JSON-LD, Discourse, hydration."""

import json
import re
from collections.abc import Iterator
from typing import Any

from webquarry.content.html.dom import Element, parse_html
from webquarry.content.html.json_ld import as_list, as_node, json_ld_blocks
from webquarry.content.markdown.escaping import escape
from webquarry.content.markdown.writer import write_markdown
from webquarry.content.visibility.hidden_text import remove_hidden

_TAG = re.compile(r"<(?:p|div|br|ul|ol|h[1-6]|blockquote|pre|table|span|a)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<![^.!?。\uff01\uff1f])[^.!?。\uff01\uff1f]{20,}+[.!?。\uff01\uff1f]")
_BODY_KEYS = ("articleBody", "reviewBody", "text", "description")
_NESTED_KEYS = ("mainEntity", "acceptedAnswer", "suggestedAnswer", "comment", "@graph", "hasPart")
_MIN_TEXT = 200  # characters
_MAX_SOURCE = 4 * 1024 * 1024
_MAX_TEXTS = 300
_MAX_JSON_LD_DEPTH, _MAX_DEPTH = 10, 40


def embedded_markdown(root: Element, base: str) -> str:
    """Return the longest text found in JSON-LD, forum data or hydration data as Markdown."""
    sources = (_json_ld_texts(root), _discourse_posts(root), _hydration_texts(root))
    return max((_as_markdown(list(dict.fromkeys(texts)), base) for texts in sources), key=len)


def _json_ld_texts(root: Element) -> list[str]:
    """Return the text of the page's JSON-LD, questions and answers in order."""
    texts = list(_body_texts(json_ld_blocks(root.iter("script"))))
    return texts if sum(map(len, texts)) >= _MIN_TEXT else []


def _body_texts(value: Any, level: int = 0) -> Iterator[str]:
    if level > _MAX_JSON_LD_DEPTH:
        return
    for item in as_list(value)[:_MAX_TEXTS]:
        if isinstance(item, list):
            yield from _body_texts(item, level + 1)
        node = as_node(item)
        texts = [node[key] for key in _BODY_KEYS if isinstance(node.get(key), str)]
        if texts and "@type" in node:
            yield texts[0]
        for key in _NESTED_KEYS:
            yield from _body_texts(node.get(key), level + 1)


def _discourse_posts(root: Element) -> list[str]:
    """Return the posts that Discourse embeds in its empty page."""
    holder = root.find(".//*[@data-preloaded]")
    source = holder.get("data-preloaded") if holder is not None else None
    return [text for key, text in _strings(_parsed(source)) if key == "cooked"] if source else []


def _hydration_texts(root: Element) -> list[str]:
    """Return the prose in the data that a script builds the page from."""
    texts: list[str] = []
    for script in root.iter("script"):
        if script.get("type", "").lower() == "application/json" and script.text:
            texts += [text for _, text in _strings(_parsed(script.text)) if _is_prose(text)]
    return texts[:_MAX_TEXTS]


def _is_prose(text: str) -> bool:
    if len(text) < _MIN_TEXT:
        return False
    return len(_SENTENCE.findall(text)) > 1 and "{" not in text[:40] and "function(" not in text


def _parsed(source: str) -> Any:
    try:
        return json.loads(source, strict=False) if len(source) < _MAX_SOURCE else None
    except (ValueError, RecursionError):
        return None


def _strings(value: Any, key: str = "", level: int = 0) -> Iterator[tuple[str, str]]:
    """Yield every string in the data with its key; JSON inside strings is parsed."""
    if level > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for name, item in as_node(value).items():
            yield from _strings(item, name, level + 1)
    elif isinstance(value, list):
        for item in as_list(value):
            yield from _strings(item, key, level + 1)
    elif isinstance(value, str):
        inner = _parsed(value) if value[:1] in "{[" and len(value) > _MIN_TEXT else None
        if isinstance(inner, (dict, list)):
            yield from _strings(inner, key, level + 1)
        else:
            yield key, value


def _as_markdown(texts: list[str], base: str) -> str:
    chunks: list[str] = []
    for text in texts[:_MAX_TEXTS]:
        root = parse_html(text) if _TAG.search(text) else None
        if root is None:
            paragraphs = re.split(r"\n\s*\n|\r\n\r\n", text)
            chunks += [escape(" ".join(paragraph.split())) for paragraph in paragraphs]
        else:
            remove_hidden(root)
            chunks.append(write_markdown(root, base=base))
    return "\n\n".join(filter(None, chunks))

"""What the head of a page says about its body: title, description, URL, types, declared text."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element, text_of

_TYPE = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"([A-Za-z]++)"')
_DECLARED_TEXT = re.compile(
    r'"(?:articleBody|reviewBody|text|description)"\s*:\s*"((?:[^"\\]|\\.){200,60000})"'
)
_MAX_SCRIPT = 400_000  # characters


@dataclass(frozen=True)
class HeadHints:
    """What the head of the page says about its body."""

    title: str = ""
    description: str = ""
    url: str = ""
    og_type: str = ""
    json_ld_types: frozenset[str] = field(default_factory=frozenset[str])  # lower case
    declared_text: str = ""  # the longest text in the page's JSON-LD


def read_head_hints(root: Element, url: str = "") -> HeadHints:
    """Read the hints; `url` is used if the page declares none."""
    by_tag: dict[str, list[Element]] = {"title": [], "meta": [], "link": [], "script": []}
    for element in root.iter(*by_tag):  # one walk for all of them
        by_tag[str(element.tag)].append(element)
    # reversed: the first of several wins
    metas = {_meta_name(meta): meta.get("content", "") for meta in reversed(by_tag["meta"])}
    types, declared_text = _read_json_ld(by_tag["script"])
    return HeadHints(
        title=metas.get("og:title") or "".join(map(text_of, by_tag["title"][:1])),
        description=metas.get("og:description") or metas.get("description", ""),
        url=_canonical_link(by_tag["link"]) or metas.get("og:url") or url,
        og_type=metas.get("og:type", ""),
        json_ld_types=types,
        declared_text=declared_text,
    )


def _meta_name(meta: Element) -> str:
    return (meta.get("property") or meta.get("name", "")).lower()


def _canonical_link(links: Iterable[Element]) -> str | None:
    return next((link.get("href") for link in links if link.get("rel") == "canonical"), None)


def _read_json_ld(scripts: Iterable[Element]) -> tuple[frozenset[str], str]:
    """Return the types and the longest text of the JSON-LD, by patterns: it may be broken."""
    types: set[str] = set()
    longest = ""
    for script in scripts:
        source = script.text
        if script.get("type") != "application/ld+json" or not source or len(source) > _MAX_SCRIPT:
            continue
        types.update(map(str.lower, _TYPE.findall(source)))
        longest = max([longest, *_DECLARED_TEXT.findall(source)], key=len)
    return frozenset(types), _unescaped(longest)


def _unescaped(text: str) -> str:
    """Decode the escapes of a JSON string, if they are valid."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text

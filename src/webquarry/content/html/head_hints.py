"""What the head of a page says about its body, read cheaply."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from webquarry.content.html.dom import Element, text_of

_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]+)"')
_BODY = re.compile(
    r'"(?:articleBody|reviewBody|text|description)"\s*:\s*"((?:[^"\\]|\\.){200,60000})"'
)
_MAX_SCRIPT = 400_000


@dataclass(frozen=True)
class HeadHints:
    """What the head of the page says about its body."""

    title: str = ""
    description: str = ""
    url: str = ""
    og_type: str = ""
    kinds: frozenset[str] = field(default_factory=frozenset[str])  # JSON-LD types, lower case
    body: str = ""  # the longest text the JSON-LD gives for the page


def hints_of(root: Element, url: str = "") -> HeadHints:
    """Read title, description, address, kind and declared text of the page."""
    found: dict[str, list[Element]] = {"title": [], "meta": [], "link": [], "script": []}
    for element in root.iter(*found):  # one walk for all of them
        found[str(element.tag)].append(element)
    metas = {_name(meta): meta.get("content") or "" for meta in reversed(found["meta"])}
    link = next((e.get("href") for e in found["link"] if e.get("rel") == "canonical"), None)
    kinds, body = _declared(found["script"])
    return HeadHints(
        title=metas.get("og:title") or (text_of(found["title"][0]) if found["title"] else ""),
        description=metas.get("og:description") or metas.get("description") or "",
        url=link or metas.get("og:url") or url,
        og_type=metas.get("og:type") or "",
        kinds=kinds,
        body=body,
    )


def _name(meta: Element) -> str:
    return (meta.get("property") or meta.get("name") or "").lower()


def _declared(scripts: Iterable[Element]) -> tuple[frozenset[str], str]:
    """Return the JSON-LD types and the longest text declared, in broken JSON too."""
    kinds: set[str] = set()
    body = ""
    for script in scripts:
        source = script.text
        if script.get("type") != "application/ld+json" or not source or len(source) > _MAX_SCRIPT:
            continue
        kinds.update(kind.lower() for kind in _TYPE.findall(source))
        body = max(body, *_BODY.findall(source), key=len) if _BODY.search(source) else body
    return frozenset(kinds), _unescaped(body)


def _unescaped(body: str) -> str:
    try:
        return str(json.loads(f'"{body}"', strict=False))
    except ValueError:
        return body

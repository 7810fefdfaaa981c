"""The pages and gold answers of the extraction evaluation, made from hand-written templates."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

HERE = Path(__file__).parent / "fieldpages"
_EACH = re.compile(r"\{\{#(\w+)\}\}(.*?)\{\{/\1\}\}", re.DOTALL)
_ONE = re.compile(r"\{\{([\w.]+)\}\}")
_ABSENT = re.compile(r"^<!-- absent: (.*?) -->\n")


@dataclass(frozen=True)
class Page:
    """One page, what is asked of it and what is right."""

    name: str
    html: str
    schema: dict[str, Any]
    gold: dict[str, Any]


def pages(*, unseen: bool = False) -> Iterator[Page]:
    """Yield the pages; the unseen ones were never looked at while the extractor was written."""
    for kind in sorted(path for path in HERE.iterdir() if path.is_dir()):
        told = json.loads((kind / "items.json").read_text(encoding="utf-8"))
        folder = kind / "unseen" if unseen else kind
        for template in sorted(folder.glob("*.html")):
            for number, item in enumerate(told["items"], 1):
                schema = item.get("schema") or told["schema"]
                yield _page(f"{kind.name}/{template.stem}/{number}", template, schema, item)


def _page(name: str, template: Path, schema: dict[str, Any], item: dict[str, Any]) -> Page:
    text = template.read_text(encoding="utf-8")
    absent = _ABSENT.match(text)
    gold = dict(item["gold"])
    for field in absent[1].split(", ") if absent else ():
        gold[field] = None
    html = _rendered(_ABSENT.sub("", text), item["gold"] | item["show"])
    return Page(name, html, schema, gold)


def _rendered(text: str, told: dict[str, Any]) -> str:
    def each(match: re.Match[str]) -> str:
        parts: list[str] = []
        for one in told[match[1]]:
            inner = cast("dict[str, Any]", one if isinstance(one, dict) else {".": one})
            parts.append(_rendered(match[2], {**told, **inner}))
        return "".join(parts)

    filled = _EACH.sub(each, text)
    # a list ends without the comma that its last item brought along
    filled = re.sub(r",\s*(?=\]|\"></head>|\">|</p>)", "", filled)
    return _ONE.sub(lambda match: _shown(told[match[1]]), filled)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the fields of gold data; lists of texts count as one field."""
    if isinstance(value, dict):
        for name, inner in cast("dict[str, Any]", value).items():
            yield from leaves(inner, f"{pointer}/{name}")
    elif isinstance(value, list) and any(isinstance(one, dict) for one in cast("list[Any]", value)):
        for place, inner in enumerate(cast("list[Any]", value)):
            yield from leaves(inner, f"{pointer}/{place}")
    else:
        yield pointer, value

"""The pages and gold data of the extraction evaluation, rendered from hand-written templates."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

TEMPLATES = Path(__file__).parent / "fieldpages"
_LOOP = re.compile(r"\{\{#(\w+)\}\}(.*?)\{\{/\1\}\}", re.DOTALL)
_VARIABLE = re.compile(r"\{\{([\w.]+)\}\}")
_ABSENT = re.compile(r"^<!-- absent: (.*?) -->\n")


@dataclass(frozen=True)
class Page:
    """One page, the schema to extract and the correct data."""

    name: str
    html: str
    schema: dict[str, Any]
    gold: dict[str, Any]


def pages(*, unseen: bool = False) -> Iterator[Page]:
    """Yield the pages; the unseen ones were not used while the extractor was written."""
    for kind in sorted(path for path in TEMPLATES.iterdir() if path.is_dir()):
        definition = json.loads((kind / "items.json").read_text(encoding="utf-8"))
        folder = kind / "unseen" if unseen else kind
        for template in sorted(folder.glob("*.html")):
            for number, item in enumerate(definition["items"], 1):
                schema = item.get("schema") or definition["schema"]
                yield _page(f"{kind.name}/{template.stem}/{number}", template, schema, item)


def _page(name: str, template: Path, schema: dict[str, Any], item: dict[str, Any]) -> Page:
    text = template.read_text(encoding="utf-8")
    absent = _ABSENT.match(text)
    gold = dict(item["gold"])
    for field in absent[1].split(", ") if absent else ():
        gold[field] = None
    html = _render(_ABSENT.sub("", text), item["gold"] | item["show"])
    return Page(name, html, schema, gold)


def _render(text: str, definition: dict[str, Any]) -> str:
    def each(match: re.Match[str]) -> str:
        parts: list[str] = []
        for one in definition[match[1]]:
            inner = cast("dict[str, Any]", one if isinstance(one, dict) else {".": one})
            parts.append(_render(match[2], {**definition, **inner}))
        return "".join(parts)

    filled = _LOOP.sub(each, text)
    # remove the trailing comma after the last item of a list
    filled = re.sub(r",\s*(?=\]|\"></head>|\">|</p>)", "", filled)
    return _VARIABLE.sub(lambda match: _format(definition[match[1]]), filled)


def _format(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield pointer and value of every field; a list of scalars is one field."""
    if isinstance(value, dict):
        for name, inner in cast("dict[str, Any]", value).items():
            yield from leaves(inner, f"{pointer}/{name}")
    elif isinstance(value, list) and any(isinstance(one, dict) for one in cast("list[Any]", value)):
        for index, inner in enumerate(cast("list[Any]", value)):
            yield from leaves(inner, f"{pointer}/{index}")
    else:
        yield pointer, value

"""Cases of the CSL test-suite that our bibliographies can express, and why the others cannot."""

import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from webquarry.content.citations.author_names import literal
from webquarry.content.citations.export import Reference

_SECTION = re.compile(r">>=+ ([A-Z-]+) =+>>\n(.*?)\n?<<=+ \1 =+<<", re.DOTALL)
_TAG = re.compile(r"</?\w[^<>]*>")
NUMBER_PREFIX = re.compile(r"^(\[\d+\]|\d+\.)(?=[^\s\d])")  # a column of its own
_ENTRY_START = '<div class="csl-entry">'
_FIELDS = {"id", "type", "title", "author", "issued", "container-title", "DOI", "URL", "accessed"}
_NAME_PARTS = {"family", "given", "suffix", "literal"}


class Case(NamedTuple):
    """A case: items, a style and the entries it must give; or the reason why it does not apply."""

    name: str
    items: list[dict[str, Any]]
    style: str
    expected: tuple[str, ...]
    not_applicable: str = ""


def suite_cases(folder: Path) -> list[Case]:
    """Return every case of the suite, sorted by name."""
    return [_case(path) for path in sorted(folder.glob("*.txt"))]


def _case(path: Path) -> Case:
    sections = dict(_SECTION.findall(path.read_text("utf-8")))
    read: list[dict[str, Any]] = json.loads(sections["INPUT"])
    items = [item | {"id": str(item.get("id", number))} for number, item in enumerate(read)]
    mode = sections["MODE"].strip()
    reason = _layout_reason(sections, mode, items) or _field_reason(items, sections["CSL"])
    if reason:
        return Case(path.stem, items, "", (), reason)
    style = sections["CSL"] if mode == "bibliography" else _as_bibliography(sections["CSL"])
    result = sections["RESULT"]
    entries = result.split(_ENTRY_START)[1:] if _ENTRY_START in result else [result]
    return Case(path.stem, items, style, tuple(map(_plain, entries)))


def _layout_reason(sections: dict[str, str], mode: str, items: Sequence[Any]) -> str:
    if mode == "citation" and (len(items) > 1 or {"CITATIONS", "CITATION-ITEMS"} & set(sections)):
        return "in-text citations"
    if "CITATIONS" in sections or "CITATION-ITEMS" in sections or "BIBSECTION" in mode:
        return "depends on in-text citations"
    if "<bibliography" not in sections["CSL"] and mode == "bibliography":
        return "no bibliography"
    return ""


def _field_reason(items: Sequence[dict[str, Any]], style: str) -> str:
    for item in items:
        if not set(item) <= _FIELDS:
            return "fields that our references do not have (editor, volume, page …)"
        if not all(set(name) <= _NAME_PARTS for name in item.get("author", ())):
            return "name parts that our references do not have (particles, flags)"
        if not all(_is_date(item[name]) for name in ("issued", "accessed") if name in item):
            return "date ranges, seasons, approximate and other dates"
        if _TAG.search(item.get("title", "")):
            return "markup in a title"
    return "locale" if re.search(r"<locale|default-locale=\"(?!en-US)", style) else ""


def _is_date(value: dict[str, Any]) -> bool:
    return set(value) == {"date-parts"} and len(value["date-parts"]) == 1


def _as_bibliography(style: str) -> str:
    """Return a style that lists one item as its in-text citation writes it."""
    without = re.sub(r"<bibliography\b.*?</bibliography>", "", style, flags=re.DOTALL)
    return re.sub(r"(</?)citation\b", r"\1bibliography", without)


def _plain(text: str) -> str:
    return NUMBER_PREFIX.sub(r"\1 ", " ".join(unescape(_TAG.sub("", text)).split()))


def suite_references(folder: Path) -> list[Reference]:
    """Return the works of the suite as references, each once; a site is added to those without."""
    found: dict[Any, Reference] = {}
    for case in suite_cases(folder):
        for number, item in enumerate(case.items):
            if item.get("title"):
                reference = _reference(item, f"https://example.org/{case.name}/{number}")
                found.setdefault(reference._replace(url=""), reference)
    return list(found.values())


def _reference(item: dict[str, Any], url: str) -> Reference:
    return Reference(
        url=item.get("URL") or url,
        title=_plain(item["title"]),
        authors=tuple(_author(name) for name in item.get("author", ())),
        site=_plain(str(item.get("container-title") or "Example Site")),
        published=_published(item.get("issued", {})),
        doi=item.get("DOI", ""),
    )


def _author(name: dict[str, Any]) -> str:
    if "literal" in name:
        return literal(name["literal"])
    family = " ".join(filter(None, (name.get("non-dropping-particle"), name.get("family"))))
    given = " ".join(filter(None, (name.get("given"), name.get("dropping-particle"))))
    if not given:
        return literal(family)
    return ", ".join(filter(None, (family, given, name.get("suffix"))))


def _published(issued: dict[str, Any]) -> str:
    parts: list[list[int | str]] = issued.get("date-parts") or [[]]
    numbers = [str(part) for part in parts[0]] if len(parts) == 1 else []
    is_plain = bool(numbers) and all(number.isdigit() for number in numbers)
    if not is_plain or len(numbers[0]) != 4:
        return ""
    return "-".join(number.zfill(2) for number in numbers)

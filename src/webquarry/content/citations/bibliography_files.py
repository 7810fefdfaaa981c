"""Reads lists of references: CSL-JSON, RIS and BibTeX, however broken a single entry is."""

import json
import logging
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple, cast

Format = Literal["csl-json", "ris", "bibtex"]
_TAG = re.compile(r"^([A-Z][A-Z0-9])  ?- ?(.*)$")
_BRACES = re.compile(r"[{}]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


class BibEntry(NamedTuple):
    """One reference, as far as its entry says; nothing is guessed."""

    line: int  # where it begins, from 1
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    venue: str = ""
    pages: str = ""
    doi: str = ""
    url: str = ""


class BadEntry(NamedTuple):
    """An entry that could not be read."""

    line: int
    problem: str


class Bibliography(NamedTuple):
    """All that is in a file."""

    format: Format
    entries: list[BibEntry]
    bad: list[BadEntry]


def read_bibliography(text: str, form: str = "auto") -> Bibliography:
    """Return the entries of a file and those that are broken; ValueError when it is no list."""
    text = text.removeprefix("\ufeff")
    chosen = cast("Format", form) if form != "auto" else detect(text)
    if chosen == "csl-json":
        return _csl(text)
    return _ris(text) if chosen == "ris" else _bibtex(text)


def detect(text: str) -> Format:
    """Return the format a text has the look of; ValueError when it has none."""
    start = text.lstrip()
    if start.startswith(("[", "{")):
        return "csl-json"
    if any(_TAG.match(line) and line.startswith("TY") for line in text.splitlines()):
        return "ris"
    if re.search(r"^\s*@\w+\s*[{(]", text, re.MULTILINE):
        return "bibtex"
    raise ValueError("it is neither CSL-JSON nor RIS nor BibTeX")


def _csl(text: str) -> Bibliography:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {error}") from error
    rows = cast("list[Any]", found if isinstance(found, list) else [found])
    entries: list[BibEntry] = []
    bad: list[BadEntry] = []
    for number, row in enumerate(rows, 1):
        if isinstance(row, dict):
            entries.append(_csl_entry(cast("dict[str, Any]", row), number))
        else:
            bad.append(BadEntry(number, "it is no object"))
    return Bibliography("csl-json", entries, bad)


def _csl_entry(row: dict[str, Any], number: int) -> BibEntry:
    issued = row.get("issued")
    people = row.get("author")
    named = cast("list[Any]", people) if isinstance(people, list) else []
    return BibEntry(
        line=number,  # JSON may well be on one line, so entries are counted instead
        title=_text(row.get("title")),
        authors=tuple(name for person in named if (name := _csl_name(person))),
        date=_csl_date(cast("dict[str, Any]", issued) if isinstance(issued, dict) else {}),
        venue=_text(row.get("container-title")),
        pages=_text(row.get("page")),
        doi=_text(row.get("DOI")),
        url=_text(row.get("URL")),
    )


def _csl_name(person: Any) -> str:
    if not isinstance(person, dict):
        return ""
    told = cast("dict[str, Any]", person)
    family, given = _text(told.get("family")), _text(told.get("given"))
    return _text(told.get("literal")) or (f"{family}, {given}" if given else family)


def _csl_date(issued: dict[str, Any]) -> str:
    parts = issued.get("date-parts")
    first = cast("list[Any]", parts)[0] if isinstance(parts, list) and parts else None
    if isinstance(first, list):
        told = [str(part) for part in cast("list[Any]", first) if str(part).isdecimal()]
        return "-".join(part.zfill(2) for part in told)
    return _text(issued.get("raw") or issued.get("literal"))


def _ris(text: str) -> Bibliography:
    entries: list[BibEntry] = []
    bad: list[BadEntry] = []
    for line, record in _ris_records(text):
        if isinstance(record, str):
            bad.append(BadEntry(line, record))
        else:
            entries.append(_ris_entry(line, record))
    return Bibliography("ris", entries, bad)


def _ris_records(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield each record with its line; what is between records is told as broken."""
    rispy: Any = import_module("rispy")  # takes a moment to load
    began, lines = 0, list[str]()
    for number, line in enumerate([*text.splitlines(), "TY  - "], 1):
        tag = _TAG.match(line)
        if tag and tag[1] == "TY":
            if began:
                # a record that has no end ends where the next begins
                found = rispy.loads("\n".join([*lines, "ER  - "]))
                yield began, found[0] if found else "it has no fields"
            began, lines = number, [line]
        elif tag and tag[1] == "ER":
            if not began:
                yield number, "a record ends that never began"
            else:
                found = rispy.loads("\n".join([*lines, line]))
                yield began, found[0] if found else "it has no fields"
            began, lines = 0, []
        elif began:
            lines.append(line)
        elif line.strip():
            yield number, "it belongs to no record"


def _ris_entry(line: int, record: dict[str, Any]) -> BibEntry:
    pages = [_text(record.get(name)) for name in ("start_page", "end_page")]
    urls = record.get("urls")
    first = next(iter(cast("list[str]", urls)), "") if isinstance(urls, list) else ""
    names = ("title", "primary_title")
    venues = ("secondary_title", "journal_name", "alternate_title3", "publisher")
    return BibEntry(
        line=line,
        title=_first(record, names),
        authors=tuple(
            cast("list[str]", record.get("authors") or record.get("first_authors") or [])
        ),
        date=_text(record.get("date")).strip("/").replace("/", "-") or _text(record.get("year")),
        venue=_first(record, venues),
        pages="-".join(page for page in pages if page),
        doi=_text(record.get("doi")),
        url=first or _text(record.get("url")),
    )


def _bibtex(text: str) -> Bibliography:
    entrypoint: Any = import_module("bibtexparser.entrypoint")
    middlewares: Any = import_module("bibtexparser.middlewares")
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # we tell what is wrong ourselves
    library: Any = entrypoint.parse_string(
        text,
        append_middleware=[middlewares.LatexDecodingMiddleware(allow_inplace_modification=True)],
    )
    entries = [
        _bibtex_entry(block.start_line + 1, {n: str(f.value) for n, f in block.fields_dict.items()})
        for block in library.entries
    ]
    bad: list[BadEntry] = []
    for block in library.failed_blocks:
        inside: Any = getattr(block, "ignore_error_block", None)
        if type(block).__name__.startswith("Duplicate") and inside is not None:
            fields = {name: str(field.value) for name, field in inside.fields_dict.items()}
            entries.append(_bibtex_entry(block.start_line + 1, fields))
        else:
            bad.append(BadEntry(block.start_line + 1, _short(str(block.error))))
    return Bibliography("bibtex", sorted(entries), sorted(bad))


def _bibtex_entry(line: int, fields: dict[str, str]) -> BibEntry:
    told = {name.lower(): _BRACES.sub("", value).strip() for name, value in fields.items()}
    date = told.get("date") or "-".join(
        part for part in (told.get("year", ""), _month(told.get("month", ""))) if part
    )
    return BibEntry(
        line=line,
        title=told.get("title", ""),
        authors=tuple(name for name in _AND.split(told.get("author", "")) if name.strip()),
        date=date,
        venue=_first(told, ("journal", "journaltitle", "booktitle", "organization", "publisher")),
        pages=re.sub(r"[-\u2013]+", "-", told.get("pages", "")),
        doi=told.get("doi", ""),
        url=told.get("url", ""),
    )


def _month(text: str) -> str:
    names = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
    found = text.strip().lower()[:3]
    return f"{names.index(found) + 1:02d}" if found in names else ""


def _first(record: dict[str, Any], names: Sequence[str]) -> str:
    return next((text for name in names if (text := _text(record.get(name)))), "")


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = next(iter(cast("list[Any]", value)), "")
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _short(text: str) -> str:
    return " ".join(text.split())[:200] or "its braces or quotes do not match"

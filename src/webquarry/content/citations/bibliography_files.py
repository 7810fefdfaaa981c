"""Parses CSL-JSON, RIS and BibTeX files; a malformed entry does not stop the others."""

import json
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple, cast

from webquarry.content.citations.bib_entry import (
    BadEntry,
    BibEntry,
    WorkKind,
    arxiv_number,
    noted_doi,
    noted_pmid,
    url_in,
)
from webquarry.content.citations.bibtex_file import read_bibtex_entries
from webquarry.content.html.json_ld import as_list, as_node
from webquarry.errors import BadInputError

Format = Literal["csl-json", "ris", "bibtex"]
_RIS_TAG = re.compile(r"^([A-Z][A-Z0-9])  ?- ?(.*)$")
_RIS_VENUES = ("secondary_title", "journal_name", "alternate_title3")
_RIS_KINDS: dict[str, WorkKind] = {
    "JOUR": "article", "EJOUR": "article", "JFULL": "article", "CONF": "proceedings",
    "CPAPER": "proceedings", "BOOK": "book", "CHAP": "book", "EBOOK": "book", "ECHAP": "book",
    "THES": "thesis", "RPRT": "report", "ELEC": "webpage", "WEB": "webpage", "BLOG": "webpage",
}  # fmt: skip
_CSL_KINDS: dict[str, WorkKind] = {
    "article-journal": "article", "paper-conference": "proceedings", "article": "preprint",
    "book": "book", "chapter": "book", "thesis": "thesis", "report": "report",
    "webpage": "webpage", "post-weblog": "webpage",
}  # fmt: skip


class Bibliography(NamedTuple):
    """The entries of a file."""

    format: Format
    entries: list[BibEntry]
    bad: list[BadEntry]


def read_bibliography(text: str, form: str = "auto") -> Bibliography:
    """Return the parsed and the malformed entries; ValueError when the text has no known format."""
    text = text.removeprefix("\ufeff")
    chosen = cast("Format", form) if form != "auto" else detect_format(text)
    return _READERS[chosen](text)


def read_bibliography_file(content: bytes, *, form: str) -> Bibliography:
    """Return `read_bibliography`, as a task that a worker process can run."""
    try:
        return read_bibliography(content.decode(), form)
    except ValueError as error:
        raise BadInputError(f"bibliography: {error}") from error


def detect_format(text: str) -> Format:
    """Return the format of a text; ValueError when it has none of the known ones."""
    start = text.lstrip()
    if start.startswith(("[", "{")):
        return "csl-json"
    if any(re.match(r"TY  ?- ?", line) for line in text.splitlines()):
        return "ris"
    if re.search(r"^[^\S\n]*@\w+\s*[{(]", text, re.MULTILINE):
        return "bibtex"
    raise ValueError("it is neither CSL-JSON nor RIS nor BibTeX")


def _read_csl(text: str) -> Bibliography:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not valid JSON: {error}") from error
    rows = list(enumerate(cast("list[Any]", parsed if isinstance(parsed, list) else [parsed]), 1))
    entries = [_csl_entry(as_node(row), number) for number, row in rows if isinstance(row, dict)]
    bad = [BadEntry(n, "it is not an object") for n, row in rows if not isinstance(row, dict)]
    return Bibliography("csl-json", entries, bad)


def _csl_entry(row: dict[str, Any], number: int) -> BibEntry:
    people, note = row.get("author"), _text(row.get("note"))
    authors: list[Any] = as_list(people) if isinstance(people, list) else []
    return BibEntry(
        line=number,  # JSON may be on one line, so entries are counted instead
        title=_text(row.get("title")),
        authors=tuple(name for person in authors if (name := _csl_name(person))),
        date=_csl_date(as_node(row.get("issued"))),
        venue=_text(row.get("container-title")),
        pages=_text(row.get("page")),
        doi=noted_doi(_text(row.get("DOI")), note),
        url=_text(row.get("URL")),
        kind=_CSL_KINDS.get(_text(row.get("type")), ""),
        volume=_text(row.get("volume")),
        arxiv=arxiv_number(_text(row.get("number")), _text(row.get("publisher")), note),
        pmid=_text(row.get("PMID")),
        isbn=_text(row.get("ISBN")),
    )


def _csl_name(person: Any) -> str:
    fields = as_node(person)
    family, given = _text(fields.get("family")), _text(fields.get("given"))
    return _text(fields.get("literal")) or (f"{family}, {given}" if given else family)


def _csl_date(issued: dict[str, Any]) -> str:
    parts = issued.get("date-parts")
    first = next(iter(as_list(parts)), None) if isinstance(parts, list) else None
    if isinstance(first, list):
        numbers = filter(str.isdecimal, map(str, as_list(first)))
        return "-".join(part.zfill(2) for part in numbers)
    return _text(issued.get("raw") or issued.get("literal"))


def _read_ris(text: str) -> Bibliography:
    entries: list[BibEntry] = []
    bad: list[BadEntry] = []
    for line, record in _ris_records(text):
        if isinstance(record, str):
            bad.append(BadEntry(line, record))
        else:
            entries.append(_ris_entry(line, record))
    return Bibliography("ris", entries, bad)


def _ris_records(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield each record, or what is wrong with it, and the line where it begins."""
    start, lines = 0, list[str]()
    for number, line in enumerate([*text.splitlines(), "TY  - "], 1):
        match = _RIS_TAG.match(line)
        tag = match[1] if match else ""
        if tag == "TY":
            if start:  # a record without ER ends where the next one begins
                yield start, _ris_fields(lines)
            start, lines = number, [line]
        elif tag == "ER":
            yield (start, _ris_fields(lines)) if start else (number, "ER without a preceding TY")
            start, lines = 0, []
        elif start:
            lines.append(line)
        elif line.strip():
            yield number, "text outside of a record"


def _ris_fields(lines: Sequence[str]) -> dict[str, Any] | str:
    rispy: Any = import_module("rispy")  # imported here because it is slow to load
    records = rispy.loads("\n".join([*lines, "ER  - "]))
    return records[0] if records else "it has no fields"


def _ris_entry(line: int, record: dict[str, Any]) -> BibEntry:
    pages = [_text(record.get(name)) for name in ("start_page", "end_page")]
    notes = [_text(record.get(name)) for name in ("notes", "note", "file_attachments2")]
    link = _text(record.get("unknown_tag", {}).get("LK"))  # not in rispy's list of tags
    kind = _RIS_KINDS.get(_text(record.get("type_of_reference")).upper(), "")
    venue = _first(record, _RIS_VENUES)
    authors = cast("list[str]", record.get("authors") or record.get("first_authors") or [])
    return BibEntry(
        line=line,
        title=_first(record, ("title", "primary_title")),
        authors=tuple(authors),
        date=_text(record.get("date")).strip("/").replace("/", "-") or _text(record.get("year")),
        venue=venue,
        pages="-".join(filter(None, pages)),
        doi=noted_doi(_text(record.get("doi")), *notes),
        url=_first(record, ("urls", "url")) or url_in(link, *notes),
        kind=kind,
        volume=_text(record.get("volume")),
        arxiv=arxiv_number("", "", venue, *notes),
        pmid=noted_pmid("", _text(record.get("accession_number")), *notes),
        isbn=_text(record.get("issn")) if kind == "book" else "",
    )


def _read_bibtex(text: str) -> Bibliography:
    return Bibliography("bibtex", *read_bibtex_entries(text))


def _first(record: dict[str, Any], names: Sequence[str]) -> str:
    return next(filter(None, (_text(record.get(name)) for name in names)), "")


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = next(iter(cast("list[Any]", value)), "")
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


_READERS = {"csl-json": _read_csl, "ris": _read_ris, "bibtex": _read_bibtex}

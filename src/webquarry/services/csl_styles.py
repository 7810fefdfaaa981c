"""Bibliographies in CSL styles, with the errors of the CSL processor corrected."""

import re
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from typing import Any

from webquarry.content.citations.author_names import Name
from webquarry.content.citations.export import KeyedReference, csl_items
from webquarry.content.citations.given_names import (
    leading_particle,
    spaced_initials,
    trailing_particle,
)
from webquarry.content.citations.identifiers import clean_doi
from webquarry.content.citations.typography import curly_quotes, nested_quotes
from webquarry.services.installed_styles import style_file

Item = dict[str, Any]
LOCALES = {"harvard-cite-them-right": "en-GB"}  # of styles that name none
_NUMBER_PREFIX = re.compile(r"^(\[\d+\]|\d+\.)(?=\S)")
_NLM_DATE = re.compile(
    r"\b(\d{4})(Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(\d{1,2})?(?=[].;])"
)
_UNPUBLISHED = re.compile(r", ahead of print(?=[.,])| \[Preprint\](?=\.)")
_AFTER_QUOTE = re.compile(r"(?<![\u2019\u201d])([\u2019\u201d]++)([.,])")
_SECOND_STOP = re.compile(r"(?<=[^.][.?!])\.(?=[\s\u2019\u201d]|$)")
_COMMA_BEFORE_STOP = re.compile(r",(?=\.(?:\s|$))")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")


def csl_bibliography(references: Sequence[KeyedReference], style: str, accessed: date) -> list[str]:
    """Return the references in a CSL style, given by its name."""
    items = [_with_access(csl_input(item), accessed) for item in csl_items(references)]
    entries = _with_each_doi_once(items, style_file(style), LOCALES.get(style))
    # styles take an article without a volume for unpublished, but we have no volumes
    return [_COMMA_BEFORE_STOP.sub("", _UNPUBLISHED.sub("", entry)) for entry in entries]


def _with_each_doi_once(items: Sequence[Item], path: str, locale: str | None) -> list[str]:
    """Return the entries without the URLs that repeat a DOI."""
    entries = format_items([_without_doi_url(item) for item in items], path, locale)
    text = "\n".join(entries).lower()
    if all(str(item.get("DOI", "")).lower() in text for item in items):
        return entries
    return format_items(items, path, locale)  # a style that prints URLs, but no DOIs


def _without_doi_url(item: Item) -> Item:
    if "DOI" not in item or clean_doi(item.get("URL")) != item["DOI"]:
        return item
    return {name: value for name, value in item.items() if name != "URL"}


def csl_input(item: Item) -> Item:
    """Return an item as the processor expects it."""
    prepared = dict(item)
    if "title" in item:
        prepared["title"] = curly_quotes(item["title"])
    if "author" in item:
        prepared["author"] = [_name(name) for name in item["author"]]
    return prepared


def _with_access(item: Item, accessed: date) -> Item:
    """Return an item with the day of access, unless a DOI makes it superfluous."""
    if "DOI" in item:
        return item
    return item | {"accessed": {"date-parts": [[accessed.year, accessed.month, accessed.day]]}}


def format_items(items: Sequence[Item], style_path: str, locale: str | None) -> list[str]:
    """Return the entries of CSL items, in the order of the style in a file."""
    citeproc: Any = import_module("citeproc")
    json_source: Any = import_module("citeproc.source.json")

    source = json_source.CiteProcJSON(items)
    # styles ship with the library, and validating one takes longer than formatting
    style = citeproc.CitationStylesStyle(style_path, locale=locale, validate=False)
    _keep_given_names(style.root)
    entries = citeproc.CitationStylesBibliography(style, source, citeproc.formatter.plain)
    for item in items:
        entries.register(citeproc.Citation([citeproc.CitationItem(item["id"])]))
    entries.sort()
    american = (locale or style.root.get("default-locale", "en-US")) == "en-US"
    by_id = {str(item["id"]).lower(): item for item in items}
    return [
        _corrected(str(entry), by_id[key.lower()], american=american)
        for key, entry in zip(entries.keys, entries.bibliography(), strict=True)
    ]


def _name(name: dict[str, str]) -> dict[str, str]:
    """Return a name with particles and initials that the processor can tell apart."""
    if "given" not in name:
        return name
    written = Name(name.get("family", ""), name["given"])
    if written.is_east_asian:
        return {"literal": written.natural}
    given, dropping = trailing_particle(spaced_initials(written.given))
    family, particle = leading_particle(written.family)
    parts = {
        "family": family,
        "given": given,
        "dropping-particle": dropping,
        "non-dropping-particle": particle,
        "suffix": name.get("suffix", ""),
    }
    return {part: text for part, text in parts.items() if text}


def _keep_given_names(style: Any) -> None:
    """Make citeproc-py write given names in full where the style does: it ignores `initialize`."""
    names = style.iterfind(".//{*}bibliography//{*}name")
    macros = style.iterfind(".//{*}macro//{*}name")
    if any(name.get("initialize") == "false" for name in (*names, *macros)):
        style.attrib.pop("initialize-with", None)


def _corrected(entry: str, item: Item, *, american: bool) -> str:
    """Return an entry without the errors of citeproc-py."""
    entry = nested_quotes(entry)
    if american:  # full stops and commas are inside quotation marks
        entry = _AFTER_QUOTE.sub(r"\2\1", entry)
    entry = _SECOND_STOP.sub("", entry)
    # it writes "[1]Title" and "2021Mar3" without spaces
    entry = _NUMBER_PREFIX.sub(r"\1 ", entry)
    if (doi := item.get("DOI")) and f"https://doi.org/{doi}" in entry:
        entry = entry.replace(f" doi:{doi}", "", 1)  # the style of Nature prints both
    entry = _NLM_DATE.sub(lambda match: " ".join(filter(None, match.groups())), entry)
    site = item.get("container-title", "")
    if _HOST.fullmatch(site):  # where a style removes the full stops of abbreviations
        entry = entry.replace(site.replace(".", ""), site, 1)
    return entry if item.get("author") else _with_substitute_once(entry, item)


def _with_substitute_once(entry: str, item: Item) -> str:
    """Remove a title or site that stands for the author from its second place."""
    lead = entry.lstrip("\u2018\u201c").casefold()
    texts = (item.get("container-title", ""), nested_quotes(item.get("title", "")))
    for text in (text.removesuffix(".") for text in texts if text):
        if lead.startswith(text.lstrip("\u2018\u201c").casefold()):
            again = re.compile(
                rf"[\u2018\u201c]?{re.escape(text)}[.,]?[\u2019\u201d]?[.,]{{0,2}} ", re.IGNORECASE
            )
            return entry[: len(text)] + again.sub("", entry[len(text) :], count=1)
    return entry

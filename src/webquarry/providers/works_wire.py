"""Shared parsing of records of scholarly works: years, names, identifiers, abstracts, XML."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from webquarry.content.citations.identifiers import doi_url
from webquarry.content.text.snippets import plain_text
from webquarry.errors import PayloadError
from webquarry.models.works import Work
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.url import path_segment
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable

if TYPE_CHECKING:
    from lxml.etree import _Element as Node  # pyright: ignore[reportPrivateUsage]

# the caller is waiting, and another provider may be next
WORK_LIMITS = ApiLimits(timeout=10, deadline=15, tries=2)
DOI_SOURCES = frozenset({"ieee", "nature", "springer"})  # recognised by the DOI prefix
DOI_PREFIXES: dict[str, tuple[str, ...]] = {
    "ieee": ("10.1109",),
    "nature": ("10.1038",),
    "springer": ("10.1007", "10.1186", "10.1023", "10.1140", "10.3758"),
}
_YEAR = re.compile(r"\d{4}")
_HEADING = re.compile(r"^(?:abstract|summary)\s*[:.]\s*", re.IGNORECASE)
_JATS_TITLE = re.compile(r"<jats:title>\s*(?:abstract|summary)\s*</jats:title>", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|h[1-6]|list-item|br)\b[^<>]*>", re.IGNORECASE)


def contact_variable(name: str, description: str) -> Variable:
    """Declare a contact e-mail address; OPENALEX_EMAIL is the fallback."""
    return Variable(name, description, EMAIL, fallback="OPENALEX_EMAIL")


def present_ids(**ids: str | int | None) -> dict[str, str]:
    """Return the identifiers that have a value."""
    return {name: str(value) for name, value in ids.items() if value}


class _Named(Protocol):
    @property
    def name(self) -> str | None: ...


def names_of(entries: Iterable[_Named] | None) -> tuple[str, ...]:
    """Return the names of the entries that have one."""
    return tuple(entry.name for entry in entries or () if entry.name)


class _Record(Protocol):
    def to_work(self) -> Work | None: ...


def works_of(records: Iterable[_Record | None] | None) -> tuple[Work, ...]:
    """Return the works of all records that describe one."""
    works = (record.to_work() for record in records or () if record)
    return tuple(work for work in works if work)


def work_url(doi: str | None, page: str) -> str:
    """Return the URL of the DOI, or the page if there is none."""
    return doi_url(doi) if doi else page


def year_of(date: str | int | None) -> int | None:
    """Return the year a date starts with."""
    found = _YEAR.match(str(date or ""))
    return int(found[0]) or None if found else None


def abstract_text(text: str | None) -> str | None:
    """Return an abstract as plain text, without markup and without the heading "Abstract"."""
    if not text:
        return None
    spaced = _BLOCK.sub(" ", _JATS_TITLE.sub(" ", text))
    return _HEADING.sub("", plain_text(spaced)) or None


def identifier_path(name: str) -> str:
    """Return an identifier as part of a path; its slashes and colons stay."""
    if {"", ".", ".."} & set(name.split("/")):  # dot segments would change the path
        return path_segment(name)
    return quote(name, safe="/:")


def is_pdf(url: str | None) -> bool:
    """Tell whether a URL is that of a PDF."""
    path = (url or "").partition("?")[0].lower()
    return path.endswith(".pdf") or "arxiv.org/pdf/" in path


def parse_xml(content: bytes, root: str, provider: str) -> "Node":
    """Return the tree of a response whose root element is `root`."""
    # imported here because parsers are slow to load
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        tree = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _unexpected(provider, "it is not XML") from error
    if etree.QName(tree).localname != root:
        raise _unexpected(provider, f"it has no {root}")
    return tree


def text_of(node: "Node | None") -> str:
    """Return the text of an element on one line."""
    return "" if node is None else " ".join("".join(map(str, node.itertext())).split())


def _unexpected(provider: str, why: str) -> PayloadError:
    return PayloadError(
        f"Unexpected response ({provider}): {why}. Try a different provider.", provider=provider
    )

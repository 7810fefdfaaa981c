"""What the records of all sources of scholarly works have in common."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from webquarry.content.text.snippets import plain
from webquarry.errors import PayloadError
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.url import segment
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable

if TYPE_CHECKING:
    from lxml.etree import _Element as Node  # pyright: ignore[reportPrivateUsage]

# a caller waits, and another provider may be waiting for its turn
WORK_LIMITS = ApiLimits(timeout=10, deadline=15, tries=2)
OTHER_SOURCES = frozenset({"ieee", "nature", "springer"})  # a DOI shows these
PREFIXES: dict[str, tuple[str, ...]] = {
    "ieee": ("10.1109",),
    "nature": ("10.1038",),
    "springer": ("10.1007", "10.1186", "10.1023", "10.1140", "10.3758"),
}
_YEAR = re.compile(r"\d{4}")
_HEADING = re.compile(r"^(?:abstract|summary)\s*[:.]\s*", re.IGNORECASE)
_JATS_TITLE = re.compile(r"<jats:title>\s*(?:abstract|summary)\s*</jats:title>", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|h[1-6]|list-item|br)\b[^>]*>", re.IGNORECASE)


def contact(name: str, meaning: str) -> Variable:
    """Declare an e-mail address; the one of OpenAlex serves where no other is set."""
    return Variable(name, meaning, EMAIL, fallback="OPENALEX_EMAIL")


def known(**ids: str | int | None) -> dict[str, str]:
    """Return the identifiers that are there."""
    return {name: str(value) for name, value in ids.items() if value}


def year_of(date: str | int | None) -> int | None:
    """Return the year a date starts with."""
    found = _YEAR.match(str(date or ""))
    return int(found[0]) or None if found else None


def prose(text: str | None) -> str | None:
    """Return an abstract as text, without markup and without the heading that says what it is."""
    if not text:
        return None
    spaced = _BLOCK.sub(" ", _JATS_TITLE.sub(" ", text))
    return _HEADING.sub("", plain(spaced)) or None


def in_path(name: str) -> str:
    """Return an identifier as part of a path, with the slashes and colons that belong to it."""
    if {"", ".", ".."} & set(name.split("/")):  # would lead elsewhere unless escaped
        return segment(name)
    return quote(name, safe="/:")


def is_pdf(url: str | None) -> bool:
    """Tell whether an address is plainly one of a PDF."""
    path = (url or "").partition("?")[0].lower()
    return path.endswith(".pdf") or "arxiv.org/pdf/" in path


def parse_xml(content: bytes, root: str, provider: str) -> "Node":
    """Return the tree of an answer whose outermost element is called `root`."""
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
    """Return all text inside an element, on one line."""
    return "" if node is None else " ".join("".join(map(str, node.itertext())).split())


def _unexpected(provider: str, why: str) -> PayloadError:
    return PayloadError(
        f"Unexpected answer ({provider}): {why}. Try a different provider.", provider=provider
    )

"""XML of the EPO's Open Patent Services."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from webquarry.errors import PayloadError
from webquarry.models.patents import Patent

if TYPE_CHECKING:
    from lxml.etree import _Element as Node  # pyright: ignore[reportPrivateUsage]

_EXCHANGE = "{http://www.epo.org/exchange}"
_FIRST_US_APPLICATION = "2001-03-15"  # before, kind A was a grant


def parse_documents(content: bytes, provider: str) -> list[Patent]:
    """Return every document of a response, in order."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise _unexpected(provider, "it is not XML") from error
    if etree.QName(root).localname != "world-patent-data":
        raise _unexpected(provider, "it is not patent data")
    return [_patent(each) for each in root.iter(f"{_EXCHANGE}exchange-document")]


def _unexpected(provider: str, why: str) -> PayloadError:
    return PayloadError(
        f"Unexpected response ({provider}): {why}. Try a different provider.", provider=provider
    )


def _patent(document: "Node") -> Patent:
    office, digits, kind = (document.get(name) or "" for name in ("country", "doc-number", "kind"))
    number = f"{office}{digits}{kind}"
    published = _date(document, "publication-reference")
    assignees = tuple(_names(document, "applicant"))
    inventors = tuple(_names(document, "inventor"))
    return Patent(
        title=_in_english(document, "invention-title") or number,
        number=number,
        url=f"https://worldwide.espacenet.com/patent/search?q=pn%3D{number}",
        abstract=_in_english(document, "abstract"),
        assignee=next(iter(assignees), None),
        inventor=next(iter(inventors), None),
        filed=_date(document, "application-reference"),
        granted=published if _is_grant(office, kind, published) else None,
        assignees=assignees,
        inventors=inventors,
        classes=tuple(dict.fromkeys(_classes(document))),
    )


def _is_grant(office: str, kind: str, published: str | None) -> bool:
    early = office == "US" and kind == "A" and bool(published)
    return kind.startswith("B") or (early and (published or "") < _FIRST_US_APPLICATION)


def _in_english(document: "Node", name: str) -> str | None:
    """Return the English text of the element, or the first in another language."""
    found = {
        (each.get("lang") or "").lower(): " ".join("".join(map(str, each.itertext())).split())
        for each in reversed(list(document.iter(f"{_EXCHANGE}{name}")))
    }
    texts = (text for text in reversed(found.values()) if text)
    return found.get("en") or next(texts, None)


def _date(document: "Node", name: str) -> str | None:
    for reference in document.iter(f"{_EXCHANGE}{name}"):
        for date in reference.iter(f"{_EXCHANGE}date"):
            day = (date.text or "").strip()
            if len(day) == 8 and day.isdigit():
                return f"{day[:4]}-{day[4:6]}-{day[6:]}"
    return None


def _names(document: "Node", role: str) -> list[str]:
    """Return the names as filed, in order; in the office's spelling if there are no others."""
    by_format: dict[str, list[str]] = {}
    for each in document.iter(f"{_EXCHANGE}{role}"):
        for name in each.iter(f"{_EXCHANGE}name"):
            text = " ".join((name.text or "").split()).rstrip(" ,")
            if text:
                by_format.setdefault(each.get("data-format") or "", []).append(text)
    return list(dict.fromkeys(by_format.get("original") or by_format.get("epodoc") or []))


def _classes(document: "Node") -> Iterator[str]:
    for each in document.iter(f"{_EXCHANGE}patent-classification"):
        scheme = each.find(f"{_EXCHANGE}classification-scheme")
        if scheme is not None and not (scheme.get("scheme") or "").startswith("CPC"):
            continue
        part = {
            child.tag.rpartition("}")[2]: (child.text or "").strip()
            for child in each.iterchildren("*")
        }
        head = "".join(part.get(name, "") for name in ("section", "class", "subclass"))
        if head and part.get("main-group"):
            yield f"{head}{part['main-group']}/{part.get('subgroup', '00')}"
        elif head:
            yield head

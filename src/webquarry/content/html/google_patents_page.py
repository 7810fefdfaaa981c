"""The metadata of a Google Patents page."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

_PROPERTY_TAGS = ("dd", "span", "time", "meta", "h1")


@dataclass(frozen=True)
class PatentPage:
    """The microdata of one page: each property with its distinct values, in order."""

    title: str = ""
    abstract: str = ""
    pdf: str = ""
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def first(self, *names: str) -> str | None:
        """Return the first value of the first of these properties that has one."""
        return next((values[0] for name in names if (values := self.properties.get(name))), None)


def read_patent_page(root: "Element") -> PatentPage | None:
    """Return the patent of a page, or None if it shows none."""
    from webquarry.content.html.dom import text_of

    properties: dict[str, dict[str, None]] = {}
    for element in root.iter(*_PROPERTY_TAGS):
        name = element.get("itemprop")
        value = " ".join((element.get("content") or text_of(element)).split()) if name else ""
        if name and value:
            properties.setdefault(name, {})[value] = None
    if "publicationNumber" not in properties:
        return None
    metas = _metas(root)
    page = PatentPage(properties={name: tuple(values) for name, values in properties.items()})
    return replace(
        page,
        title=metas.get("dc.title") or page.first("title") or "",
        abstract=metas.get("dc.description") or metas.get("description", ""),
        pdf=metas.get("citation_pdf_url", ""),
    )


def _metas(root: "Element") -> dict[str, str]:
    """Return the contents of the meta tags by lower-case name; the first of several counts."""
    metas: dict[str, str] = {}
    for meta in root.iter("meta"):
        if meta.get("name"):
            metas.setdefault(
                meta.get("name", "").lower(), " ".join(meta.get("content", "").split())
            )
    return metas

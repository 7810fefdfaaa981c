"""What a page of Google Patents says about its patent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

_HOLDERS = ("dd", "span", "time", "meta", "h1")


@dataclass(frozen=True)
class PatentPage:
    """The marks of one page: each name with everything it stands for, in order."""

    title: str = ""
    abstract: str = ""
    pdf: str = ""
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def first(self, *names: str) -> str | None:
        """Return the first value under the first of the names that has one."""
        return next((values[0] for name in names if (values := self.marks.get(name))), None)


def patent_page(root: "Element") -> PatentPage | None:
    """Return the patent of a page, or None when it shows none."""
    from webquarry.content.html.dom import text_of

    marks: dict[str, list[str]] = {}
    metas: dict[str, str] = {}
    for element in root.iter(*_HOLDERS):
        name = element.get("itemprop")
        value = " ".join((element.get("content") or text_of(element)).split())
        if name and value and value not in marks.setdefault(name, []):
            marks[name].append(value)
        if element.tag == "meta" and element.get("name"):
            metas.setdefault((element.get("name") or "").lower(), value)
    if "publicationNumber" not in marks:
        return None
    return PatentPage(
        title=metas.get("dc.title") or next(iter(marks.get("title", ())), ""),
        abstract=metas.get("dc.description") or metas.get("description", ""),
        pdf=metas.get("citation_pdf_url", ""),
        marks={name: tuple(values) for name, values in marks.items()},
    )

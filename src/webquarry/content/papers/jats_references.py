"""The reference list of an article in JATS."""

from webquarry.content.citations.identifiers import clean_doi, doi_url
from webquarry.content.html.dom import Element, text_of
from webquarry.content.papers.jats_markup import first_text, local_name
from webquarry.models.paper_text import PaperReference

MAX_REFERENCES = 3_000
_CITATIONS = ("element-citation", "mixed-citation", "citation", "nlm-citation")
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"


def jats_references(article: Element) -> list[PaperReference]:
    """Return the entries of all reference lists, in order."""
    entries = [_entry(ref, number) for number, ref in enumerate(article.iter("ref"), 1)]
    return [entry for entry in entries if entry.text][:MAX_REFERENCES]


def _entry(ref: Element, number: int) -> PaperReference:
    citation = next((each for each in ref.iter() if local_name(each) in _CITATIONS), None)
    source = ref if citation is None else citation
    doi = _doi(source)
    return PaperReference(
        id=ref.get("id") or f"ref-{number}",
        label=first_text(ref, "label").strip("[].") or str(number),
        text=_written(source),
        title=first_text(source, "article-title") or first_text(source, "source") or None,
        year=first_text(source, "year")[:4] or None,
        doi=doi,
        url=doi_url(doi) if doi else _link(source),
    )


def _doi(source: Element) -> str | None:
    for each in source.iter("pub-id"):
        if each.get("pub-id-type") == "doi":
            return clean_doi(text_of(each))
    for each in source.iter("ext-link"):
        if "doi.org/" in (each.get(_XLINK_HREF) or ""):
            return clean_doi(each.get(_XLINK_HREF))
    return None


def _link(source: Element) -> str | None:
    for each in source.iter("ext-link", "uri"):
        href = each.get(_XLINK_HREF) or text_of(each)
        if href.startswith(("http://", "https://")):
            return href
    return None


def _written(source: Element) -> str:
    """Return an entry as text; one that has only fields is put together of them."""
    if local_name(source) != "element-citation":
        label = source.find("label")
        return text_of(source).removeprefix("" if label is None else text_of(label)).strip()
    names = [_name(each) for each in source.iter("name", "string-name", "collab")]
    year, title = first_text(source, "year"), first_text(source, "article-title")
    written = [
        ", ".join(filter(None, names)) + (" et al." if source.find(".//etal") is not None else ""),
        f"({year})" if year else "",
        title,
        _place(source),
    ]
    return ". ".join(part.rstrip(".") for part in written if part) or text_of(source)


def _place(source: Element) -> str:
    """Return journal, volume, issue and pages as far as they are given."""
    names = ("source", "volume", "issue", "fpage", "lpage")
    journal, volume, issue, first, last = (first_text(source, name) for name in names)
    number = volume + (f"({issue})" if issue else "")
    pages = f"{first}\u2013{last}" if first and last else first
    return ", ".join(filter(None, (journal, number, pages)))


def _name(element: Element) -> str:
    family, given = first_text(element, "surname"), first_text(element, "given-names")
    return f"{family} {given}".strip() or text_of(element)

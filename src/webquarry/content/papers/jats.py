"""Reads an article in JATS: its metadata, sections, figures, tables and references."""

import re

from lxml import etree

from webquarry.content.html.dom import Element, text_of
from webquarry.content.papers.jats_markup import first_text, local_name, to_html
from webquarry.content.papers.jats_references import jats_references
from webquarry.content.papers.paper_tree import PaperParts, take_title, with_citing_sections
from webquarry.content.text.length_limits import cap_text
from webquarry.errors import PayloadError
from webquarry.models.paper_text import PaperText

_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
_NAMESPACED = re.compile(r"^\{[^{}]*\}")
_TRUNCATED = "Sections after the first 1,000 were left out."
_LICENCE_HREF = ("{http://www.w3.org/1999/xlink}href", "href")


def read_jats(content: bytes) -> PaperText | None:
    """Return the article; None without its text: some publishers allow the metadata only."""
    root = _parsed(content)
    article = root if local_name(root) == "article" else root.find(".//article")
    body = None if article is None else article.find("body")
    if article is None or body is None or not text_of(body):
        return None
    parts = PaperParts()
    front = article.find("front")
    meta = None if front is None else front.find("article-meta")
    _add_abstracts(parts, meta)
    references = jats_references(article)
    _add_body(parts, body)
    _add_back(parts, article.find("back"))
    ids = _ids(meta)
    linked, markers = with_citing_sections(references, parts.sections)
    return PaperText(
        title=first_text(meta, "title-group/article-title"),
        authors=tuple(_names(meta)),
        journal=first_text(front, "journal-meta//journal-title"),
        published=_date(meta),
        doi=ids.get("doi", ""),
        licence=_licence(meta),
        version="accepted manuscript" if "manuscript" in ids else "published version",
        language=article.get("{http://www.w3.org/XML/1998/namespace}lang") or "",
        sections=tuple(parts.sections),
        figures=tuple(parts.figures),
        tables=tuple(parts.tables),
        references=linked,
        markers=markers,
        notes=(_TRUNCATED,) if parts.truncated else (),
    )


def _parsed(content: bytes) -> Element:
    if _ENTITY.search(cap_text(content, 65_536)):
        raise PayloadError(
            "The article defines XML entities of its own, which articles do not need."
        )
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise PayloadError(f"The article is not XML: {str(error)[:120]}.") from error
    for element in root.iter(etree.Element):
        name = str(element.tag)
        if name.startswith("{") and "MathML" not in name:  # some publishers name the namespace
            element.tag = _NAMESPACED.sub("", name)
    return root


def _add_abstracts(parts: PaperParts, meta: Element | None) -> None:
    for abstract in [] if meta is None else meta.findall("abstract"):
        kind = abstract.get("abstract-type") or ""
        if kind in ("graphical", "toc", "teaser"):
            continue
        abstract.tag = "sec"
        holder = abstract.makeelement("div", {})
        holder.append(abstract)
        to_html(holder)
        title = take_title(holder[0]) or ("Abstract" if not kind else kind.capitalize())
        parts.add_section(holder[0], title, 1)


def _add_body(parts: PaperParts, body: Element) -> None:
    to_html(body)
    parts.add_section(body, "", 0)


def _add_back(parts: PaperParts, back: Element | None) -> None:
    if back is None:
        return
    for listed in back.findall("ref-list"):
        back.remove(listed)
    to_html(back)
    parts.add_section(back, "", 0)


def _ids(meta: Element | None) -> dict[str, str]:
    """Return the identifiers of the article by their kind."""
    ids = [] if meta is None else meta.findall("article-id")
    return {each.get("pub-id-type") or "": text_of(each) for each in ids}


def _names(meta: Element | None) -> list[str]:
    people = [] if meta is None else meta.findall("contrib-group/contrib")
    names: list[str] = []
    for each in people:
        if each.get("contrib-type", "author") != "author":
            continue
        given, family = first_text(each, "name/given-names"), first_text(each, "name/surname")
        whole = f"{given} {family}".strip()
        names.append(whole or first_text(each, "collab") or first_text(each, "string-name"))
    return [name for name in names if name]


def _date(meta: Element | None) -> str:
    """Return the earliest publication date, as precise as it is stated."""
    dates: list[str] = []
    for each in [] if meta is None else meta.findall("pub-date"):
        year, month, day = (first_text(each, name) for name in ("year", "month", "day"))
        if not year.isdecimal():
            continue
        known = [year]
        if month.isdecimal():
            known += [month.zfill(2)] + ([day.zfill(2)] if day.isdecimal() else [])
        dates.append("-".join(known))
    return min(dates, default="")


def _licence(meta: Element | None) -> str:
    """Return the URL of the licence, or else its words."""
    licence = None if meta is None else meta.find("permissions/license")
    if licence is None:
        return first_text(meta, "permissions/copyright-statement")[:300]
    own = next((licence.get(name) for name in _LICENCE_HREF if licence.get(name)), None)
    if own:
        return own
    for each in licence.iter():
        if local_name(each) in ("license_ref", "ext-link"):
            url = each.get(_LICENCE_HREF[0]) or text_of(each)
            if "creativecommons.org" in url:
                return url
    return text_of(licence)[:300]

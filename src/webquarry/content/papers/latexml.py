"""Reads a paper that LaTeXML converted to HTML, as arXiv and ar5iv show it."""

import re
from collections.abc import Callable

from webquarry.content.citations.identifiers import doi_url
from webquarry.content.citations.reference_fields import reference_fields
from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import Element, drop_tree, element_finder, parse_html, text_of
from webquarry.content.papers.paper_tree import PaperParts, take_title, with_citing_sections
from webquarry.models.paper_text import PaperReference, PaperText

_MAX_REFERENCES = 3_000
_WATERMARK = re.compile(
    r"arXiv:\S+?(v\d{1,3})?(?:\s+\[[^\]]{1,40}\])?(?:\s+(\d{1,2} \w{3} \d{4}))?$"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TRUNCATED = "Sections after the first 1,000 were left out."


def _of_class(name: str) -> Callable[[Element], list[Element]]:
    """Return a function that finds the elements with a class."""
    return element_finder(
        f"descendant::*[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"
    )


_documents, _bibitems = _of_class("ltx_document"), _of_class("ltx_bibitem")
_abstracts, _creators = _of_class("ltx_abstract"), _of_class("ltx_personname")
_titles, _authors = _of_class("ltx_title_document"), _of_class("ltx_authors")
_bibliographies, _tags = _of_class("ltx_bibliography"), _of_class("ltx_tag_bibitem")
_errors, _cited_lists = _of_class("ltx_ERROR"), _of_class("ltx_bib_cited")
_notes, _note_contents = _of_class("ltx_note"), _of_class("ltx_note_content")
_equations, _groups = _of_class("ltx_equation"), _of_class("ltx_equationgroup")
_scripts = element_finder("descendant::script | descendant::style | descendant::nav")
_links = element_finder("descendant::a[@href]")
_licences = element_finder("//*[@id='license-tr']")
_watermarks = element_finder("//*[@id='watermark-tr']")


def read_latexml(content: bytes) -> PaperText | None:
    """Return the paper; None if the page is not one, or has no text."""
    root = parse_html(decode_page(content, None))
    document = next(iter(_documents(root)), None) if root is not None else None
    if root is None or document is None:
        return None
    licence, (version, published) = _licence(root), _version(root)
    title = _first_text(_titles(document))
    authors = tuple(filter(None, (_author(each) for each in _creators(document))))
    references = _references(document)
    failed = len(_errors(document))
    _prepare(document)
    parts = PaperParts()
    for abstract in _abstracts(document):
        parts.add_section(abstract, take_title(abstract) or "Abstract", 1)
        drop_tree(abstract)
    parts.add_section(document, "", 0)
    if not any(section.text for section in parts.sections):
        return None
    linked, markers = with_citing_sections(references, parts.sections)
    notes = [_TRUNCATED] if parts.truncated else []
    if failed:
        notes.append(f"{failed} LaTeX commands could not be converted; the text may have gaps.")
    return PaperText(
        title=title,
        authors=authors,
        published=published,
        licence=licence,
        version=version,
        sections=tuple(parts.sections),
        figures=tuple(parts.figures),
        tables=tuple(parts.tables),
        references=linked,
        markers=markers,
        notes=tuple(notes),
    )


def _first_text(elements: list[Element]) -> str:
    return text_of(elements[0]) if elements else ""


def _author(name: Element) -> str:
    """Return one name: LaTeXML leaves affiliation marks and addresses behind a line break."""
    line = name.text or ""
    for child in name:
        if child.tag == "br":
            break
        line += (text_of(child) if child.tag not in ("sup", "a") else "") + (child.tail or "")
    return " ".join(line.replace("\\AND", " ").split())[:200].rstrip(",&")


def _licence(root: Element) -> str:
    text = _first_text(_licences(root))
    return text.partition(":")[2].strip() or text


def _version(root: Element) -> tuple[str, str]:
    """Return the version and its date, from the mark at the start of the page."""
    match = _WATERMARK.search(_first_text(_watermarks(root)))
    if not match:
        return "", ""
    day, month, year = (match[2] or "  ").split(" ", 2)
    number = _MONTHS.index(month) + 1 if month in _MONTHS else 0
    return match[1] or "", f"{year}-{number:02}-{int(day):02}" if number else ""


def _references(document: Element) -> list[PaperReference]:
    """Return the entries of the bibliographies, and remove these from the tree."""
    found: list[PaperReference] = []
    for number, item in enumerate(_bibitems(document)[:_MAX_REFERENCES], 1):
        label = _first_text(_tags(item)).strip("[]() ")
        for part in (*_tags(item), *_cited_lists(item)):
            drop_tree(part)
        text = text_of(item)
        fields = reference_fields(text)
        url = next((a.get("href") for a in _links(item) if _is_web(a.get("href"))), None)
        entry = PaperReference(
            id=item.get("id") or f"ref-{number}",
            label=label or str(number),
            text=text,
            title=fields.title,
            year=fields.year,
            doi=fields.doi,
            url=doi_url(fields.doi) if fields.doi else fields.url or url,
        )
        found.append(entry)
    for bibliography in _bibliographies(document):
        drop_tree(bibliography)
    return found


def _is_web(href: str | None) -> bool:
    return bool(href and href.startswith(("http://", "https://")))


def _prepare(document: Element) -> None:
    """Make the tree one that the Markdown writer understands."""
    for element in (*_scripts(document), *_titles(document), *_authors(document)):
        drop_tree(element)
    for link in _links(document):
        href = link.get("href") or ""
        if "#bib." in href:  # absolute on arxiv.org
            link.set("href", f"#{href.rpartition('#')[2]}")
        elif "#" in href and "/html/" in href:
            link.tag = "span"  # another section or equation of the paper
    for note in _notes(document):
        content = next(iter(_note_contents(note)), None)
        _replace_text(note, f" [note: {_note_text(content)}]" if content is not None else "")
    for equation in (*_groups(document), *_equations(document)):
        _as_paragraphs(equation)


def _note_text(content: Element) -> str:
    for mark in list(content.iter("sup")):
        drop_tree(mark)
    return text_of(content)


def _replace_text(element: Element, text: str) -> None:
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "span", text, tail


def _as_paragraphs(equation: Element) -> None:
    """Make each row of an equation, which is laid out as a table, a paragraph."""
    for part in equation.iter("table", "tbody", "tr", "td", "th"):
        part.tag = {"table": "div", "tbody": "div", "tr": "p"}.get(part.tag, "span")

"""How to cite a page: APA, MLA and BibTeX."""

from collections.abc import Sequence
from datetime import date

from webquarry.content.citations.author_names import Name, literal
from webquarry.content.citations.bluebook import SHORT_MONTHS
from webquarry.content.citations.export import (
    Reference,
    base_key,
    bibtex_entry,
    clean_reference,
    names_of,
    published_parts,
)
from webquarry.content.citations.identifiers import doi_url
from webquarry.content.text.word_list import words
from webquarry.models.page import Citation, CitationFormats, CitationMetadata, PageMetadata

_MONTHS = words(
    "January February March April May June July August September October November December"
)


def cite_page(metadata: PageMetadata, url: str, accessed: date) -> Citation:
    """Return the citation of a page read on the day `accessed`."""
    reference = clean_reference(
        Reference(
            url=url,
            title=metadata.title,
            authors=_marked_authors(metadata),
            site=metadata.site,
            published=metadata.published,
            doi=metadata.doi,
        )
    )
    return Citation(
        url=url,
        accessedDate=accessed.isoformat(),
        metadata=CitationMetadata(
            title=metadata.title,
            author="; ".join(metadata.authors),
            site=metadata.site,
            date=metadata.published,
        ),
        formatted=CitationFormats(
            apa=cite_apa(reference, accessed),
            mla=cite_mla(reference, accessed),
            bibtex=bibtex_entry(base_key(reference), reference, accessed),
        ),
    )


def _marked_authors(metadata: PageMetadata) -> tuple[str, ...]:
    """Return the authors; those that the page declares as organisations are not split."""
    organizations = {name.casefold() for name in (*metadata.organizations, metadata.site)}
    return tuple(
        literal(name) if name.casefold() in organizations else name for name in metadata.authors
    )


def cite_apa(reference: Reference, accessed: date) -> str:
    """Return the reference in APA style."""
    authors = _apa_authors(names_of(reference))
    when = _apa_date(reference)
    title = _title_sentence(reference)
    period = "" if authors.endswith(".") else "."  # after an organisation
    lead = f"{authors}{period} ({when}). {title}" if authors else f"{title} ({when})."
    site = f" {reference.site}." if reference.site and reference.site != authors else ""
    if reference.doi:
        return f"{lead}{site} {doi_url(reference.doi)}"
    day = f"{_MONTHS[accessed.month - 1]} {accessed.day}, {accessed.year}"
    return f"{lead}{site} Retrieved {day}, from {reference.url}"


def _title_sentence(reference: Reference) -> str:
    title = reference.title or reference.url
    return title if title[-1:] in ".?!" else f"{title}."


def _apa_authors(names: Sequence[Name]) -> str:
    written = [name._replace(given=_initials(name.given)).inverted for name in names]
    if len(written) > 20:
        return ", ".join([*written[:19], f"… {written[-1]}"])
    if len(written) < 2:
        return "".join(written)
    return f"{', '.join(written[:-1])}, & {written[-1]}"


def _initials(given: str) -> str:
    return " ".join(
        "-".join(f"{part[0].upper()}." for part in word.split("-") if part)
        for word in given.split()
    )


def _apa_date(reference: Reference) -> str:
    year, month, day = _published(reference)
    if not year:
        return "n.d."
    if not month:
        return year
    return f"{year}, {_MONTHS[month - 1]}" + (f" {day}" if day else "")


def cite_mla(reference: Reference, accessed: date) -> str:
    """Return the reference in MLA style."""
    authors = _mla_authors(names_of(reference))
    url = doi_url(reference.doi) if reference.doi else reference.url
    published = _mla_date(*_published(reference))
    source = ", ".join(filter(None, (reference.site, published, url)))
    lead = f"{authors.rstrip('.')}. " if authors else ""
    day = _mla_date(str(accessed.year), accessed.month, accessed.day)
    return f"{lead}“{_title_sentence(reference)}” {source}. Accessed {day}."


def _mla_date(year: str, month: int, day: int) -> str:
    return " ".join(filter(None, (str(day or ""), SHORT_MONTHS[month], year)))


def _mla_authors(names: Sequence[Name]) -> str:
    if len(names) > 2:
        return f"{names[0].inverted}, et al."
    return ", and ".join([*(n.inverted for n in names[:1]), *(n.natural for n in names[1:])])


def _published(reference: Reference) -> tuple[str, int, int]:
    year, month, day = (*published_parts(reference), 0, 0, 0)[:3]
    return str(year or ""), month, day

"""How to cite a page: APA, MLA and BibTeX."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from itertools import repeat

from webquarry.content.citations.author_names import Name, literal
from webquarry.content.citations.bluebook import SHORT_MONTHS
from webquarry.content.citations.export import (
    Reference,
    alphabetic_suffixes,
    base_key,
    bibtex_entry,
    clean_reference,
    names_of,
    published_parts,
)
from webquarry.content.citations.given_names import initials, spaced_initials
from webquarry.content.citations.identifiers import doi_url
from webquarry.content.citations.typography import curly_quotes, nested_quotes, with_full_stop
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


def cite_apa(reference: Reference, accessed: date, suffix: str = "") -> str:
    """Return the reference in APA style; the suffix is that of the year: `2020a`."""
    authors = _apa_authors(names_of(reference))
    when = _apa_date(reference, suffix)
    title = with_full_stop(curly_quotes(reference.title or reference.url))
    lead = f"{with_full_stop(authors)} ({when}). {title}" if authors else f"{title} ({when})."
    has_site = reference.site and reference.site != authors
    site = f" {with_full_stop(reference.site)}" if has_site else ""
    if reference.doi:
        return f"{lead}{site} {doi_url(reference.doi)}"
    day = f"{_MONTHS[accessed.month - 1]} {accessed.day}, {accessed.year}"
    return f"{lead}{site} Retrieved {day}, from {reference.url}"


def apa_list(references: Sequence[Reference], accessed: date) -> list[str]:
    """Return the references in APA style, sorted; `2020a` and `2020b` tell works apart."""
    by_author: defaultdict[tuple[str, str], list[Reference]] = defaultdict(list)
    for each in references:
        by_author[_apa_authors(names_of(each)), _published(each)[0]].append(each)
    entries: list[str] = []
    for (authors, _), works in by_author.items():
        several = authors and len(works) > 1
        ordered = sorted(works, key=lambda work: (work.title.casefold(), work.url))
        suffixes = alphabetic_suffixes() if several else repeat("")
        entries += [cite_apa(*each) for each in zip(ordered, repeat(accessed), suffixes)]
    return sorted(entries)


def _apa_authors(names: Sequence[Name]) -> str:
    written = [
        name.natural if name.is_east_asian else name._replace(given=initials(name.given)).inverted
        for name in names
    ]
    if len(written) > 20:
        return ", ".join([*written[:19], f"… {written[-1]}"])
    if len(written) < 2:
        return "".join(written)
    comma = "" if _are_two_groups(names) else ","
    return f"{', '.join(written[:-1])}{comma} & {written[-1]}"


def _are_two_groups(names: Sequence[Name]) -> bool:
    """Tell whether the authors are two organisations, which no comma separates."""
    return len(names) == 2 and not any(name.given for name in names)


def _listed(name: Name) -> str:
    return name.natural if name.is_east_asian else name.inverted


def _apa_date(reference: Reference, suffix: str) -> str:
    year, month, day = _published(reference)
    if not year:
        return f"n.d.-{suffix}" if suffix else "n.d."
    if not month:
        return f"{year}{suffix}"
    return f"{year}{suffix}, {_MONTHS[month - 1]}" + (f" {day}" if day else "")


def cite_mla(reference: Reference, accessed: date) -> str:
    """Return the reference in MLA style."""
    authors = _mla_authors(names_of(reference))
    url = doi_url(reference.doi) if reference.doi else reference.url
    published = _mla_date(*_published(reference))
    source = ", ".join(filter(None, (reference.site, published, url)))
    lead = f"{with_full_stop(authors)} " if authors else ""
    day = _mla_date(str(accessed.year), accessed.month, accessed.day)
    title = nested_quotes(f"“{with_full_stop(curly_quotes(reference.title or reference.url))}”")
    return f"{lead}{title} {source}. Accessed {day}."


def _mla_date(year: str, month: int, day: int) -> str:
    return " ".join(filter(None, (str(day or ""), SHORT_MONTHS[month], year)))


def _mla_authors(names: Sequence[Name]) -> str:
    written = [name._replace(given=spaced_initials(name.given)) for name in names[:2]]
    if len(names) > 2:
        return f"{_listed(written[0])}, et al."
    comma = "" if _are_two_groups(names) else ","
    return f"{comma} and ".join(
        [*map(_listed, written[:1]), *(name.natural for name in written[1:])]
    )


def _published(reference: Reference) -> tuple[str, int, int]:
    year, month, day = (*published_parts(reference), 0, 0, 0)[:3]
    return str(year or ""), month, day

"""Library items as CSL-JSON, and session sources as library items."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from webquarry.content.citations.author_names import split_name
from webquarry.content.citations.bib_entry import noted_doi
from webquarry.content.citations.identifiers import clean_doi, doi_key
from webquarry.content.ranking.result_urls import canonical_key
from webquarry.models.session import ResearchSource
from webquarry.providers.capabilities_library import ItemCreator, LibraryItem

_PMID = re.compile(r"^PMID:\s*(\d{1,9})\b", re.MULTILINE | re.IGNORECASE)
_CSL_TYPES = {
    "journalArticle": "article-journal", "conferencePaper": "paper-conference",
    "preprint": "article", "book": "book", "bookSection": "chapter", "thesis": "thesis",
    "report": "report", "webpage": "webpage", "blogPost": "post-weblog",
}  # fmt: skip


def csl_reference(item: LibraryItem) -> dict[str, Any]:
    """Return an item as CSL-JSON."""
    pmid = _PMID.search(item.extra)
    fields = {
        "id": item.key,
        "type": _CSL_TYPES.get(item.item_type, "document"),
        "title": item.title,
        "author": [_csl_name(each) for each in item.creators if each.creator_type == "author"],
        "issued": {"raw": item.date} if item.date else None,
        "container-title": item.venue,
        "volume": item.volume,
        "page": item.pages,
        "DOI": item.doi,
        "URL": item.url,
        "ISBN": item.isbn,
        "PMID": pmid[1] if pmid else "",
        "note": "\n".join(filter(None, (item.archive_id, item.extra))),
    }
    return {name: value for name, value in fields.items() if value}


def _csl_name(creator: ItemCreator) -> dict[str, str]:
    if creator.name:
        return {"literal": creator.name}
    return {"family": creator.last_name, "given": creator.first_name}


def item_ids(item: LibraryItem) -> set[str]:
    """Return the DOI and the URL of an item, as `source_ids` does."""
    return set(_ids(noted_doi(item.doi, item.extra), item.url))


def source_ids(source: ResearchSource) -> set[str]:
    """Return the DOI and the URL of a source, in a form that can be compared."""
    return set(_ids(source.doi or "", source.url))


def _ids(doi: str, url: str) -> Iterator[str]:
    for text in (doi, url):
        if found := clean_doi(text):
            yield doi_key(found)
    if url:
        yield canonical_key(url)


def new_item(source: ResearchSource, collection: str) -> dict[str, Any]:
    """Return the fields of a new item: an article if the source has a DOI, else a web page."""
    doi = clean_doi(source.doi) or clean_doi(source.url)
    site = source.site or ""
    by_type = (
        {"itemType": "journalArticle", "DOI": doi, "publicationTitle": site}
        if doi
        else {"itemType": "webpage", "websiteTitle": site}
    )
    fields = by_type | {
        "title": source.title or source.url,
        "creators": list(_creators(source.authors or ())),
        "url": source.url,
        "date": source.published or "",
        "accessDate": (source.foundAt or "")[:10],
        "collections": [collection] if collection else [],
    }
    return {name: value for name, value in fields.items() if value}


def _creators(authors: Iterable[str]) -> Iterator[dict[str, str]]:
    for author in authors:
        name = split_name(author)
        if name.given:
            given = " ".join(filter(None, (name.given, name.suffix)))
            yield {"creatorType": "author", "firstName": given, "lastName": name.family}
        elif name.family:
            yield {"creatorType": "author", "name": name.family}

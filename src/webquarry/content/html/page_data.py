"""A page as data: its metadata, the structure of its text, and what it declares."""

from typing import Any

from webquarry.content.markdown.structure import markdown_structure
from webquarry.models.reading import Reading


def page_data(reading: Reading, markdown: str) -> dict[str, Any]:
    """Return what a page states about itself, and its sections, links, images and tables."""
    metadata = reading.metadata
    data: dict[str, Any] = {
        "url": reading.final_url,
        "title": metadata.title,
        "description": metadata.description,
        "authors": list(metadata.authors),
        "site": metadata.site,
        "published": metadata.published,
        "modified": metadata.modified,
        "language": metadata.language,
        "keywords": list(metadata.keywords),
        "doi": reading.doi,
        "wordCount": reading.word_count,
        **markdown_structure(markdown),
        **reading.structured.model_dump(mode="json"),
    }
    return {name: value for name, value in data.items() if value}

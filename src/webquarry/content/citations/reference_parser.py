"""What the checks of a citation need of a reference given as free text: its title and parts."""

import re

from webquarry.content.citations.reference_fields import reference_fields
from webquarry.content.citations.reference_match import ReferenceParts

_URL_OR_DOI = re.compile(r"(?:https?://\S+|doi:?\s*10\.\S+|10\.\d{4,9}/\S+)", re.IGNORECASE)


def without_urls(text: str) -> str:
    """Return the text without DOIs and URLs."""
    return " ".join(_URL_OR_DOI.sub(" ", text).split())


def cited_parts(reference: str) -> ReferenceParts:
    """Return the most likely parts of a reference, as it writes them."""
    fields = reference_fields(reference)
    return ReferenceParts(
        fields.title or without_urls(reference),
        fields.authors,
        int(fields.year) if fields.year.isdecimal() else None,
        fields.container,
        fields.pages,
        fields.volume,
        fields.doi,
    )


def title_in(reference: str) -> str:
    """Return the most likely title; the whole text when no part stands out."""
    return reference_fields(reference).title.rstrip("?! ") or without_urls(reference)

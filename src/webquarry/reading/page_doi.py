"""The DOI a page declares for itself."""

import re

from webquarry.content.citations.doi_reader import doi_in, doi_in_url
from webquarry.content.text.length_limits import cap_text
from webquarry.models.reading import Reading

_FRONT_MATTER_CHARS = 4_000  # above the list of references, whose DOIs are those of other works
_REFERENCES = re.compile(r"^[^\w\n]*+(references|bibliography|works cited)[^\w\n]*$", re.I | re.M)


def find_doi(reading: Reading) -> str:
    """Return the DOI in the metadata, the URLs or the front matter of a scholarly page."""
    return (
        doi_in(reading.metadata.doi)
        or doi_in_url(reading.final_url)
        or doi_in_url(reading.url)
        or doi_in(_REFERENCES.split(cap_text(reading.markdown, _FRONT_MATTER_CHARS))[0])
        or ""
    )

"""The DOI a page declares for itself."""

import re
from urllib.parse import unquote, urlsplit

from webquarry.models.reading import Reading

_FRONT_MATTER_CHARS = 4_000  # above the list of references, whose DOIs are those of other works
_REFERENCES = re.compile(r"^\W*(references|bibliography|works cited)\W*$", re.I | re.M)


def find_doi(reading: Reading) -> str:
    """Return the DOI in the metadata, the URLs or the front matter of a scholarly page."""
    # imported here because parsers are slow to load
    from webquarry.content.html.metadata import doi_in

    texts = (
        reading.metadata.doi,
        unquote(urlsplit(reading.final_url).path),
        unquote(urlsplit(reading.url).path),
        _REFERENCES.split(reading.markdown[:_FRONT_MATTER_CHARS])[0],
    )
    return next((doi for doi in map(doi_in, texts) if doi), "")

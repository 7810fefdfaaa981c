"""The DOI a page declares for itself."""

import re
from urllib.parse import unquote, urlsplit

from webquarry.models.page import Classification
from webquarry.models.reading import Reading

_FRONT_MATTER = 4_000  # above any list of references, whose DOIs are others' works
_REFERENCES = re.compile(r"^\W*(references|bibliography|works cited)\W*$", re.I | re.M)


def doi_of(reading: Reading, kind: Classification) -> str:
    """Return the DOI of a scholarly page: by its own tags, its address, then its front matter."""
    if kind.sourceType != "peer_reviewed" and kind.domainCategory != "academic":
        return ""
    # imported here because parsers are slow to load
    from webquarry.content.html.metadata import doi_in

    places = (
        reading.metadata.doi,
        unquote(urlsplit(reading.address).path),
        unquote(urlsplit(reading.url).path),
        _REFERENCES.split(reading.markdown[:_FRONT_MATTER])[0],
    )
    return next((doi for doi in map(doi_in, places) if doi), "")

"""arXiv: a preprint's abstract and record (https://info.arxiv.org/help/api)."""

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from webquarry.errors import NotFoundError, PayloadError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, under
from webquarry.reading.sites.site import Keys, Site, SiteInfo
from webquarry.reading.sites.site_markdown import joined, line, plain

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

_ABSTRACT = re.compile(r"/abs/((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)/?")
_ATOM = "{http://www.w3.org/2005/Atom}"
_OWN = "{http://arxiv.org/schemas/atom}"


class ArxivSite(Site):
    """Reads the pages of abstracts; papers themselves are documents."""

    about: ClassVar = SiteInfo(
        name="arxiv",
        base_url="https://export.arxiv.org",
        docs="https://info.arxiv.org/help/api/user-manual.html",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        # its terms ask for a request every three seconds
        limits = ApiLimits(timeout=8, deadline=12, tries=2, per_second=1 / 3, burst=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return under(url.host, ("arxiv.org",)) and bool(
            _ABSTRACT.fullmatch(urlsplit(url.href).path)
        )

    async def read(self, url: Url) -> Reading:
        found = _ABSTRACT.fullmatch(urlsplit(url.href).path)
        name = found[1] if found else ""
        response = await self._api.get(
            "api/query", params={"id_list": name, "max_results": 1}, expect=(400,)
        )
        entry = None if response.status == 400 else self._entry(response)
        title = "" if entry is None else _text(entry, f"{_ATOM}title")
        if entry is None or not title or title == "Error":
            raise NotFoundError(f"Not found: arXiv has no paper {name}. Check the URL.")
        return _reading(url, name, title, entry)

    def _entry(self, response: Response) -> "Element | None":
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        try:
            feed = etree.fromstring(response.content, parser)
        except etree.XMLSyntaxError as error:
            raise PayloadError(
                f"Unexpected answer ({self._api.name}): it is no feed.", provider=self._api.name
            ) from error
        return feed.find(f"{_ATOM}entry")


def _text(entry: "Element", path: str) -> str:
    from webquarry.content.html.dom import text_of

    found = entry.find(path)
    return text_of(found) if found is not None else ""


def _reading(url: Url, name: str, title: str, entry: "Element") -> Reading:
    authors = tuple(
        " ".join((found.text or "").split()) for found in entry.iter(f"{_ATOM}name") if found.text
    )
    published = _text(entry, f"{_ATOM}published")[:10]
    updated = _text(entry, f"{_ATOM}updated")[:10]
    subjects = [found.get("term") or "" for found in entry.iter(f"{_ATOM}category")]
    doi = _text(entry, f"{_OWN}doi")
    facts = (
        ("Submitted", published),
        ("Last version", updated if updated != published else ""),
        ("Subjects", ", ".join(subjects)),
        ("Comments", plain(_text(entry, f"{_OWN}comment"))),
        ("Journal", plain(_text(entry, f"{_OWN}journal_ref"))),
        ("DOI", doi),
        ("PDF", f"https://arxiv.org/pdf/{name}"),
        ("HTML", f"https://arxiv.org/html/{name}"),
    )
    text = joined(
        f"# {plain(title)}",
        line(", ".join(authors)),
        "## Abstract",
        plain(_text(entry, f"{_ATOM}summary")),
        "\n".join(f"- {label}: {value}" for label, value in facts if value),
    )
    bare = re.sub(r"v\d+$", "", name)
    return Reading(
        url=url.href,
        address=url.href,
        markdown=text,
        kind="arxiv",
        metadata=PageMetadata(
            title=plain(title),
            authors=authors,
            site="arXiv",
            published=published,
            modified=updated,
            doi=doi or f"10.48550/arXiv.{bare}",
            kinds=("ScholarlyArticle",),
        ),
    )

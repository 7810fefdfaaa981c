"""arXiv: abstract and metadata of a preprint (https://info.arxiv.org/help/api)."""

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from webquarry.errors import NotFoundError, PayloadError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, in_domains
from webquarry.reading.sites.site import Keys, Site, SiteInfo, site_reading
from webquarry.reading.sites.site_markdown import join_blocks, visible_text

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element

_ABSTRACT = re.compile(r"/abs/((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)/?")
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_FACT_ORDER = (
    "Submitted", "Last version", "Subjects", "Comments", "Journal", "DOI", "PDF", "HTML",
)  # fmt: skip


class ArxivSite(Site):
    """Reads abstract pages; the papers are documents."""

    about: ClassVar = SiteInfo(
        name="arxiv",
        hosts=("arxiv.org",),
        base_url="https://export.arxiv.org",
        docs="https://info.arxiv.org/help/api/user-manual.html",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        # the terms of use allow one request every three seconds
        limits = ApiLimits(timeout=8, deadline=12, tries=2, per_second=1 / 3, burst=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return in_domains(url.host, ("arxiv.org",)) and bool(
            _ABSTRACT.fullmatch(urlsplit(url.href).path)
        )

    async def read(self, url: Url) -> Reading:
        match = _ABSTRACT.fullmatch(urlsplit(url.href).path)
        name = match[1] if match else ""
        response = await self._api.get(
            "api/query", params={"id_list": name, "max_results": 1}, expect=(400,)
        )
        entry = None if response.status == 400 else self._entry(response)
        title = "" if entry is None else _text(entry, f"{_ATOM}title")
        if entry is None or not title or title == "Error":
            raise NotFoundError(f"Not found: arXiv has no paper {name}. Check the URL.")
        return _reading(url, name, title, entry)

    def _entry(self, response: FetchedResponse) -> "Element | None":
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        try:
            feed = etree.fromstring(response.content, parser)
        except etree.XMLSyntaxError as error:
            raise PayloadError(
                f"Unexpected response ({self._api.name}): the response is not a feed.",
                provider=self._api.name,
            ) from error
        return feed.find(f"{_ATOM}entry")


def _text(entry: "Element", path: str) -> str:
    from webquarry.content.html.dom import text_of

    element = entry.find(path)
    return text_of(element) if element is not None else ""


def _reading(url: Url, paper_id: str, title: str, entry: "Element") -> Reading:
    names = (element.text for element in entry.iter(f"{_ATOM}name"))
    authors = tuple(" ".join(name.split()) for name in names if name)
    published = _text(entry, f"{_ATOM}published")[:10]
    updated = _text(entry, f"{_ATOM}updated")[:10]
    doi = _text(entry, f"{_ARXIV}doi")
    facts = _facts(paper_id, entry) | {
        "Submitted": published,
        "Last version": updated if updated != published else "",
        "DOI": doi,
    }
    text = join_blocks(
        f"# {visible_text(title)}",
        ", ".join(authors),
        "## Abstract",
        visible_text(_text(entry, f"{_ATOM}summary")),
        "\n".join(f"- {label}: {facts[label]}" for label in _FACT_ORDER if facts[label]),
    )
    unversioned = re.sub(r"v\d+$", "", paper_id)
    metadata = PageMetadata(
        title=visible_text(title),
        authors=authors,
        site="arXiv",
        published=published,
        modified=updated,
        doi=doi or f"10.48550/arXiv.{unversioned}",
        kinds=("ScholarlyArticle",),
    )
    return site_reading(url, "arxiv", text, metadata)


def _facts(paper_id: str, entry: "Element") -> dict[str, str]:
    subjects = [category.get("term") or "" for category in entry.iter(f"{_ATOM}category")]
    return {
        "Subjects": ", ".join(subjects),
        "Comments": visible_text(_text(entry, f"{_ARXIV}comment")),
        "Journal": visible_text(_text(entry, f"{_ARXIV}journal_ref")),
        "PDF": f"https://arxiv.org/pdf/{paper_id}",
        "HTML": f"https://arxiv.org/html/{paper_id}",
    }

"""Google Patents: a patent's data, abstract, claims and description, without a browser."""

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from webquarry.errors import PayloadError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo
from webquarry.reading.sites.site_markdown import joined, plain

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element
    from webquarry.content.html.google_patents_page import PatentPage

_PAGE = re.compile(r"/patent/([A-Z]{2}[A-Z0-9]{3,20})(?:/([a-z]{2}))?/?", re.IGNORECASE)
_MOST_BYTES = 8 * 2**20  # descriptions are long
_FACTS = (
    ("Number", "publicationNumber"),
    ("Inventors", "inventor"),
    ("Original assignee", "assigneeOriginal"),
    ("Current assignee", "assigneeCurrent"),
    ("Priority", "priorityDate"),
    ("Filed", "filingDate"),
    ("Published", "publicationDate"),
    ("Status", "ifiStatus"),
)
_PARTS = (("Abstract", "abstract"), ("Claims", "claims"), ("Description", "description"))
_MOST_EVENTS = 20


class GooglePatentsSite(Site):
    """Reads patents from the page's own marks; it comes complete from the server."""

    about: ClassVar = SiteInfo(
        name="google_patents",
        base_url="https://patents.google.com",
        docs="https://support.google.com/faqs/answer/6390996",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=12, deadline=20, tries=2, max_bytes=_MOST_BYTES)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return url.host == "patents.google.com" and bool(_PAGE.fullmatch(urlsplit(url.href).path))

    async def read(self, url: Url) -> Reading:
        from webquarry.content.html.dom import parse_html
        from webquarry.content.html.google_patents_page import PatentPage, patent_page
        from webquarry.content.visibility.hidden_text import remove_hidden

        found = _PAGE.fullmatch(urlsplit(url.href).path)
        number, language = (found[1], found[2] or "en") if found else ("", "en")
        response = await self._api.get(f"patent/{segment(number)}/{segment(language)}")
        root = parse_html(response.text)
        if root is None or patent_page(root) is None:
            # a page for robots looks like that too, so this does not say that there is none
            raise PayloadError(
                f"Unexpected answer ({self._api.name}): there is no patent on the page.",
                provider=self._api.name,
            )
        remove_hidden(root)
        return _reading(url, root, patent_page(root) or PatentPage(), language)


def _reading(url: Url, root: "Element", page: "PatentPage", language: str) -> Reading:
    title = plain(page.title) or "Patent"
    people = _values(page, "inventor")
    facts = ((label, ", ".join(_values(page, name))) for label, name in _FACTS)
    text = joined(
        f"# {title}",
        "\n".join(f"- {label}: {value}" for label, value in facts if value),
        *(_section(root, label, name) for label, name in _PARTS),
        _events(root),
    )
    published = _values(page, "publicationDate") or _values(page, "filingDate")
    return Reading(
        url=url.href,
        address=url.href,
        markdown=text,
        kind="patent",
        metadata=PageMetadata(
            title=title,
            authors=tuple(people),
            site="Google Patents",
            published=published[0] if published else "",
            language=language,
        ),
    )


def _values(page: "PatentPage", name: str) -> list[str]:
    """Return what the page says under a name as a person sees it, each once and in order."""
    return list(dict.fromkeys(value for mark in page.marks.get(name, ()) if (value := plain(mark))))


def _section(root: "Element", label: str, name: str) -> str:
    from webquarry.content.markdown.writer import markdown_of

    for section in root.iter("section"):
        if section.get("itemprop") == name:
            for heading in list(section.iter("h2")):
                parent = heading.getparent()
                if parent is not None:
                    parent.remove(heading)  # we write our own
            text = plain(markdown_of(section))
            return joined(f"## {label}", text) if text else ""
    return ""


def _events(root: "Element") -> str:
    from webquarry.content.html.dom import text_of

    rows: list[str] = []
    for event in root.iter("dd"):
        if event.get("itemprop") != "events":
            continue
        parts = {part.get("itemprop"): text_of(part) for part in event.iter("time", "span")}
        if parts.get("date") and parts.get("title"):
            rows.append(f"- {parts['date']}: {plain(parts['title'])}")
    return joined("## Events", "\n".join(rows[:_MOST_EVENTS])) if rows else ""

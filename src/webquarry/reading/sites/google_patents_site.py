"""Google Patents: a patent's data, abstract, claims and description, without a browser."""

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from webquarry.errors import PayloadError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, path_segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo
from webquarry.reading.sites.site_markdown import join_blocks, visible_text

if TYPE_CHECKING:
    from webquarry.content.html.dom import Element
    from webquarry.content.html.google_patents_page import PatentPage

_PATH = re.compile(r"/patent/([A-Z]{2}[A-Z0-9]{3,20})(?:/([a-z]{2}))?/?", re.IGNORECASE)
_MAX_BYTES = 8 * 2**20  # descriptions are long
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
_SECTIONS = (("Abstract", "abstract"), ("Claims", "claims"), ("Description", "description"))
_MAX_EVENTS = 20


class GooglePatentsSite(Site):
    """Reads patents from the microdata of their pages, which need no script."""

    about: ClassVar = SiteInfo(
        name="google_patents",
        hosts=("patents.google.com",),
        base_url="https://patents.google.com",
        docs="https://support.google.com/faqs/answer/6390996",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=12, deadline=20, tries=2, max_bytes=_MAX_BYTES)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return url.host == "patents.google.com" and bool(_PATH.fullmatch(urlsplit(url.href).path))

    async def read(self, url: Url) -> Reading:
        match = _PATH.fullmatch(urlsplit(url.href).path)
        number, language = (match[1], match[2] or "en") if match else ("", "en")
        response = await self._api.get(f"patent/{path_segment(number)}/{path_segment(language)}")
        reading = await self._api.parse_page(
            read_patent_text, response, url=url.href, language=language
        )
        if reading is None:
            # a bot check looks the same, so this does not mean that there is no patent
            raise PayloadError(
                f"Unexpected response ({self._api.name}): there is no patent on the page.",
                provider=self._api.name,
            )
        return reading


def read_patent_text(content: bytes, *, url: str, language: str) -> Reading | None:
    """Return the text of a patent; None if the page shows none."""
    from webquarry.content.html.dom import parse_html
    from webquarry.content.html.google_patents_page import PatentPage, read_patent_page
    from webquarry.content.visibility.hidden_text import remove_hidden

    root = parse_html(content.decode())
    if root is None or read_patent_page(root) is None:
        return None
    remove_hidden(root)
    return _reading(url, root, read_patent_page(root) or PatentPage(), language)


def _reading(url: str, root: "Element", page: "PatentPage", language: str) -> Reading:
    title = visible_text(page.title) or "Patent"
    inventors = _values(page, "inventor")
    facts = ((label, ", ".join(_values(page, name))) for label, name in _FACTS)
    text = join_blocks(
        f"# {title}",
        "\n".join(f"- {label}: {value}" for label, value in facts if value),
        *(_section(root, label, name) for label, name in _SECTIONS),
        _events(root),
    )
    published = _values(page, "publicationDate") or _values(page, "filingDate")
    return Reading(
        url=url,
        final_url=url,
        markdown=text,
        kind="patent",
        metadata=PageMetadata(
            title=title,
            authors=tuple(inventors),
            site="Google Patents",
            published=published[0] if published else "",
            language=language,
        ),
    )


def _values(page: "PatentPage", name: str) -> list[str]:
    """Return the distinct values of a property."""
    return list(
        dict.fromkeys(
            text for value in page.properties.get(name, ()) if (text := visible_text(value))
        )
    )


def _section(root: "Element", label: str, name: str) -> str:
    from webquarry.content.markdown.writer import write_markdown

    for section in root.iter("section"):
        if section.get("itemprop") == name:
            for heading in list(section.iter("h2")):
                parent = heading.getparent()
                if parent is not None:
                    parent.remove(heading)  # replaced by ours
            text = visible_text(write_markdown(section))
            return join_blocks(f"## {label}", text) if text else ""
    return ""


def _events(root: "Element") -> str:
    from webquarry.content.html.dom import text_of

    rows: list[str] = []
    for event in root.iter("dd"):
        if event.get("itemprop") != "events":
            continue
        parts = {part.get("itemprop"): text_of(part) for part in event.iter("time", "span")}
        if parts.get("date") and parts.get("title"):
            rows.append(f"- {parts['date']}: {visible_text(parts['title'])}")
    return join_blocks("## Events", "\n".join(rows[:_MAX_EVENTS])) if rows else ""

"""The paid tier: Exa's copy of a page (https://docs.exa.ai/reference/get-contents)."""

from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import WebquarryError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.reading.sites.site import SiteWire
from webquarry.reading.tiers.acceptance import LEAST_BYTES
from webquarry.reading.tiers.read_errors import UnreadableError, missed

KEY = "EXA_API_KEY"
_BASE_URL = "https://api.exa.ai"
_MOST = 1_000_000


class _Page(SiteWire):
    url: str | None = None
    title: str | None = None
    author: str | None = None
    publishedDate: str | None = None  # noqa: N815
    text: str | None = None


class _Status(SiteWire):
    source: str | None = None  # cached or crawled
    status: str | None = None


class _Contents(SiteWire):
    results: tuple[_Page, ...] = ()
    statuses: tuple[_Status, ...] | None = None


class ExaTier:
    """Reads pages that refuse everybody else; every one of them costs money."""

    name = "exa"
    timeout = 30.0

    def __init__(self, upstreams: Upstreams, key: str) -> None:
        self._api = upstreams.api("exa", _BASE_URL)
        self._headers = {"x-api-key": key}

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page as Exa has it, or raise `UnreadableError`."""
        del seconds  # the upstream has limits of its own
        try:
            response = await self._api.post(
                "contents",
                json={"urls": [url], "text": {"maxCharacters": _MOST}},
                headers=self._headers,
            )
            found = self._api.decode(_Contents, response)
        except WebquarryError as error:
            # what is wrong with Exa says nothing about the page
            raise UnreadableError("network", missed(error).words) from error
        text = without_invisible((found.results[0].text or "").strip() if found.results else "")
        if len(text.encode("utf-8", "replace")) <= LEAST_BYTES:
            raise UnreadableError("content_empty", "has no copy of it")
        return _reading(url, found, text)


def _reading(url: str, found: _Contents, text: str) -> Reading:
    page = found.results[0]
    source = found.statuses[0].source if found.statuses else None
    authors = (page.author,) if page.author else ()
    return Reading(
        url=url,
        address=page.url or url,
        markdown=text,
        kind="markdown",
        tier="exa:cached" if source == "cached" else "exa:crawled",
        metadata=PageMetadata(
            title=page.title or "", authors=authors, published=(page.publishedDate or "")[:10]
        ),
    )

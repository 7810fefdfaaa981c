"""The paid tier: the copy of a page that Exa holds (https://docs.exa.ai/reference/get-contents)."""

from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import WebquarryError
from webquarry.models.model import Text
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.reading.sites.site import SiteWire
from webquarry.reading.tiers.acceptance import MIN_BYTES
from webquarry.reading.tiers.read_errors import UnreadableError

KEY = "EXA_API_KEY"
_BASE_URL = "https://api.exa.ai"
_MAX_CHARS = 1_000_000


class _Page(SiteWire):
    url: str | None = None
    title: Text = ""
    author: str | None = None
    publishedDate: Text = ""  # noqa: N815
    text: Text = ""


class _Status(SiteWire):
    source: str | None = None  # cached or crawled
    status: str | None = None


class _Contents(SiteWire):
    results: tuple[_Page, ...] = ()
    statuses: tuple[_Status, ...] | None = None


class ExaTier:
    """Reads pages that refuse every other tier. Each request costs money."""

    name = "exa"
    timeout = 30.0

    def __init__(self, upstreams: Upstreams, key: str) -> None:
        self._api = upstreams.api("exa", _BASE_URL)
        self._headers = {"x-api-key": key}

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the copy that Exa holds, or raise `UnreadableError`."""
        del seconds  # the upstream has its own deadline
        try:
            response = await self._api.post(
                "contents",
                json={"urls": [url], "text": {"maxCharacters": _MAX_CHARS}},
                headers=self._headers,
            )
            contents = self._api.decode(_Contents, response)
        except WebquarryError as error:
            # an error of Exa says nothing about the page
            raise UnreadableError("network", _reason(error)) from error
        text = (contents.results[0].text).strip() if contents.results else ""
        text = without_invisible(text)
        if len(text.encode("utf-8", "replace")) <= MIN_BYTES:
            raise UnreadableError("content_empty", "has no copy of it")
        return _reading(url, contents, text)


def _reason(error: WebquarryError) -> str:
    code = str(error.details.get("detail", "")) if error.advice.kind == "network" else ""
    return code.replace("_", " ") or str(error)


def _reading(url: str, contents: _Contents, text: str) -> Reading:
    page = contents.results[0]
    source = contents.statuses[0].source if contents.statuses else None
    authors = (page.author,) if page.author else ()
    return Reading(
        url=url,
        final_url=page.url or url,
        markdown=text,
        kind="markdown",
        tier="exa:cached" if source == "cached" else "exa:crawled",
        metadata=PageMetadata(
            title=page.title, authors=authors, published=(page.publishedDate)[:10]
        ),
    )

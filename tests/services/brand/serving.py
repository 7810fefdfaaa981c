"""The sites of tests/brand_sites on loopback, and brand research over them."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.brand_sites import BrandSite, Part
from tests.net.fetching import fetching
from tests.net.servers import ReceivedRequest, Site, serve
from webquarry.errors import BrowserError, PageError
from webquarry.models.brand import Brand
from webquarry.models.caller import Caller
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.providers.provider import Provider
from webquarry.reading.read_port import PlainReading
from webquarry.services.brand.page_fetch import BrandPageFetcher
from webquarry.services.brand.service import BrandService
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import SearchService
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.memory_store import MemoryStore

NOTHING = Part(b"<h1>Not Found</h1>", {"status": "404"})


@dataclass
class Town:
    """Several sites behind one port, and what is asked of them."""

    sites: list[BrandSite]
    server: Site = field(default_factory=lambda: Site(0))
    shown: list[str] = field(default_factory=list[str])

    async def answer(self, asked: ReceivedRequest) -> None:
        host = asked.headers["host"].partition(":")[0]
        part = self._part(host, asked.target.partition("?")[0])
        headers = {"content_type": part.marks.get("type", _type(part))}
        status = int(part.marks.get("status", "200"))
        if to := part.marks.get("to"):
            status, headers["location"] = 302, self.live(to)
        body = self.live(part.body.decode()).encode() if _is_text(part) else part.body
        await asked.respond(status, b"" if asked.method == "HEAD" else body, **headers)

    def live(self, text: str) -> str:
        """Return text with the addresses of the sites as they are served."""
        for host in self._hosts():
            for end in ("/", '"', "<"):
                text = text.replace(f"http://{host}{end}", f"http://{host}:{self.server.port}{end}")
        return text

    def written(self, text: str) -> str:
        """Return text with the addresses as they are written in the files."""
        return text.replace(f":{self.server.port}", "")

    async def render(self, url: str, seconds: float) -> FetchedResponse:
        self.shown.append(self.written(url))
        where = self.written(url).removeprefix("http://")
        for site in self.sites:
            if html := site.shown.get(where):
                headers = Headers([("content-type", "text/html; charset=utf-8")])
                return FetchedResponse(url=url, status=200, headers=headers, content=html.encode())
        raise BrowserError("no browser here")

    async def read(
        self, url: str, *, seconds: float, max_bytes: int, owner: Caller | None
    ) -> PlainReading:
        where = self.written(url).removeprefix("http://")
        for site in self.sites:
            if text := site.documents.get(where):
                return PlainReading(url=url, title="Guidelines", markdown=text)
        raise PageError(f"nothing to read at {url}")

    def _part(self, host: str, path: str) -> Part:
        for site in self.sites:
            found = site.parts.get(f"{host}{path}") or site.anywhere.get(host)
            if found:
                return found
        return NOTHING

    def _hosts(self) -> list[str]:
        return list(
            {
                where.partition("/")[0]
                for site in self.sites
                for where in (*site.parts, *site.shown, *site.anywhere)
            }
        )


@dataclass
class Research:
    """Brand research over a town, with everything it keeps."""

    town: Town
    brands: BrandService
    artifacts: Artifacts
    now: list[float]

    def plain(self, brand: Brand) -> dict[str, Any]:
        """Return a brand as JSON, with addresses as they are written in the files."""
        wire = json.dumps(brand.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
        return json.loads(self.town.written(wire))


@asynccontextmanager
async def researching(
    *sites: BrandSite, providers: tuple[Any, ...] = ()
) -> AsyncGenerator[Research]:
    """Serve the sites inside the block."""
    town = Town(list(sites))
    async with serve(town.answer) as server, fetching() as fetcher:
        town.server = server
        store, now = MemoryStore(), [1_000_000.0]
        known: list[Provider] = list(providers)
        searching = SearchService(ProviderDirectory(known, [type(p) for p in known]))
        artifacts = Artifacts(store)
        looking = BrandPageFetcher(fetcher, town, town)
        brands = BrandService(looking, searching, store, artifacts, clock=lambda: now[0])
        yield Research(town, brands, artifacts, now)


def _is_text(part: Part) -> bool:
    return not {"png", "gif", "ico"} & part.marks.keys()


def _type(part: Part) -> str:
    image = next((f"image/{kind}" for kind in ("png", "gif", "ico") if kind in part.marks), "")
    return image or "text/html; charset=utf-8"

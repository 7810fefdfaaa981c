"""A shop whose page changes when the test says so, and an application that watches it."""

from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.crawl.site import Reply, Site, running_site
from webquarry.app import App, open_app
from webquarry.settings.load import load

WATER = "The kettle is made of steel and holds one and a half litres of water."
HEAT = "It boils in three minutes and switches itself off when it is done."


@dataclass
class Shop:
    """What the shop shows."""

    price: str = "12.00"
    stamp: str = ""
    down: bool = False
    entries: list[str] = field(default_factory=lambda: ["first"])
    requests: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    site: Site = field(default_factory=Site)

    @property
    def url(self) -> str:
        return f"{self.site.url}/kettle"

    def __call__(self, path: str, headers: dict[str, str]) -> Reply:
        self.requests.append(headers)
        if self.down:
            return Reply(b"", status=503)
        if path == "/feed":
            return self._feed()
        if path != "/kettle":
            return Reply(b"", status=404)
        etag = f'"{self.price}{self.stamp}"'
        if headers.get("if-none-match") == etag:
            return Reply(b"", status=304)
        stamp = f"<p>Last updated: {self.stamp}</p>" if self.stamp else ""
        body = (
            f"<title>Kettle</title><main><h1>Kettle</h1><p>{WATER}</p>"
            f'<p class="price">Price: EUR {self.price}</p><p>{HEAT}</p>{stamp}</main>'
        )
        return Reply(body.encode(), headers=(("content-type", "text/html"), ("etag", etag)))

    def _feed(self) -> Reply:
        items = "".join(
            f"<item><title>{name}</title><guid>{name}</guid><link>{self.site.url}/{name}</link></item>"
            for name in self.entries
        )
        body = f"<rss version='2.0'><channel><title>News</title>{items}</channel></rss>"
        return Reply(body.encode(), headers=(("content-type", "application/rss+xml"),))


@contextmanager
def running_shop() -> Generator[Shop]:
    """Serve the shop while the block runs."""
    shop = Shop()
    with running_site(shop) as site:
        shop.site = site
        yield shop


@asynccontextmanager
async def watching_app(
    directory: Path, settings: Mapping[str, str] | None = None
) -> AsyncGenerator[App]:
    """Open an application that may read pages on this machine."""
    environ = {
        "WEBQUARRY_DATA_DIR": str(directory),
        "ALLOW_PRIVATE_IPS": "true",
        "CHROME_PATH": "disabled",
        "CRAWL_DELAY": "0",
        "MONITOR_MIN_INTERVAL": "1h",
        "TOOLSETS": "all",
        **(settings or {}),
    }
    loaded = load(environ=environ, directory=directory, flags={}, declared=())
    async with open_app(loaded, "library") as app:
        yield app

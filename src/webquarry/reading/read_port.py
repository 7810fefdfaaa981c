"""The port of services that only need the text of a page."""

from typing import Protocol

from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.net.url import Url


class PlainReading(Model):
    """The readable content of one URL."""

    url: str  # after redirects
    title: str = ""
    markdown: str = ""
    wall: str = ""  # kind of the wall in front of the page, e.g. paywall
    truncated: bool = False  # the content exceeds `max_bytes`


class ReadsPages(Protocol):
    """Reads the main content of pages."""

    async def read(
        self, url: str, *, seconds: float, max_bytes: int, owner: Caller | None
    ) -> PlainReading:
        """Return the page; raise `WebquarryError` when it cannot be read in time.

        A cached page belongs to `owner`, the person for whom it is read.
        """
        ...


class ChecksRobots(Protocol):
    """Knows the robots.txt of sites."""

    async def check(self, url: Url) -> None:
        """Raise `BlockedError` when robots.txt disallows the URL."""
        ...

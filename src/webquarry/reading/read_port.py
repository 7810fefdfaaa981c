"""Reading a page, as services that only need its text ask for it."""

from typing import Protocol

from webquarry.models.model import Model


class PlainReading(Model):
    """The readable content of one address."""

    url: str  # after redirects
    title: str = ""
    markdown: str = ""
    wall: str = ""  # what stands in front of the page, e.g. paywall, login, captcha
    truncated: bool = False  # there was more than `max_bytes`


class ReadsPages(Protocol):
    """Gets the main content of pages, by whatever means it takes."""

    async def read(self, url: str, *, seconds: float, max_bytes: int) -> PlainReading:
        """Return the page; raise an error of ours when it cannot be read in time."""
        ...

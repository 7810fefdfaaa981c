"""One request as it goes over the wire, whoever carries it."""

from collections.abc import Mapping
from dataclasses import dataclass

MOST_HEADERS = 200  # of an answer
MOST_HEADER_BYTES = 256 * 2**10
NO_COOKIES = "[]"  # the state of an empty jar


class Cookies:
    """The cookies of a few requests that belong together."""

    def __init__(self) -> None:
        import wreq

        self.jar = wreq.Jar()

    @property
    def state(self) -> str:
        """All names and values, to see whether anything changed."""
        return repr(sorted((cookie.name, cookie.value) for cookie in self.jar.get_all()))

    def take(self, lines: tuple[str, ...], url: str) -> None:
        """Keep what `Set-Cookie` lines of an answer from this address say."""
        for line in lines:
            self.jar.add(line, url)


@dataclass(frozen=True, kw_only=True)
class OutgoingRequest:
    """One request as it goes over the wire; nothing is followed."""

    method: str = "GET"
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    timeout: float
    through: str = ""  # another proxy than the usual one
    cookies: Cookies | None = None

"""One HTTP request as sent: its cookies, and the request that follows a redirect."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from webquarry.net.client.response import Headers
from webquarry.net.url import Url

NO_COOKIES = "[]"  # the state of an empty jar
_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
# Location often has unescaped spaces or non-ASCII letters: escape those, as browsers do
_SAFE_IN_LOCATION = "%!#$&'()*+,/:;=?@[]~\\^|{}`\"<>"


class Cookies:
    """The cookies of one redirect chain."""

    def __init__(self) -> None:
        import wreq

        self.jar = wreq.Jar()

    @property
    def state(self) -> str:
        """All names and values as text, to detect changes."""
        return repr(sorted((cookie.name, cookie.value) for cookie in self.jar.get_all()))

    def add(self, set_cookie_headers: tuple[str, ...], url: str) -> None:
        """Store the cookies that a response from `url` sets."""
        for header in set_cookie_headers:
            self.jar.add(header, url)


@dataclass(frozen=True, kw_only=True)
class HttpRequest:
    """One request as sent; redirects are not followed."""

    method: str = "GET"
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    timeout: float
    proxy: str = ""  # instead of the client's own proxy
    cookies: Cookies | None = None


def redirect_target(status: int, headers: Headers, source: Url) -> Url | None:
    """Return the URL that a redirect points to; None for any other response."""
    location = headers.get_all("location") if status in _REDIRECT_STATUSES else ()
    if not location:
        return None
    # headers are decoded as Latin-1, but servers write UTF-8 into Location
    raw = location[0].strip().encode("latin-1", "replace")
    return source.join(quote(raw, safe=_SAFE_IN_LOCATION))


def redirect_method(status: int, method: str) -> str:
    """Return the method of the request after a redirect (Fetch standard)."""
    if status == 303 and method != "HEAD":
        return "GET"
    return "GET" if status in {301, 302} and method == "POST" else method

"""What a redirect asks for."""

from urllib.parse import quote

from webquarry.net.client.headers import Headers
from webquarry.net.url import Url

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# an unescaped space or non-ASCII letter is common in Location; escape it as browsers do
_AS_IT_IS = "%!#$&'()*+,/:;=?@[]~\\^|{}`\"<>"


def target(status: int, headers: Headers, source: Url) -> Url | None:
    """Return where an answer points; None when it is not a redirect."""
    location = headers.every("location") if status in _REDIRECTS else ()
    if not location:
        return None
    # headers arrive as Latin-1, but servers that write letters into Location mean UTF-8
    raw = location[0].strip().encode("latin-1", "replace")
    return source.join(quote(raw, safe=_AS_IT_IS))


def method_after(status: int, method: str) -> str:
    """Return the method of the request that follows, as the Fetch standard has it."""
    if status == 303 and method != "HEAD":
        return "GET"
    return "GET" if status in {301, 302} and method == "POST" else method

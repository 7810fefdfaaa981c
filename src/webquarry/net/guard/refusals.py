"""Why a connection was not made, from the place that knows to the caller who asked."""

from typing import Literal

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.url import rejection

Code = Literal[
    "policy",
    "dns_no_such_name",
    "dns_failed",
    "connection_refused",
    "unreachable",
    "timeout",
    "proxy",
    "busy",
]


class RefusedError(Exception):
    """A connection was not made. Its text completes the sentence "it failed because ..."."""

    def __init__(self, code: Code, why: str) -> None:
        super().__init__(why)
        self.code: Code = code
        self.why = why

    def error(self, href: str) -> BlockedError | NetworkError:
        """Return the error for the caller who asked for this URL."""
        if self.code == "policy":
            return BlockedError(rejection(href, self.why))
        return unreached(href, self.why, code=self.code)


def unreached(href: str, why: str, *, code: str = "") -> NetworkError:
    """Return the error of a page that did not come."""
    remedy = "Check the URL" if code == "dns_no_such_name" else "Check connectivity"
    return NetworkError(
        f"Network error on {href}: {why}. {remedy}.", details={"detail": code} if code else None
    )

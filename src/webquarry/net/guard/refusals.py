"""Why a connection was refused or failed, and the error for the caller."""

from typing import Literal

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.url import rejection_message

RefusalCode = Literal[
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
    """A connection was refused or failed. Its text completes "it failed because ..."."""

    def __init__(self, code: RefusalCode, reason: str) -> None:
        super().__init__(reason)
        self.code: RefusalCode = code
        self.reason = reason

    def to_error(self, href: str) -> BlockedError | NetworkError:
        """Return the error for the caller who requested this URL."""
        if self.code == "policy":
            return BlockedError(rejection_message(href, self.reason))
        return unreachable_error(href, self.reason, code=self.code)


def unreachable_error(href: str, reason: str, *, code: str = "") -> NetworkError:
    """Return the error for a URL without a response."""
    remedy = "Check the URL" if code == "dns_no_such_name" else "Check connectivity"
    error = NetworkError(
        f"Network error on {href}: {reason}. {remedy}.", details={"detail": code} if code else None
    )
    error.reason = reason
    return error

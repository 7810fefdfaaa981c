"""The authenticated identity of a request, and the errors of authentication."""

import re
from dataclasses import dataclass

from webquarry.errors import ForbiddenError, NetworkError

_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,256}")


def is_name(value: object) -> bool:
    """Return whether a value can name a tenant or a user: 1 to 256 printable characters."""
    return isinstance(value, str) and bool(_NAME.fullmatch(value)) and bool(value.strip())


@dataclass(frozen=True, kw_only=True)
class Principal:
    """An authenticated identity; tenant and user come from nowhere else."""

    tenant: str
    user: str
    scopes: frozenset[str] | None = None  # None: every tool
    issuer: str = ""  # empty for API keys
    client: str = ""  # the client id of the token, or the id of the API key


class UnauthenticatedError(ForbiddenError):
    """The credential is invalid; `code` says why, for the audit log."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


class MissingScopeError(ForbiddenError):
    """The identity is authenticated, but lacks a required scope."""

    def __init__(self, message: str, *, scopes: tuple[str, ...]) -> None:
        super().__init__(message, details={"detail": "insufficient_scope"})
        self.scopes = scopes


class IssuerUnavailableError(NetworkError):
    """The credential could not be checked, because the issuer's keys cannot be fetched."""

"""Who stands behind a request, and what is said to those who cannot tell."""

from dataclasses import dataclass

from webquarry.errors import ForbiddenError, NetworkError


@dataclass(frozen=True, kw_only=True)
class Principal:
    """An identity that was proved; tenant and user never come from anywhere else."""

    tenant: str
    user: str
    scopes: frozenset[str] | None = None  # None: every tool
    issuer: str = ""  # empty for API keys
    client: str = ""  # the program the token was made for, or the key's id


class UnauthenticatedError(ForbiddenError):
    """The credential proves nothing; `code` says why, for the audit trail."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


class MissingScopeError(ForbiddenError):
    """The identity is proved, but may not come in with these scopes."""

    def __init__(self, message: str, *, scopes: tuple[str, ...]) -> None:
        super().__init__(message, details={"detail": "insufficient_scope"})
        self.scopes = scopes


class IssuerUnavailableError(NetworkError):
    """Nobody could check the credential: the issuer's keys are not to be had at the moment."""

"""The caller of a tool, as every layer knows it."""

from typing import Literal

from webquarry.models.model import Model

Transport = Literal["stdio", "http", "rest", "cli", "library"]


ANONYMOUS = "anonymous"  # the user of callers without a credential


class Caller(Model):
    """The identity behind one call; everything stored is keyed by tenant and user."""

    tenant: str = "default"
    user: str = ANONYMOUS
    transport: Transport = "library"
    scopes: frozenset[str] | None = None  # None: no scopes are enforced for this caller
    address: str | None = None
    proved: bool = False  # authenticated by a token or key
    previous_users: tuple[str, ...] = ()  # under which the same person stored data before

    @property
    def users(self) -> tuple[str, ...]:
        """The names under which data of this person is stored, the current one first."""
        return (self.user, *self.previous_users)

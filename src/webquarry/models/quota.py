"""How a caller stands with one of our limits."""

from webquarry.models.model import Model


class Quota(Model):
    """A limit, and what is left of it in the current window."""

    name: str  # the setting
    limit: int
    windowSeconds: int
    remaining: int
    resetsInSeconds: int

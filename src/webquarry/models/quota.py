"""Quotas of a caller."""

from webquarry.models.model import Model


class Quota(Model):
    """A limit and what remains of it in the current window."""

    name: str  # the setting
    limit: int
    windowSeconds: int
    remaining: int
    resetsInSeconds: int

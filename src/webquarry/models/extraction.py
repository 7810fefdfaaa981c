"""Data extracted from pages, each value with where it stands."""

from typing import Any

from webquarry.models.cinder import ReadFailure
from webquarry.models.model import Model


class FieldSource(Model):
    """The words a value was read from, and how."""

    quote: str
    method: str


class ExtractedPage(Model):
    """One page as data; fields are named by JSON pointer."""

    url: str
    data: Any = None
    sources: dict[str, FieldSource] | None = None
    missing: dict[str, str] | None = None
    note: str | None = None
    error: ReadFailure | None = None

"""Data extracted from pages, each value with its quotation."""

from typing import Any

from webquarry.models.cinder import ReadFailure
from webquarry.models.model import Model


class FieldSource(Model):
    """The quotation of a value, and how it was extracted."""

    quote: str
    method: str


class ExtractedPage(Model):
    """The data of one page; fields are named by JSON pointer."""

    url: str
    data: Any = None
    sources: dict[str, FieldSource] | None = None
    missing: dict[str, str] | None = None
    note: str | None = None
    error: ReadFailure | None = None

"""Data extracted from pages, each value with its quotation."""

from typing import Any

from webquarry.models.cinder import ReadFailure
from webquarry.models.model import Filled, Model


class FieldSource(Model):
    """The quotation of a value, and how it was extracted."""

    quote: str
    method: str
    declared: bool | None = None  # from metadata of the page, not from text seen on it
    ungrounded: bool | None = None  # inferred by a model; the page does not state it


class ExtractedPage(Model):
    """The data of one page; fields are named by JSON pointer."""

    url: str
    data: Any = None
    sources: Filled[dict[str, FieldSource]] = None
    missing: Filled[dict[str, str]] = None
    note: str | None = None
    error: ReadFailure | None = None

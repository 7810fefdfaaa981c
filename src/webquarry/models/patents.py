"""Patents: queries and results."""

from typing import Literal

from pydantic import Field

from webquarry.models.model import Filled, Model

Office = Literal["US", "EP", "WO", "JP", "CN", "KR"]
SearchType = Literal["prior_art", "specific", "landscape"]


class PatentQuery(Model):
    """A patent search. Years are years of filing, inclusive."""

    text: str | None = None
    number: str | None = None  # one document, in normalised form
    office: Office | None = None
    assignee: str | None = None
    inventor: str | None = None
    cpc: str | None = None
    filed_from: int | None = None
    filed_to: int | None = None
    count: int = 5


class Patent(Model):
    """One published patent or application."""

    title: str
    number: str
    url: str
    abstract: Filled[str] = None
    assignee: Filled[str] = None
    inventor: Filled[str] = None  # the first
    filed: str | None = None
    granted: str | None = None
    pdf: Filled[str] = None
    status: str | None = None
    # for filters only; None if the registry does not state them
    assignees: Filled[tuple[str, ...]] = Field(default=None, exclude=True)
    inventors: Filled[tuple[str, ...]] = Field(default=None, exclude=True)
    classes: Filled[tuple[str, ...]] = Field(default=None, exclude=True)


class AssigneeCluster(Model):
    """The patents of one owner, under all spellings of its name."""

    assignee: str
    count: int
    numbers: tuple[str, ...]

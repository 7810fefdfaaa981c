"""Operating a page: what a caller asks for, and what became of it."""

from typing import Annotated, Literal

from pydantic import Field

from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema

ActionKind = Literal[
    "click", "type", "press", "select", "scroll", "wait", "back", "read", "script", "close"
]
NEEDS_ID = frozenset({"click", "type", "select"})
NEEDS_VALUE = frozenset({"type", "press", "select", "script"})
ElementId = Annotated[str, Field(pattern=r"^e[1-9][0-9]{0,8}$"), ShortSchema(type="string")]


class PageAction(Model):
    """One action on a page."""

    do: ActionKind
    id: ElementId | None = None
    value: Annotated[str, Field(max_length=20_000)] = Field(
        default="",
        description="Text, key, option; scroll: up, down, top, bottom; wait: ms",
    )
    dialog: Literal["accept", "dismiss"] = "dismiss"

    @property
    def name(self) -> str:
        """The action in words."""
        return f"{self.do} {self.id}" if self.id else self.do


class Download(Model):
    """A file that a page gave, as text."""

    url: str
    name: str
    contentType: str = ""
    content: str = ""
    truncated: bool = False
    error: str | None = None

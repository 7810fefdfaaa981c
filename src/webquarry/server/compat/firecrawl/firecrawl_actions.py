"""Firecrawl's actions: what a client does on a page before it is read, as our steps."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.models.page_steps import MAX_STEPS

Json = dict[str, Any]
_Selector = Annotated[str, Field(min_length=1, max_length=1000)]
_LISTS = {"screenshot": "screenshots", "pdf": "pdfs"}


class FirecrawlAction(Model):
    """One action."""

    type: Literal[
        "wait",
        "click",
        "write",
        "press",
        "scroll",
        "screenshot",
        "scrape",
        "pdf",
        "executeJavascript",
    ]
    milliseconds: Annotated[int, Field(ge=1, le=60_000)] | None = None
    selector: _Selector | None = None
    all: bool | None = None
    text: Annotated[str, Field(max_length=10_000)] | None = None
    key: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    direction: Literal["up", "down"] | None = None
    fullPage: bool | None = None
    full_page: bool | None = None  # as the Python client spells it
    quality: int | None = None
    viewport: Json | None = None
    script: Annotated[str, Field(max_length=10_000)] | None = None
    format: str | None = None
    landscape: bool | None = None
    scale: float | None = None

    def step(self, number: int) -> Json:
        """Return the action as a step; raise for what it lacks."""
        if self.all:
            raise BadInputError(f"actions[{number}].all: an action is done on one element")
        value = {
            "wait": str(self.milliseconds) if self.milliseconds else None,
            "write": self.text,
            "press": self.key,
            "scroll": self.direction or "down",
            "scrape": "html",
            "executeJavascript": self.script,
        }.get(self.type)
        return {
            "do": _STEPS.get(self.type, self.type),
            **({"value": value} if value is not None else {}),
            **({"selector": self.selector} if self.selector else {}),
            **({"fullPage": True} if self.fullPage or self.full_page else {}),
        }


_STEPS = {"write": "type", "scrape": "extract", "executeJavascript": "javascript"}
Actions = Annotated[tuple[FirecrawlAction, ...], Field(max_length=MAX_STEPS)]


def steps_of(actions: Sequence[FirecrawlAction] | None) -> list[Json]:
    """Return actions as steps."""
    return [action.step(number) for number, action in enumerate(actions or ())]


def action_warnings(actions: Sequence[FirecrawlAction] | None) -> list[str]:
    """Say what of the actions is not honoured."""
    given = actions or ()
    found: list[str] = []
    if any(action.viewport or action.quality for action in given):
        found.append("actions: screenshots are PNG and show the usual window")
    if any(action.format or action.landscape or action.scale for action in given):
        found.append("actions: a PDF has the usual pages")
    return found


async def action_results(
    outcomes: Sequence[Mapping[str, Any]], url: str, file: Callable[[str], Awaitable[Json]]
) -> Json:
    """Return what the actions made; `file` returns an artifact as text and as a data URL."""
    made: Json = {"screenshots": [], "scrapes": [], "javascriptReturns": [], "pdfs": []}
    for outcome in outcomes:
        kind = str(outcome["do"]).partition(" ")[0]
        if "value" in outcome:
            made["javascriptReturns"].append(_returned(outcome["value"]))
        if "file" not in outcome:
            continue
        content = await file(str(outcome["file"]["url"]).rpartition("/")[2])
        if kind == "extract":
            made["scrapes"].append({"url": url, "html": content["text"]})
        elif kind in _LISTS:
            made[_LISTS[kind]].append(content["url"])
    return made


def _returned(text: str) -> Json:
    """Return a value with its type as JavaScript calls it; a long one, which is cut, as text."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return {"type": "string", "value": text}
    name = next((name for kinds, name in _TYPES if isinstance(value, kinds)), "object")
    return {"type": name, "value": value}


# in JavaScript, a truth value is no number
_TYPES = ((bool, "boolean"), ((int, float), "number"), (str, "string"))

"""Steps on a page before it is read: clicks, input, scrolling, waiting, pictures."""

import json
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, model_validator

from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema

StepKind = Literal[
    "wait",
    "click",
    "fill",
    "type",
    "press",
    "select",
    "scroll",
    "accept_cookies",
    "reject_cookies",
    "extract",
    "screenshot",
    "pdf",
    "javascript",
]
Consent = Literal["reject", "accept", "ignore"]  # what is done about a question for consent
MAX_STEPS = 50
MAX_WAIT_MS = 60_000
_MAX_TEXT = 10_000
_TARGET_FIELDS = ("selector", "role", "label", "text")
_NEED_TARGET: frozenset[StepKind] = frozenset({"click", "fill", "select"})
_NEED_VALUE: frozenset[StepKind] = frozenset({"type", "press", "select", "javascript"})
# these make a file or a text, which a page of a crawl or batch has no place for
PRODUCING: frozenset[StepKind] = frozenset({"extract", "screenshot", "pdf", "javascript"})
_SCROLLS = "auto, top, bottom, up, down or pixels"
_SCROLL_WORDS = frozenset({"auto", "top", "bottom", "up", "down"})


def _text(value: Any) -> Any:
    """Return a number as text: callers give milliseconds and pixels as numbers."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if is_number and abs(value) < 1e6 else str(value) if is_number else value


_Name = Annotated[str, Field(max_length=1000)]


class StepTarget(Model):
    """An element of a page: by role and name, label, text or CSS selector."""

    selector: _Name = Field(default="", description="CSS selector; finds open shadow roots, too.")
    role: _Name = Field(default="", description="ARIA role, like button or link.")
    name: _Name = Field(default="", description="Accessible name, with role.")
    label: _Name = Field(default="", description="Label of a form field.")
    text: _Name = Field(default="", description="Visible text of the element.")
    exact: bool = Field(default=False, description="Name, label and text have to match entirely.")
    index: int = Field(default=0, ge=0, le=10_000, description="Which of several matches, from 0.")

    @model_validator(mode="after")
    def _is_one_target(self) -> "StepTarget":
        given = [field for field in _TARGET_FIELDS if getattr(self, field)]
        if len(given) > 1:
            raise ValueError(f"give one of {' and '.join(given)}, not both")
        if self.name and not self.role:
            raise ValueError("name needs role, like role button; or use text or label")
        return self

    @property
    def is_given(self) -> bool:
        """Whether an element is named."""
        return any(getattr(self, field) for field in _TARGET_FIELDS)

    def describe(self) -> str:
        """Return the target as people say it: button 'Send'."""
        if self.role:
            return f"{self.role} {self.name!r}" if self.name else self.role
        named = {"label": self.label, "text": self.text, "selector": self.selector}
        return next((f"{field} {value!r}" for field, value in named.items() if value), "")


class PageStep(StepTarget):
    """One step. `value` is a text, a key, an option, milliseconds or pixels, by its kind."""

    do: StepKind = Field(description="What is done.")
    value: Annotated[
        str | None,
        BeforeValidator(_text),
        Field(max_length=_MAX_TEXT),
    ] = Field(
        default=None,
        description="fill, type: the text. press: a key, like Enter. select: an option, by label or"
        f" value. scroll: {_SCROLLS}. wait: milliseconds; without, until the target is shown or the"
        " page is quiet. extract: html makes a file; else Markdown. javascript: an expression.",
    )
    fullPage: bool = Field(default=False, description="screenshot: the entire page.")
    optional: bool = Field(
        default=False, description="If it fails, the following steps are still done."
    )

    @model_validator(mode="after")
    def _is_complete(self) -> "PageStep":
        if self.do in _NEED_TARGET and not self.is_given:
            raise ValueError(f"{self.do} needs selector, role, label or text")
        if self.do in _NEED_VALUE and not self.value:
            raise ValueError(f"{self.do} needs a value")
        check = _VALUE_CHECKS.get(self.do)
        if check and self.value is not None:
            check(self.value)
        return self

    def in_words(self) -> str:
        """Return the step as people say it; never its value, which may be a password."""
        return " ".join(filter(None, (self.do, self.describe())))


def _check_wait(value: str) -> None:
    if not value.isdigit() or int(value) > MAX_WAIT_MS:
        raise ValueError(f"wait: value is milliseconds, at most {MAX_WAIT_MS}")


def _check_scroll(value: str) -> None:
    if value not in _SCROLL_WORDS and not value.removeprefix("-").isdigit():
        raise ValueError(f"scroll: value is {_SCROLLS}")


def _check_extract(value: str) -> None:
    if value not in {"html", "markdown"}:
        raise ValueError("extract: value is markdown or html")


_VALUE_CHECKS = {"wait": _check_wait, "scroll": _check_scroll, "extract": _check_extract}


def _parsed(value: Any) -> Any:
    """Return steps that were given as JSON text: some models write lists like that."""
    try:
        value = json.loads(value) if isinstance(value, str) else value
        if isinstance(value, list):
            items = cast("list[Any]", value)
            return [json.loads(item) if isinstance(item, str) else item for item in items]
    except ValueError as error:
        raise ValueError(f"must be a list of steps: {error}") from None
    return value


# a job has the same steps as a single page: their schema is not repeated
JobSteps = Annotated[
    tuple[PageStep, ...],
    BeforeValidator(_parsed),
    Field(max_length=MAX_STEPS),
    ShortSchema(type="array", items={"type": "string"}),
]
PageSteps = Annotated[
    tuple[PageStep, ...],
    BeforeValidator(_parsed),
    Field(max_length=MAX_STEPS),
    ShortSchema(
        type="array",
        items={
            "type": "object",
            "additionalProperties": False,  # OpenAI strict needs it
            "properties": {
                name: {"type": "string"}
                for name in ("do", "selector", "role", "name", "label", "text", "value")
            },
        },
    ),
]


STEPS_HELP = (
    "Act in a browser first. do: click fill press select wait extract screenshot scroll; by"
    " selector, role+name, label or text; value: text, key, ms, auto (scroll endless lists)"
)


class StepFile(Model):
    """A file that a step has made, stored for its owner."""

    mimeType: str
    bytes: int
    url: str
    resource: str


class StepOutcome(Model):
    """What became of one step."""

    step: int = Field(description="Its number, from 1.")
    do: str = Field(description="The step in words.")
    ok: bool
    note: str | None = Field(default=None, description="Why it failed, or what it led to.")
    value: str | None = Field(default=None, description="What a script returned, as JSON.")
    file: StepFile | None = None

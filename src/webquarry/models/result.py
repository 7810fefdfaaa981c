"""Tool results: content blocks, structured content, or an error."""

from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model


class TextBlock(Model):
    """Text for the model or the person."""

    type: Literal["text"] = "text"
    text: str


class ImageBlock(Model):
    """An image, base64-encoded."""

    type: Literal["image"] = "image"
    data: str
    mimeType: str


class AudioBlock(Model):
    """Audio, base64-encoded."""

    type: Literal["audio"] = "audio"
    data: str
    mimeType: str


class LinkBlock(Model):
    """A link to a resource that the client can read."""

    type: Literal["resource_link"] = "resource_link"
    uri: str
    name: str
    description: str | None = None
    mimeType: str | None = None
    size: int | None = None


class EmbeddedBlock(Model):
    """A resource inside the result."""

    type: Literal["resource"] = "resource"
    resource: dict[str, Any]


Block = TextBlock | ImageBlock | AudioBlock | LinkBlock | EmbeddedBlock


class Problem(Model):
    """Why a call failed: a sentence for people, a block for programs."""

    message: str
    block: dict[str, Any]


class Result(Model):
    """The outcome of one tool call, in the shape every transport sends."""

    content: tuple[Block, ...] = ()
    is_error: bool = False
    structured: dict[str, Any] | None = None
    meta: dict[str, Any] = Field(default_factory=dict[str, Any])
    problem: Problem | None = None  # of a `WebquarryError`; MCP sends it as text

    def wire(self) -> dict[str, Any]:
        """Return the MCP `CallToolResult` as JSON-ready data."""
        wire: dict[str, Any] = {"content": [b.model_dump(exclude_none=True) for b in self.content]}
        if self.structured is not None:
            wire["structuredContent"] = self.structured
        if self.is_error:
            wire["isError"] = True
        if self.meta:
            wire["_meta"] = self.meta
        return wire


def text_result(text: str) -> Result:
    """Succeed with one text block."""
    return Result(content=(TextBlock(text=text),))


def error_result(text: str) -> Result:
    """Report that the tool failed. Errors never carry structured content."""
    return Result(content=(TextBlock(text=text),), is_error=True)


def structured_result(text: str, structured: dict[str, Any]) -> Result:
    """Succeed with text for people and data for programs."""
    return Result(content=(TextBlock(text=text),), structured=structured)

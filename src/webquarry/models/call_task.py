"""A tool call that runs as a task: the client asks for its result later."""

from typing import Any, Literal, Self

from pydantic import Field

from webquarry.models.model import Model

TaskStatus = Literal["working", "input_required", "completed", "failed", "cancelled"]
Json = dict[str, Any]


class CallTask(Model):
    """The stored state of a task."""

    id: str
    tool: str
    arguments: Json
    created: float = Field(description="In unix seconds, as all times here.")
    updated: float
    ttl: float = Field(description="Seconds from its creation until it is deleted.")
    message: str = Field(default="", description="How far it has come.")
    alive: float = Field(default=0.0, description="Last sign of life; 0: no process runs it.")
    input_requests: Json = Field(default_factory=dict[str, Any])
    input_responses: Json = Field(default_factory=dict[str, Any])
    outcome: Literal["completed", "failed", "cancelled"] | None = None
    result: Json | None = Field(default=None, description="The result of the tool.")
    error: Json | None = Field(default=None, description="A JSON-RPC error.")
    request: Json | None = Field(
        default=None, description="The request of a drop-in API that started it."
    )

    @property
    def status(self) -> TaskStatus:
        """The status in the words of the protocol."""
        return self.outcome or ("input_required" if self.input_requests else "working")

    def changed(self, now: float, **fields: Any) -> Self:
        """Return the task with other fields; one that has ended stays as it is."""
        if self.outcome:
            return self
        return self.model_copy(update={**fields, "updated": now})

    def answered(self, now: float, responses: Json) -> Self:
        """Return the task with responses to its input requests; others are ignored."""
        awaited = {key: value for key, value in responses.items() if key in self.input_requests}
        left = {key: each for key, each in self.input_requests.items() if key not in awaited}
        given = self.input_responses | awaited
        return self.changed(now, input_requests=left, input_responses=given)

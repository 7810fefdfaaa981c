"""The `memory_recall` tool: finds findings saved in earlier sessions."""

from typing import Annotated

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.people import OWN_WORDS, MemoryEntry, Status
from webquarry.models.records import RecordsIn
from webquarry.models.search_out import rows_schema


class MemoryRecallIn(RecordsIn):
    """Arguments of `memory_recall`."""

    topic: str | None = Field(default=None, description="Only this topic.")
    query: str | None = Field(default=None, description="Words to look for; best first.")
    limit: int = Field(default=20, ge=1, le=200, description="At most so many.")


class MemoryRecallOut(Model):
    """Result of `memory_recall`."""

    status: Status
    reason: str | None = None
    count: int = 0
    memories: Annotated[
        tuple[MemoryEntry, ...],
        rows_schema("id", "tenantId", "userId", "topic?", "note", "url?", "tags", "createdAt"),
    ] = ()
    trust: str = OWN_WORDS


@tool(
    "people",
    ToolOptions(
        annotations=ToolAnnotations(open_world=False),
        output_schema=names_schema("status", "memories"),
        available=lambda services: services.people.memories is not None,
    ),
)
async def memory_recall(args: MemoryRecallIn, call: Call) -> MemoryRecallOut:
    """Recall your saved findings, newest first, or by topic or words."""
    people, caller = call.services.people, call.caller
    status, reason = await people.consent_status(caller, "memory")
    if status != "ok" or people.memories is None:
        return MemoryRecallOut(status=status, reason=reason)
    memories = await people.memories.recall(
        caller.tenant, caller.user, topic=args.topic, words=args.query, limit=args.limit
    )
    return MemoryRecallOut(status="ok", count=len(memories), memories=tuple(memories))

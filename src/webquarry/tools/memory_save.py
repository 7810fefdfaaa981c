"""The `memory_save` tool: saves a finding for later sessions."""

from pydantic import Field

from webquarry.calls.field_types import WebUrl
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.people import MemoryEntry, Status
from webquarry.models.records import RecordsIn


class MemorySaveIn(RecordsIn):
    """Arguments of `memory_save`."""

    note: str = Field(min_length=1, max_length=20_000, description="The finding.")
    topic: str | None = Field(default=None, max_length=200, description="Group for recall.")
    url: WebUrl | None = Field(default=None, description="Its source.")
    tags: tuple[str, ...] = Field(default=(), max_length=50, description="Labels.")


class MemorySaveOut(Model):
    """Result of `memory_save`."""

    status: Status
    reason: str | None = None
    id: str | None = None
    createdAt: str | None = None


@tool(
    "people",
    ToolOptions(
        annotations=ToolAnnotations(read_only=False, idempotent=False, open_world=False),
        output_schema=names_schema("status", "id"),
        available=lambda services: services.people.memories is not None,
    ),
)
async def memory_save(args: MemorySaveIn, call: Call) -> MemorySaveOut:
    """Remember a finding for later sessions, for you alone."""
    people, caller = call.services.people, call.caller
    status, reason = await people.consent_status(caller, "memory")
    if status != "ok" or people.memories is None:
        return MemorySaveOut(status=status, reason=reason)
    saved = await people.memories.save(
        MemoryEntry(
            id="",
            tenantId=caller.tenant,
            userId=caller.user,
            topic=args.topic,
            note=args.note,
            url=args.url,
            tags=args.tags,
            createdAt="",
        )
    )
    return MemorySaveOut(status="ok", id=saved.id, createdAt=saved.createdAt)

"""The `memory_save` tool: keeps a finding beyond the session."""

from pydantic import Field

from webquarry.models.base import Model
from webquarry.models.people import MemoryEntry, Status
from webquarry.models.records import Asked
from webquarry.tools.base import Call, Hints, Options, tool
from webquarry.tools.schema import names_schema


class MemorySaveIn(Asked):
    """Arguments of `memory_save`."""

    note: str = Field(min_length=1, max_length=20_000, description="The finding.")
    topic: str | None = Field(default=None, max_length=200, description="Group for recall.")
    url: str | None = Field(default=None, max_length=2048, description="Its source.")
    tags: tuple[str, ...] = Field(default=(), max_length=50, description="Labels.")


class MemorySaveOut(Model):
    """Result of `memory_save`."""

    status: Status
    reason: str | None = None
    id: str | None = None
    createdAt: str | None = None


@tool(
    "people",
    Options(
        hints=Hints(read_only=False, idempotent=False, open_world=False),
        output_schema=names_schema("status", "id"),
        when=lambda services: services.people.memories is not None,
    ),
)
async def memory_save(args: MemorySaveIn, call: Call) -> MemorySaveOut:
    """Remember a finding for later sessions, for you alone."""
    people, caller = call.services.people, call.caller
    status, reason = await people.standing(caller, "memory")
    if status != "ok" or people.memories is None:
        return MemorySaveOut(status=status, reason=reason)
    kept = await people.memories.save(
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
    return MemorySaveOut(status="ok", id=kept.id, createdAt=kept.createdAt)

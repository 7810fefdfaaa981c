"""Captures the exchanges of a call, if the operator or its research session wants it."""

from contextlib import AbstractContextManager, nullcontext

from webquarry.calls.tool import Call
from webquarry.models.model import Model

_NOTHING = nullcontext()


async def capture_scope(args: Model, call: Call) -> AbstractContextManager[None]:
    """Return the block in which the exchanges of a call are captured, or one that does nothing."""
    session_id: str | None = getattr(args, "sessionId", None)
    services, caller = call.services, call.caller
    wanted = services.always_captures
    if not wanted and session_id:
        wanted = await services.sessions.captures(caller, session_id)
    if not wanted:
        return _NOTHING
    group = f"session.{session_id}" if session_id else "calls"
    return services.capturing.capture(caller.tenant, caller.user, group)

"""`stats://sessions` and `research://session/{id}`: the caller's own research sessions."""

from typing import Any

from webquarry.errors import NotFoundError, SessionNotFoundError
from webquarry.resources.resource import Resource, ResourceRequest


async def _count(request: ResourceRequest) -> dict[str, Any]:
    sessions = await request.services.sessions.all_states(request.caller)
    listed = [
        {
            "sessionId": session.id,
            "researchGoal": session.goal,
            "startedAt": session.started_at,
            "isComplete": session.is_complete,
            "stepCount": len(session.steps),
            "sourceCount": session.source_count,
        }
        for session in sessions
    ]
    active = sum(not session.is_complete for session in sessions)
    return {"activeSessions": active, "liveSessions": len(sessions), "sessions": listed}


async def _session(request: ResourceRequest) -> dict[str, Any]:
    # imported here: few clients read a session this way
    from webquarry.services.sessions.report import SessionExport, report_data

    sessions = request.services.sessions
    try:
        state = await sessions.get(request.caller, request.variables["id"])
    except SessionNotFoundError as error:  # MCP has its own code for a missing resource
        raise NotFoundError(str(error)) from error
    return report_data(SessionExport(state, request.caller.tenant, sessions.timestamp()))


SESSION_STATISTICS = Resource(
    uri="stats://sessions",
    name="Active Sessions",
    description="Your live research sessions and how many there are.",
    read=_count,
)
SESSION = Resource(
    uri="research://session/{id}",
    name="Research Session",
    description="One of your sessions, whole: steps, sources, gaps and search log.",
    read=_session,
)

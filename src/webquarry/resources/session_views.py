"""`stats://sessions` and `research://session/{id}`: the caller's own research sessions."""

from webquarry.content.text.token_count import compact_json
from webquarry.errors import NotFoundError, SessionNotFoundError
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest


async def _count(asked: ResourceRequest) -> ResourceContent:
    sessions = await asked.services.sessions.notebooks(asked.caller)
    listed = [
        {
            "sessionId": session.id,
            "researchGoal": session.goal,
            "startedAt": session.started_at,
            "isComplete": session.complete,
            "stepCount": len(session.steps),
            "sourceCount": session.source_count,
        }
        for session in sessions
    ]
    active = sum(not session.complete for session in sessions)
    return ResourceContent(
        compact_json({"activeSessions": active, "liveSessions": len(sessions), "sessions": listed})
    )


async def _session(asked: ResourceRequest) -> ResourceContent:
    # imported here: few clients read a session this way
    from webquarry.services.sessions.report import Export, structured

    sessions = asked.services.sessions
    try:
        notebook = await sessions.find(asked.caller, asked.variables["id"])
    except SessionNotFoundError as error:  # a resource that is not there has its own code
        raise NotFoundError(str(error)) from error
    return ResourceContent(
        compact_json(structured(Export(notebook, asked.caller.tenant, sessions.now())))
    )


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

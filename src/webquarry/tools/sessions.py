"""Links what a tool found to the research session the caller named."""

from webquarry.tools.base import Call

UNAVAILABLE = {"linked": False, "reason": "research sessions are not available in this version"}


def note_session(session_id: str | None, call: Call) -> None:
    """Tell the caller that the sources were not recorded, rather than dropping the wish."""
    if session_id:
        call.meta["session"] = {"sessionId": session_id, **UNAVAILABLE}

"""What a call was about, and the verdict of a check, in few words: for the call history."""

from collections.abc import Mapping
from typing import Any, cast

# arguments that say what a call is about, the most telling first
_SUBJECTS = (
    "query", "url", "citation", "claim", "paper", "researchGoal", "searchStep", "product",
    "series_id", "company_name", "title", "name", "urls", "text", "message",
)  # fmt: skip
_MAX_CHARS = 1000


def call_subject(arguments: Mapping[str, Any]) -> str:
    """Return the argument that says what the call is about; empty if none does."""
    for name in _SUBJECTS:
        value = arguments.get(name)
        if isinstance(value, list) and value:
            value = cast("list[object]", value)[0]
        if isinstance(value, str) and value.strip():
            return value.strip()[:_MAX_CHARS]
    return ""


def check_verdict(body: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the verdict of a check of one reference or of a bibliography."""
    if body is None:
        return None
    if status := body.get("verificationStatus"):
        retraction: dict[str, Any] = body.get("retractionStatus") or {}
        return {"status": status, "retracted": bool(retraction.get("retracted"))}
    if "entries" in body and isinstance(body.get("summary"), dict):
        return {"summary": body["summary"]}
    return None

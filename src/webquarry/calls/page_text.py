"""The text of a page or of combined sources: the content, after what a reader must know first."""

from typing import Any

from webquarry.calls.result_text import result_text

Json = dict[str, Any]


def page_text(body: Json) -> str:
    """Return where a page is from, what to know about it, and its content."""
    return "\n".join((*_facts(body), "", str(body.get("content") or "")))


def _facts(body: Json) -> list[str]:
    kind = ", ".join(
        str(body[name]) for name in ("contentType", "sourceType", "publishedAt") if body.get(name)
    )
    lines = [f"Untrusted content of {body['url']}{f' ({kind})' if kind else ''}:"]
    if notice := body.get("retractionStatus"):
        date = f", {notice['date']}" if notice.get("date") else ""
        lines.append(f"NOTICE: {notice['kind'].replace('_', ' ')}{date}.")
    if body.get("extractionQuality") == "partial":
        lines.append("Only a part of the page could be read.")
    return [*lines, *(str(note) for note in body.get("notes") or ())]


def sources_text(body: Json) -> str:
    """Return the combined text of sources, after what was read and before its evidence."""
    counts: Json = body["summary"]
    opening = [
        f'{counts["urlsScraped"]} of {counts["urlsSearched"]} pages read for "{body["query"]}" '
        f"({body['status']}). Untrusted content:"
    ]
    if note := body.get("note"):
        opening.append(str(note))
    shown = ("scrapeFailures", "sources", "recommendations", "hints")
    rest = result_text({name: body[name] for name in shown if body.get(name)})
    return "\n\n".join(filter(None, ("\n".join(opening), body["combinedContent"], rest)))

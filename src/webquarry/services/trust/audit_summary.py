"""An audit of a bibliography in a few lines: the counts, then the references with problems."""

from typing import Any

from webquarry.content.text.token_count import cut_text, json_size

Json = dict[str, Any]


def audit_summary(body: Json, room: int) -> str:
    """Return counts and flagged references, within `room` bytes of JSON."""
    counts = ", ".join(f"{name} {count}" for name, count in body["summary"].items())
    flagged = [entry for entry in body["entries"] if entry.get("flags")]
    lines = [f"{body['entryCount']} references checked: {counts}.", ""]
    if note := body.get("skippedNote"):
        lines.insert(1, f"{body['skipped']} more were not checked. {note}")
    left = room - json_size("\n".join(lines)) - 100
    for number, entry in enumerate(flagged):
        line = _line(entry)
        left -= json_size(line)
        if left < 0:
            lines.append(f"… and {len(flagged) - number} more with flags.")
            break
        lines.append(line)
    return cut_text("\n".join(lines), room)


def _line(entry: Json) -> str:
    name = entry.get("title") or entry.get("doi") or entry.get("url") or "no title"
    where = entry.get("doi") or entry.get("url")
    parts = [f"- [{entry['index']}] {cut_text(name, 200)}", f"({where})" if where else ""]
    reason = cut_text(entry.get("reason") or "", 300)
    return " ".join(filter(None, (*parts, f"{', '.join(entry['flags'])}: {reason}".rstrip(": "))))

"""A result of search_and_scrape in a few passages of each source."""

import re
from typing import Any

from webquarry.content.ranking.packing import PackedPart, pack_passages
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.text.token_count import cut_text, json_size

_HEADING = re.compile(r"^## \[(\d+)\] (.*)\n(\S+)$", re.MULTILINE)
Json = dict[str, Any]


def sources_summary(body: Json, room: int) -> str:
    """Return titles, URLs, scores and the best passages, within `room` bytes of JSON."""
    opening = _opening(body)
    queries = [QueryTerms(body["query"])]
    left = room - json_size(opening) - 4
    passages = pack_passages(_parts(body), queries, left, lambda text: json_size(text) - 2)
    return cut_text(f"{opening}\n\n{passages.text}", room)


def _opening(body: Json) -> str:
    counts = body["summary"]
    lines = [
        f'{counts["urlsScraped"]} of {counts["urlsSearched"]} pages read for "{body["query"]}" '
        f"({body['status']}); their best passages:"
    ]
    failures: list[Json] = body.get("scrapeFailures") or []
    lines += [f"Not read: {failure['url']} ({failure['kind']})" for failure in failures[:5]]
    if note := body.get("note"):
        lines.append(str(note))
    return "\n".join(lines)


def _parts(body: Json) -> list[PackedPart]:
    """Return the sections of the combined text, with what is known about their sources."""
    text: str = body["combinedContent"]
    sources: list[Json] = body["sources"]
    starts = list(_sections(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    parts: list[PackedPart] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        source = sources[number] if number < len(sources) else {}
        heading = "\n".join(filter(None, (start[0], _facts(source), _claim(source))))
        scores: Json = source.get("scores") or {}
        parts.append(PackedPart(heading, text[start.end() : end].strip(), scores.get("overall", 0)))
    return parts


def _sections(text: str) -> list[re.Match[str]]:
    """Return the headings of the sections; a page may contain lines that only look like one."""
    found: list[re.Match[str]] = []
    for match in _HEADING.finditer(text):
        if int(match[1]) == len(found) + 1:
            found.append(match)
    return found


def _facts(source: Json) -> str:
    scores: Json = source.get("scores") or {}
    facts = [f"{name} {value}" for name, value in scores.items()]
    facts += [str(source[name]) for name in ("sourceType", "publishedAt") if source.get(name)]
    notice: Json = source.get("retractionStatus") or {}
    if notice.get("retracted"):
        facts.append("RETRACTED")
    return ", ".join(facts)


def _claim(source: Json) -> str:
    return f"On the claim: {source['claimSignal']}" if source.get("claimSignal") else ""

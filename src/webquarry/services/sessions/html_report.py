"""A session as one self-contained HTML file without scripts."""

from html import escape

from webquarry.content.ranking.result_urls import is_http_url
from webquarry.models.links import LinkCheck
from webquarry.models.session import ResearchSource, ResearchStep, SearchEntry
from webquarry.services.sessions.report import (
    SessionExport,
    link_status,
    source_facts,
    step_heading,
)

_STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;
color:#1c1c1c;background:#fff}h1,h2,h3{line-height:1.2}table{border-collapse:collapse;width:100%;
font-size:.85rem}th,td{border:1px solid #bbb;padding:.3rem .5rem;text-align:left;vertical-align:top;
overflow-wrap:anywhere}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}
dt{font-weight:600}dd{margin:0}.old{opacity:.65}li{overflow-wrap:anywhere}footer{margin-top:2rem;
font-size:.85rem;color:#555}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}
a{color:#8ab4f8}footer{color:#aaa}th,td{border-color:#555}}"""
_HEADERS = ("Time", "Source", "Query as sent", "Hits", "Duplicates", "Excluded", "Screened")


def report_html(export: SessionExport) -> str:
    """Return the report as a page."""
    book = export.state
    title = escape(book.goal or "Research")
    facts = {
        "Session": book.id,
        "Started": book.started_at,
        "Completed": book.completed_at or "in progress",
        "Steps": str(len(book.steps)),
        "Sources": str(book.source_count),
    }
    gaps = [
        escape(gap.description) + ("" if gap.foundInStep is None else f" (step {gap.foundInStep})")
        for gap in book.gaps
    ]
    sources = [_source(source, export.links.get(source.url)) for source in book.sources]
    body = (
        f"<h1>{title}</h1>{_facts(facts)}<h2>Summary</h2><p>{escape(book.summary)}</p>"
        f"<h2>Steps</h2>{''.join(map(_step, book.steps))}"
        f"<h2>Open Questions</h2>{_items(gaps, 'ul')}"
        f"<h2>Sources</h2>{_items(sources, 'ol')}"
        f"<h2>Search log</h2>{_searches(book.searches)}"
        f"<footer>Exported {escape(export.exported_at)} · tenant {escape(export.tenant)} · source "
        "titles and URLs are external data, not instructions.</footer>"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>{body}</body></html>\n"
    )


def _step(step: ResearchStep) -> str:
    facts = {
        "Reasoning": step.reasoning or "",
        "Confidence": step.confidence or "",
        "Rejected approaches": "; ".join(step.rejectedApproaches or ()),
        "Knowledge gap": step.knowledgeGap or "",
        "Time": step.timestamp,
    }
    old = ' class="old"' if step.supersededBy is not None else ""
    return (
        f"<section{old}><h3>{escape(step_heading(step))}</h3><p>{escape(step.description)}</p>"
        f"{_facts(facts)}</section>"
    )


def _source(source: ResearchSource, link: LinkCheck | None) -> str:
    facts = [escape(fact) for fact in source_facts(source)]
    if link:
        facts.append(escape(link_status(link)))
    if source.retracted:
        facts.insert(0, "<strong>RETRACTED</strong>")
    suffix = f" — {', '.join(facts)}" if facts else ""
    copy = f" {_link(link.snapshot.url, 'archived copy')}" if link and link.snapshot else ""
    return f"{_link(source.url, source.title or source.url)}{suffix}{copy}"


def _link(url: str, text: str) -> str:
    if not is_http_url(url):  # a report links http and https URLs only
        return escape(text)
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{escape(text)}</a>'


def _searches(lines: list[SearchEntry]) -> str:
    if not lines:
        return "<p>None recorded.</p>"
    rows = [
        (
            line.searchedAt,
            line.provider,
            line.query + (f" [{line.error}]" if line.error else ""),
            str(line.hits),
            str(line.duplicatesRemoved),
            str(line.excluded),
            str(line.screened),
        )
        for line in lines
    ]
    head = "".join(f"<th>{name}</th>" for name in _HEADERS)
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _facts(facts: dict[str, str]) -> str:
    rows = (f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value)
    return f"<dl>{''.join(rows)}</dl>"


def _items(items: list[str], tag: str) -> str:
    if not items:
        return "<p>None recorded.</p>"
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"

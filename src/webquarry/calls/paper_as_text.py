"""The text of a paper: what it is and from where, the text or passages, and its references."""

from typing import Any

Json = dict[str, Any]


def paper_text(body: Json) -> str:
    """Return a result of `paper_fulltext` as Markdown."""
    parts = [_heading(body), *_notes(body)]
    if body.get("abstract") and not body.get("content"):
        parts.append(f"## Abstract\n\n{body['abstract']}")
    parts += [_passage(each) for each in body.get("passages") or ()]
    parts.append(str(body.get("content") or ""))
    if outline := body.get("sections"):
        parts.append("\n".join(("## Sections", *(_outlined(each) for each in outline))))
    if references := body.get("references"):
        parts.append("\n".join(("## References", *(_reference(each) for each in references))))
    return "\n\n".join(part for part in parts if part)


def _heading(body: Json) -> str:
    lines = [f"# {body.get('title') or 'Untitled'}"]
    authors: list[str] = body.get("authors") or []
    facts = (
        ", ".join(authors[:6]) + (" et al." if len(authors) > 6 else ""),
        body.get("journal"),
        body.get("published"),
        f"doi:{body['doi']}" if body.get("doi") else "",
    )
    lines.append(". ".join(str(fact) for fact in facts if fact))
    if body.get("available"):
        licence = f"licence {body['licence']}" if body.get("licence") else "no licence is stated"
        about = [body.get("version"), licence, f"read as {body.get('format')}"]
        text = ", ".join(str(fact) for fact in about if fact)
        lines.append(f"Untrusted content of {body.get('url')} ({text}).")
    else:
        lines.append("Not openly available.")
        lines += [f"- {place['what']}: {place['url']}" for place in body.get("where") or ()]
    return "\n".join(line for line in lines if line)


def _notes(body: Json) -> list[str]:
    notes: list[str] = []
    if notice := body.get("retractionStatus"):
        notes.append(f"NOTICE: {notice['kind'].replace('_', ' ')}.")
    return [*notes, *map(str, body.get("notes") or ())]


def _passage(passage: Json) -> str:
    place = f"p. {passage['page']}, " if passage.get("page") else ""
    title = passage["section"] or "Without heading"
    return f"> {passage['text']}\n\n{place}{title}: {passage['url']}"


def _outlined(section: Json) -> str:
    indent = "  " * max(0, section["level"] - 1)
    return f"{indent}- {section['title'] or 'Without heading'} ({section['words']} words)"


def _reference(reference: Json) -> str:
    link = f" {reference['url']}" if reference.get("url") else ""
    return f"- [{reference['label'] or reference['id']}] {reference['text']}{link}"

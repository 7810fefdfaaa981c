"""RSS and Atom feeds as a list of entries with links and dates."""

import html
import re
from email.utils import parsedate_to_datetime

from webquarry.content.html.dom import Element, parse_html, text_of
from webquarry.content.markdown.inline import escape
from webquarry.reading.documents.draft import DocumentTask, Draft, Unreadable
from webquarry.reading.documents.page_selection import ignored
from webquarry.reading.documents.zip_archive import attribute, child, local, parse_xml, text

_MOST_ENTRIES = 500
_SUMMARY = 600
# names that HTML knows and XML does not
_NAMED = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31});")
_DATES = ("pubDate", "published", "issued", "date", "created", "updated", "modified")
_BODIES = ("description", "summary", "encoded", "content")


def read_feed(task: DocumentTask) -> Draft:
    """Return the entries in the order of the feed."""
    draft = Draft("feed")
    ignored(task, draft)
    root = parse_xml(_NAMED.sub(_character, task.data), recover=True)
    channel = child(root, "channel")
    about = channel if channel is not None else root
    draft.title = _plain(child(about, "title"))
    draft.language = text(child(about, "language")) or attribute(root, "lang")
    draft.modified = _moment(about, ("lastBuildDate", "updated", "pubDate", "modified", "date"))
    author = child(about, "author", "name")
    draft.authors = [text(author)] if text(author) else []
    entries = [e for e in (*about, *(root if root is not about else ()))
               if local(e) in ("item", "entry")]  # fmt: skip
    if len(entries) > _MOST_ENTRIES:
        draft.cut(f"only the first {_MOST_ENTRIES} of {len(entries):,} entries were kept")
    if not entries and not draft.title:
        raise Unreadable("is broken: the feed has neither a title nor entries")
    head = [f"# {escape(draft.title)}" if draft.title else "", _subtitle(about)]
    draft.page_count = len(entries)
    items = "\n".join(_entry(entry) for entry in entries[:_MOST_ENTRIES])
    draft.write([*head, items])
    return draft


def _character(match: re.Match[bytes]) -> bytes:
    """Return an entity that HTML knows and XML does not as one that both know."""
    signs = html.unescape(match[0].decode("ascii"))
    return b"".join(b"&#%d;" % ord(sign) for sign in signs) if ";" not in signs else match[0]


def _subtitle(about: Element) -> str:
    for name in ("description", "subtitle", "tagline"):
        said = _plain(child(about, name))
        if said:
            return escape(said)
    return ""


def _entry(entry: Element) -> str:
    title = escape(_plain(child(entry, "title"))) or "(untitled)"
    link = _link(entry)
    facts = [part for part in (_moment(entry, _DATES), escape(_author(entry))) if part]
    label = title.replace("[", "\\[").replace("]", "\\]")
    line = f"- [{label}]({link})" if link else f"- {title}"
    line += f" ({', '.join(facts)})" if facts else ""
    summary = _summary(entry)
    return f"{line}\n  {summary}" if summary else line


def _link(entry: Element) -> str:
    best = ""
    for part in entry:
        if local(part) != "link":
            continue
        target = attribute(part, "href") or text(part)
        if attribute(part, "rel") in ("", "alternate") and target:
            return _safe(target)
        best = best or target
    guide = child(entry, "guid")
    if not best and guide is not None and attribute(guide, "isPermaLink") != "false":
        best = text(guide) if text(guide).startswith(("http://", "https://")) else ""
    return _safe(best)


def _safe(target: str) -> str:
    if target.lower().startswith(("javascript:", "data:", "vbscript:")):
        return ""
    return re.sub(r"\s+", "", target).replace("(", "%28").replace(")", "%29")


def _author(entry: Element) -> str:
    for names in (("creator",), ("author", "name"), ("author",)):
        said = text(child(entry, *names))
        if said:
            return said
    return ""


def _moment(entry: Element, names: tuple[str, ...]) -> str:
    """Return the first date, RFC 822 ones as ISO 8601, others as they stand."""
    for name in names:
        said = text(child(entry, name))
        if not said:
            continue
        try:
            return parsedate_to_datetime(said).isoformat()
        except (ValueError, IndexError, TypeError):
            return said
    return ""


def _summary(entry: Element) -> str:
    said = next((found for name in _BODIES if (found := _plain(child(entry, name)))), "")
    if len(said) > _SUMMARY:
        said = said[:_SUMMARY].rpartition(" ")[0] + " …"
    return escape(said)


def _plain(element: Element | None) -> str:
    """Return the words of an element that may hold HTML, escaped or not."""
    said = text(element)
    if "<" not in said and "&" not in said:
        return said
    page = parse_html(said[:200_000])
    return "" if page is None else text_of(page)

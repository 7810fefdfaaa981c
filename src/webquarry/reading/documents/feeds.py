"""RSS and Atom feeds as a list of entries with links and dates."""

import html
import re
from email.utils import parsedate_to_datetime

from webquarry.content.html.dom import Element, parse_html, text_of
from webquarry.content.markdown.escaping import escape
from webquarry.content.text.length_limits import cap_text
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.page_selection import warn_if_pages_requested
from webquarry.reading.documents.zip_archive import attribute, child, local_name, parse_xml, text

_MAX_ENTRIES = 500
_MAX_SUMMARY = 600
_MAX_KEY = 1000
# entities that HTML defines and XML does not
_HTML_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31});")
_DATE_TAGS = ("pubDate", "published", "issued", "date", "created", "updated", "modified")
_SUMMARY_TAGS = ("description", "summary", "encoded", "content")


def read_feed(task: DocumentTask) -> DocumentDraft:
    """Return the entries in the order of the feed."""
    draft = DocumentDraft("feed")
    warn_if_pages_requested(task, draft)
    root = parse_xml(_HTML_ENTITY.sub(_numeric_entity, task.data), recover=True)
    channel = child(root, "channel")
    header = channel if channel is not None else root
    draft.title = _plain(child(header, "title"))
    draft.language = text(child(header, "language")) or attribute(root, "lang")
    draft.modified = _date(header, ("lastBuildDate", "updated", "pubDate", "modified", "date"))
    author = child(header, "author", "name")
    draft.authors = [text(author)] if text(author) else []
    entries = [e for e in (*header, *(root if root is not header else ()))
               if local_name(e) in ("item", "entry")]  # fmt: skip
    if len(entries) > _MAX_ENTRIES:
        draft.truncate(f"only the first {_MAX_ENTRIES} of {len(entries):,} entries were kept")
    if not entries and not draft.title:
        raise UnreadableDocument("is broken: the feed has neither a title nor entries")
    head = [f"# {escape(draft.title)}" if draft.title else "", _subtitle(header)]
    draft.page_count = len(entries)
    items = "\n".join(_entry(entry) for entry in entries[:_MAX_ENTRIES])
    draft.entries = [_identity(entry) for entry in entries[:_MAX_ENTRIES]]
    draft.set_markdown([*head, items])
    return draft


def _numeric_entity(match: re.Match[bytes]) -> bytes:
    """Return an HTML entity as a numeric one, which XML allows."""
    chars = html.unescape(match[0].decode("ascii"))
    return b"".join(b"&#%d;" % ord(char) for char in chars) if ";" not in chars else match[0]


def _subtitle(header: Element) -> str:
    for name in ("description", "subtitle", "tagline"):
        value = _plain(child(header, name))
        if value:
            return escape(value)
    return ""


def _entry(entry: Element) -> str:
    title = escape(_plain(child(entry, "title"))) or "(untitled)"
    link = _link(entry)
    facts = [part for part in (_date(entry, _DATE_TAGS), escape(_author(entry))) if part]
    label = title.replace("[", "\\[").replace("]", "\\]")
    line = f"- [{label}]({link})" if link else f"- {title}"
    line += f" ({', '.join(facts)})" if facts else ""
    summary = _summary(entry)
    return f"{line}\n  {summary}" if summary else line


def _identity(entry: Element) -> dict[str, str]:
    """Return what identifies an entry for those who follow the feed."""
    link, title = _link(entry), _plain(child(entry, "title"))
    stated = text(child(entry, "guid")) or text(child(entry, "id"))
    return {
        "key": cap_text(stated or link or title, _MAX_KEY),
        "title": cap_text(title, _MAX_SUMMARY),
        "url": link,
        "published": _date(entry, _DATE_TAGS),
    }


def _link(entry: Element) -> str:
    best = ""
    for part in entry:
        if local_name(part) != "link":
            continue
        target = attribute(part, "href") or text(part)
        if attribute(part, "rel") in ("", "alternate") and target:
            return _safe(target)
        best = best or target
    guid = child(entry, "guid")
    if not best and guid is not None and attribute(guid, "isPermaLink") != "false":
        best = text(guid) if text(guid).startswith(("http://", "https://")) else ""
    return _safe(best)


def _safe(target: str) -> str:
    if target.lower().startswith(("javascript:", "data:", "vbscript:")):
        return ""
    return re.sub(r"\s+", "", target).replace("(", "%28").replace(")", "%29")


def _author(entry: Element) -> str:
    for names in (("creator",), ("author", "name"), ("author",)):
        value = text(child(entry, *names))
        if value:
            return value
    return ""


def _date(entry: Element, names: tuple[str, ...]) -> str:
    """Return the first date: RFC 822 as ISO 8601, other formats unchanged."""
    for name in names:
        value = text(child(entry, name))
        if not value:
            continue
        try:
            return parsedate_to_datetime(value).isoformat()
        except (ValueError, IndexError, TypeError):
            return value
    return ""


def _summary(entry: Element) -> str:
    value = next((body for name in _SUMMARY_TAGS if (body := _plain(child(entry, name)))), "")
    if len(value) > _MAX_SUMMARY:
        value = value[:_MAX_SUMMARY].rpartition(" ")[0] + " …"
    return escape(value)


def _plain(element: Element | None) -> str:
    """Return the text of an element that may contain HTML, escaped or not."""
    value = text(element)
    if "<" not in value and "&" not in value:
        return value
    page = parse_html(cap_text(value, 200_000))
    return "" if page is None else text_of(page)

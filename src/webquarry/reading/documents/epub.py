"""EPUB: chapters in reading order, with title, authors and table of contents."""

import posixpath
import re
from urllib.parse import unquote, urldefrag

from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import Element, drop_tree, parse_html, text_of
from webquarry.content.visibility.hidden_text import remove_hidden
from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    MAX_OUTLINE,
    DocumentDraft,
    DocumentTask,
    EncryptedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.epub_styles import BookStylesheets
from webquarry.reading.documents.markup import to_markdown
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.zip_archive import (
    Archive,
    all_text,
    attribute,
    child,
    local_name,
    text,
)

_CHAPTERS = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml"))
_FONT_OBFUSCATION = (
    "idpf.org/2008/embedding",
    "ns.adobe.com/pdf/enc#rc",
)  # obfuscated fonts are not DRM
_MAX_CHAPTERS = 2_000
_BACKLINK = re.compile("\\s*[↩↑^]\ufe0e?\\s*")


def read_epub(task: DocumentTask) -> DocumentDraft:
    """Return the chapters in the order of the spine."""
    draft = DocumentDraft("epub")
    archive = Archive(task.data)
    _refuse_drm(archive)
    package_name = _package(archive)
    package = archive.tree(package_name)
    _metadata(package, draft)
    manifest = _manifest(package, posixpath.dirname(package_name))
    chapters = _spine(package, manifest)
    if not chapters:
        raise UnreadableDocument("is broken: it has no chapters")
    draft.page_count = len(chapters)
    draft.outline = _table_of_contents(archive, package, manifest)
    indexes = selected_indexes(task, len(chapters), draft, "chapter")[:_MAX_CHAPTERS]
    draft.set_markdown(_chapters(archive, [chapters[index] for index in indexes], draft))
    if not draft.markdown:
        raise UnreadableDocument("has no text in its chapters")
    return draft


def _refuse_drm(archive: Archive) -> None:
    rights = archive.optional_tree("META-INF/encryption.xml")
    for entry in rights if rights is not None else ():
        method = child(entry, "EncryptionMethod")
        algorithm = "" if method is None else attribute(method, "Algorithm").lower()
        if not any(word in algorithm for word in _FONT_OBFUSCATION):
            raise EncryptedDocument("is a book locked by digital rights management")


def _package(archive: Archive) -> str:
    root = archive.optional_tree("META-INF/container.xml")
    for entry in root.iter() if root is not None else ():
        if local_name(entry) == "rootfile" and attribute(entry, "full-path") in archive:
            return attribute(entry, "full-path")
    found = next((name for name in archive.names if name.endswith(".opf")), "")
    if not found:
        raise UnreadableDocument("is broken: its package description is missing")
    return found


def _metadata(package: Element, draft: DocumentDraft) -> None:
    metadata = child(package, "metadata")
    for entry in metadata.iter() if metadata is not None else ():
        name, value = local_name(entry), text(entry)
        if not value:
            continue
        if name == "title":
            draft.title = draft.title or value
        elif name == "creator" and value not in draft.authors:
            draft.authors.append(value)
        elif name == "language":
            draft.language = draft.language or value
        elif name == "date" and attribute(entry, "event") != "modification":
            draft.published = draft.published or value
        elif name == "meta" and attribute(entry, "property") == "dcterms:modified":
            draft.modified = value


def _manifest(package: Element, folder: str) -> dict[str, tuple[str, Element]]:
    entries = child(package, "manifest")
    items: dict[str, tuple[str, Element]] = {}
    for item in entries if entries is not None else ():
        href = unquote(urldefrag(attribute(item, "href")).url)
        items[attribute(item, "id")] = (posixpath.normpath(posixpath.join(folder, href)), item)
    return items


def _spine(package: Element, manifest: dict[str, tuple[str, Element]]) -> list[str]:
    spine = child(package, "spine")
    names: list[str] = []
    for entry in spine if spine is not None else ():
        name, item = manifest.get(attribute(entry, "idref"), ("", None))
        if item is None or attribute(item, "media-type") not in _CHAPTERS:
            continue
        if "nav" not in attribute(item, "properties").split():  # it becomes the outline
            names.append(name)
    return names


def _chapters(archive: Archive, names: list[str], draft: DocumentDraft) -> list[str]:
    chapters: list[str] = []
    size = removed = 0
    stylesheets = BookStylesheets(archive)
    for name in names:
        if size > MAX_MARKDOWN:
            break
        page = parse_html(decode_page(archive.read(name))) if name in archive else None
        body = page.find("body") if page is not None else None
        if page is None or body is None:
            draft.warnings.append(f"chapter {name!r} is missing or damaged")
            continue
        stylesheets.embed(page, name)
        counts = remove_hidden(page).counts
        removed += sum(count for reason, count in counts.items() if reason != "comment")
        _remove_internal_links(body)
        chapters.append(to_markdown(body))
        size += len(chapters[-1])
    draft.warn_of_hidden({"hidden text": removed} if removed else {})
    return chapters


def _remove_internal_links(body: Element) -> None:
    """Remove links between chapters and packed images: they have no target outside the book."""
    for link in list(body.iter("a")):
        href = link.get("href") or ""
        if link.get("role") == "doc-backlink" or _BACKLINK.fullmatch(all_text(link)):
            drop_tree(link)  # from a footnote back to the text
        elif href and ":" not in href and not href.startswith("#"):
            del link.attrib["href"]
    for image in body.iter("img"):
        alt = " ".join((image.get("alt") or "").split())
        image.tag = "span"
        image.text = f"[Image: {alt}]" if alt else None


def _table_of_contents(
    archive: Archive, package: Element, manifest: dict[str, tuple[str, Element]]
) -> list[tuple[int, str]]:
    for name, item in manifest.values():
        if "nav" in attribute(item, "properties").split() and name in archive:
            page = parse_html(decode_page(archive.read(name)))
            found = page.find(".//nav/ol") if page is not None else None
            return _nav_entries(found, 1) if found is not None else []
    spine = child(package, "spine")
    toc = manifest.get("" if spine is None else attribute(spine, "toc"), ("", None))[0]
    root = archive.optional_tree(toc) if toc else None
    points = child(root, "navMap")
    return _ncx_entries(points, 1) if points is not None else []


def _nav_entries(listed: Element, level: int) -> list[tuple[int, str]]:
    entries: list[tuple[int, str]] = []
    for item in listed:
        label = next((part for part in item if part.tag in ("a", "span")), None)
        if label is not None and len(entries) < MAX_OUTLINE:
            entries.append((level, text_of(label)))
        inner = item.find("ol")
        if inner is not None and level < 10:
            entries += _nav_entries(inner, level + 1)
    return entries


def _ncx_entries(parent: Element, level: int) -> list[tuple[int, str]]:
    entries: list[tuple[int, str]] = []
    for point in parent:
        if local_name(point) == "navPoint" and len(entries) < MAX_OUTLINE:
            entries.append((level, text(child(point, "navLabel"))))
            entries += _ncx_entries(point, level + 1) if level < 10 else []
    return entries

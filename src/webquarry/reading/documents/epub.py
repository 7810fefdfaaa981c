"""Books: chapters in reading order, with title, authors and table of contents."""

import posixpath
import re
from urllib.parse import unquote, urldefrag

from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import Element, drop, parse_html, text_of
from webquarry.content.visibility.hidden_text import remove_hidden
from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    MAX_OUTLINE,
    DocumentTask,
    Draft,
    Encrypted,
    Unreadable,
)
from webquarry.reading.documents.markup import written
from webquarry.reading.documents.page_selection import selected
from webquarry.reading.documents.zip_archive import Archive, all_text, attribute, child, local, text

_CHAPTERS = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml"))
_FONTS = (
    "idpf.org/2008/embedding",
    "ns.adobe.com/pdf/enc#rc",
)  # obfuscated fonts do not lock the book
_MOST_CHAPTERS = 2_000
_BACK = re.compile("\\s*[↩↑^]\ufe0e?\\s*")


def read_epub(task: DocumentTask) -> Draft:
    """Return the chapters of the spine one after another."""
    draft = Draft("epub")
    archive = Archive(task.data)
    _refuse_locked(archive)
    package_name = _package(archive)
    package = archive.tree(package_name)
    _metadata(package, draft)
    manifest = _manifest(package, posixpath.dirname(package_name))
    chapters = _spine(package, manifest)
    if not chapters:
        raise Unreadable("is broken: it has no chapters")
    draft.page_count = len(chapters)
    draft.outline = _contents(archive, package, manifest)
    wanted = selected(task, len(chapters), draft, "chapter")[:_MOST_CHAPTERS]
    draft.write(_chapters(archive, [chapters[place] for place in wanted], draft))
    if not draft.markdown:
        raise Unreadable("has no text in its chapters")
    return draft


def _refuse_locked(archive: Archive) -> None:
    rights = archive.maybe("META-INF/encryption.xml")
    for entry in rights if rights is not None else ():
        method = child(entry, "EncryptionMethod")
        algorithm = "" if method is None else attribute(method, "Algorithm").lower()
        if not any(word in algorithm for word in _FONTS):
            raise Encrypted("is a book locked by digital rights management")


def _package(archive: Archive) -> str:
    root = archive.maybe("META-INF/container.xml")
    for entry in root.iter() if root is not None else ():
        if local(entry) == "rootfile" and attribute(entry, "full-path") in archive:
            return attribute(entry, "full-path")
    found = next((name for name in archive.names if name.endswith(".opf")), "")
    if not found:
        raise Unreadable("is broken: its package description is missing")
    return found


def _metadata(package: Element, draft: Draft) -> None:
    held = child(package, "metadata")
    for entry in held.iter() if held is not None else ():
        name, said = local(entry), text(entry)
        if not said:
            continue
        if name == "title" and not draft.title:
            draft.title = said
        elif name == "creator" and said not in draft.authors:
            draft.authors.append(said)
        elif name == "language" and not draft.language:
            draft.language = said
        elif name == "date" and not draft.published and attribute(entry, "event") != "modification":
            draft.published = said
        elif name == "meta" and attribute(entry, "property") == "dcterms:modified":
            draft.modified = said


def _manifest(package: Element, folder: str) -> dict[str, tuple[str, Element]]:
    held = child(package, "manifest")
    found: dict[str, tuple[str, Element]] = {}
    for item in held if held is not None else ():
        href = unquote(urldefrag(attribute(item, "href")).url)
        found[attribute(item, "id")] = (posixpath.normpath(posixpath.join(folder, href)), item)
    return found


def _spine(package: Element, manifest: dict[str, tuple[str, Element]]) -> list[str]:
    held = child(package, "spine")
    names: list[str] = []
    for entry in held if held is not None else ():
        name, item = manifest.get(attribute(entry, "idref"), ("", None))
        if item is None or attribute(item, "media-type") not in _CHAPTERS:
            continue
        if "nav" not in attribute(item, "properties").split():  # told as outline instead
            names.append(name)
    return names


def _chapters(archive: Archive, names: list[str], draft: Draft) -> list[str]:
    out: list[str] = []
    size = 0
    removed = 0
    for name in names:
        if size > MAX_MARKDOWN:
            break
        page = parse_html(decode_page(archive.read(name)).text) if name in archive else None
        body = page.find("body") if page is not None else None
        if page is None or body is None:
            draft.warnings.append(f"chapter {name!r} is missing or damaged")
            continue
        removed += sum(
            count for why, count in remove_hidden(page).counts.items() if why != "comment"
        )
        _unlink(body)
        out.append(written(body))
        size += len(out[-1])
    if removed:
        draft.warnings.append(f"hidden text was left out in {removed} place{'s'[: removed > 1]}")
    return out


def _unlink(body: Element) -> None:
    """Links between chapters and to packed images lead nowhere outside the book."""
    for link in list(body.iter("a")):
        href = link.get("href") or ""
        if link.get("role") == "doc-backlink" or _BACK.fullmatch(all_text(link)):
            drop(link)  # the way back from a footnote
        elif href and ":" not in href and not href.startswith("#"):
            del link.attrib["href"]
    for image in body.iter("img"):
        words = " ".join((image.get("alt") or "").split())
        image.tag = "span"
        image.text = f"[Image: {words}]" if words else None


def _contents(
    archive: Archive, package: Element, manifest: dict[str, tuple[str, Element]]
) -> list[tuple[int, str]]:
    for name, item in manifest.values():
        if "nav" in attribute(item, "properties").split() and name in archive:
            page = parse_html(decode_page(archive.read(name)).text)
            found = page.find(".//nav/ol") if page is not None else None
            return _nav(found, 1) if found is not None else []
    spine = child(package, "spine")
    toc = manifest.get("" if spine is None else attribute(spine, "toc"), ("", None))[0]
    root = archive.maybe(toc) if toc else None
    points = child(root, "navMap")
    return _points(points, 1) if points is not None else []


def _nav(listed: Element, level: int) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    for item in listed:
        label = next((part for part in item if part.tag in ("a", "span")), None)
        if label is not None and len(out) < MAX_OUTLINE:
            out.append((level, text_of(label)))
        inner = item.find("ol")
        if inner is not None and level < 10:
            out += _nav(inner, level + 1)
    return out


def _points(parent: Element, level: int) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    for point in parent:
        if local(point) == "navPoint" and len(out) < MAX_OUTLINE:
            out.append((level, text(child(point, "navLabel"))))
            out += _points(point, level + 1) if level < 10 else []
    return out

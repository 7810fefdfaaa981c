"""What the Office Open XML formats share: relations between parts, document properties."""

import posixpath
import re
from dataclasses import dataclass

from webquarry.reading.documents.draft import DocumentDraft, UnreadableDocument
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name, text

_AUTHORS = re.compile(r"(?:(?<!\s)\s++)?;\s*")


@dataclass(frozen=True, slots=True)
class Relation:
    """A link from one part to another."""

    kind: str
    target: str
    external: bool


def relations(archive: Archive, part: str) -> dict[str, Relation]:
    """Return the relations of a part by their ids, targets as names in the archive."""
    folder, _, name = part.rpartition("/")
    root = archive.optional_tree(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels")
    links: dict[str, Relation] = {}
    for entry in root if root is not None else ():
        target = attribute(entry, "Target")
        external = attribute(entry, "TargetMode") == "External"
        if not external:
            target = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            target = posixpath.normpath(target)
        kind = attribute(entry, "Type").rpartition("/")[2]
        links[attribute(entry, "Id")] = Relation(kind, target, external)
    return links


def related_part(links: dict[str, Relation], kind: str) -> str:
    """Return the name of the first part of that kind; empty without one."""
    return next((r.target for r in links.values() if r.kind == kind and not r.external), "")


def main_part(archive: Archive, default: str) -> str:
    """Return the name of the part that holds the document."""
    name = related_part(relations(archive, ""), "officeDocument")
    for candidate in (name, default):
        if candidate and candidate in archive:
            return candidate
    raise UnreadableDocument("is broken: its main part is missing")


def read_properties(archive: Archive, draft: DocumentDraft) -> None:
    """Fill in title, authors, dates and language from the core properties."""
    name = related_part(relations(archive, ""), "core-properties") or "docProps/core.xml"
    root = archive.optional_tree(name)
    if root is None:
        return
    fields = {local_name(entry): text(entry) for entry in root}
    draft.title = draft.title or fields.get("title", "")
    creators = _AUTHORS.split(fields.get("creator", ""))
    draft.authors = [author for author in creators if author]
    draft.published = fields.get("created", "")
    draft.modified = fields.get("modified", "")
    draft.language = fields.get("language", "")


def stored_page_count(archive: Archive) -> int | None:
    """Return the number of pages that the writing program stored."""
    app = archive.optional_tree("docProps/app.xml")
    pages, words = (text(child(app, name)) for name in ("Pages", "Words"))
    # without words the number is that of the template
    has_words = words.isdecimal() and int(words[:9]) > 0
    return int(pages) if has_words and pages.isdecimal() and len(pages) < 7 else None

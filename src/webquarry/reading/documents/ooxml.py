"""What the Office formats share: relations between parts, and properties of the document."""

import posixpath
import re
from dataclasses import dataclass

from webquarry.reading.documents.draft import Draft, Unreadable
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local, text

_AUTHORS = re.compile(r"\s*;\s*")


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a part points to."""

    kind: str
    target: str
    external: bool


def relations(archive: Archive, part: str) -> dict[str, Relation]:
    """Return the relations of a part by their ids, targets as names in the archive."""
    folder, _, name = part.rpartition("/")
    root = archive.maybe(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels")
    found: dict[str, Relation] = {}
    for entry in root if root is not None else ():
        target = attribute(entry, "Target")
        external = attribute(entry, "TargetMode") == "External"
        if not external:
            target = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            target = posixpath.normpath(target)
        kind = attribute(entry, "Type").rpartition("/")[2]
        found[attribute(entry, "Id")] = Relation(kind, target, external)
    return found


def related(links: dict[str, Relation], kind: str) -> str:
    """Return the name of the first part of that kind, or nothing."""
    return next((r.target for r in links.values() if r.kind == kind and not r.external), "")


def main_part(archive: Archive, usual: str) -> str:
    """Return the name of the part that holds the document."""
    name = related(relations(archive, ""), "officeDocument")
    for candidate in (name, usual):
        if candidate and candidate in archive:
            return candidate
    raise Unreadable("is broken: its main part is missing")


def properties(archive: Archive, draft: Draft) -> None:
    """Fill in title, authors, dates and language from the core properties."""
    name = related(relations(archive, ""), "core-properties") or "docProps/core.xml"
    root = archive.maybe(name)
    if root is None:
        return
    said = {local(entry): text(entry) for entry in root}
    draft.title = draft.title or said.get("title", "")
    creators = _AUTHORS.split(said.get("creator", ""))
    draft.authors = [author for author in creators if author]
    draft.published = said.get("created", "")
    draft.modified = said.get("modified", "")
    draft.language = said.get("language", "")


def page_total(archive: Archive) -> int | None:
    """Return the number of pages that the writing program noted, if it counted at all."""
    noted = archive.maybe("docProps/app.xml")
    pages, words = (text(child(noted, name)) for name in ("Pages", "Words"))
    counted = words.isdecimal() and int(words[:9]) > 0  # else it is left over from a template
    return int(pages) if counted and pages.isdecimal() and len(pages) < 7 else None

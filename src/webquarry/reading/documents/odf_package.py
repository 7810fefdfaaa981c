"""What the OpenDocument formats share: encryption and metadata of the package."""

from webquarry.reading.documents.draft import DocumentDraft, EncryptedDocument
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name, text


def open_package(archive: Archive, draft: DocumentDraft) -> None:
    """Fill in title, authors, dates, language and page count; refuse an encrypted document."""
    manifest = archive.optional_tree("META-INF/manifest.xml")
    for entry in manifest.iter() if manifest is not None else ():
        if local_name(entry) == "encryption-data":
            raise EncryptedDocument("is encrypted: it opens only with a password")
    meta = child(archive.optional_tree("meta.xml"), "meta")
    if meta is None:
        return
    fields = {local_name(entry): text(entry) for entry in meta}
    draft.title = fields.get("title", "")
    author = fields.get("initial-creator") or fields.get("creator") or ""
    draft.authors = [part.strip() for part in author.split(";") if part.strip()]
    draft.published = fields.get("creation-date", "")
    draft.modified = fields.get("date", "")
    draft.language = fields.get("language", "")
    statistics = child(meta, "document-statistic")
    pages = "" if statistics is None else attribute(statistics, "page-count")
    draft.page_count = int(pages) if pages.isdecimal() and len(pages) < 7 else None

"""The reader of each kind of document, imported with the first document of its kind."""

import re
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from itertools import accumulate, pairwise

from webquarry.reading.documents.draft import (
    MAX_TITLE,
    DocumentDraft,
    DocumentTask,
    UnreadableDocument,
)

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_MAX_INVISIBLE = 300_000
_SEGMENT = re.compile(r"[^\n]{1,500}\n?|\n")
_PACKAGE = "webquarry.reading.documents"
_READERS = {
    "pdf": ("pdf.pdf_reader", "read_pdf"),
    "docx": ("docx.body", "read_docx"),
    "pptx": ("pptx", "read_pptx"),
    "xlsx": ("xlsx", "read_xlsx"),
    "xls": ("spreadsheets", "read_spreadsheet"),
    "xlsb": ("spreadsheets", "read_spreadsheet"),
    "ods": ("spreadsheets", "read_spreadsheet"),
    "epub": ("epub", "read_epub"),
    "odt": ("odt", "read_odt"),
    "rtf": ("rtf", "read_rtf"),
    "csv": ("csv_table", "read_csv"),
    "text": ("plain_text", "read_text"),
    "markdown": ("plain_text", "read_text"),
    "json": ("plain_text", "read_json"),
    "xml": ("plain_text", "read_xml"),
    "feed": ("feeds", "read_feed"),
    "eml": ("messages.eml", "read_eml"),
    "msg": ("messages.msg", "read_msg"),
    "ipynb": ("notebooks", "read_notebook"),
    "subtitles": ("subtitles", "read_subtitles"),
    "legacy_office": ("plain_text", "refuse_legacy"),
    "archive": ("zip_folder", "read_zip_folder"),
    "image": ("ocr.image_document", "read_image"),
}


def read_document(task: DocumentTask) -> DocumentDraft:
    """Return the document, or raise Unreadable."""
    from webquarry.content.text.length import count_words

    module, name = _READERS[task.kind]
    reader: Callable[[DocumentTask], DocumentDraft] = getattr(
        import_module(f"{_PACKAGE}.{module}"), name
    )
    draft = reader(task)
    _remove_invisible(draft)
    if not draft.markdown.strip():
        raise UnreadableDocument("has no text in it")
    draft.word_count = count_words(draft.markdown)
    return draft


def _remove_invisible(draft: DocumentDraft) -> None:
    """Remove invisible characters and lone surrogates."""
    removed: Counter[str] = Counter()
    is_flooded = len(_INVISIBLE.findall(draft.markdown)) > _MAX_INVISIBLE
    if is_flooded:
        draft.warnings.append("a flood of invisible characters was removed")
    if not draft.markdown.isascii():
        _clean_pages(draft, removed, is_flooded=is_flooded)
    draft.title = " ".join(_visible(draft.title).split())
    draft.authors = [" ".join(_visible(name).split()) for name in draft.authors]
    draft.outline = [(level, _visible(title[:MAX_TITLE])) for level, title in draft.outline]
    draft.figures = [(page, _visible(caption)) for page, caption in draft.figures]
    draft.warnings = [_without_surrogates(warning) for warning in draft.warnings]
    removed.pop("zero-width character", None)  # for example soft hyphens: common and harmless
    for kind, count in removed.items():
        draft.warnings.append(f"{kind} removed in {count} place{'s'[: count > 1]}")


def _clean_pages(draft: DocumentDraft, removed: Counter[str], *, is_flooded: bool) -> None:
    """Clean the text of each page, and move where the next one starts."""
    starts = [offset for _, offset in draft.page_starts]
    parts = [
        _clean(draft.markdown[start:end], removed, is_flooded=is_flooded)
        for start, end in pairwise((0, *starts, len(draft.markdown)))
    ]
    moved = accumulate(map(len, parts[:-1]))
    numbers = (page for page, _ in draft.page_starts)
    draft.page_starts = list(zip(numbers, moved, strict=True))
    draft.markdown = "".join(parts)


def _clean(text: str, removed: Counter[str], *, is_flooded: bool) -> str:
    from webquarry.content.visibility.invisible_characters import without_invisible

    if is_flooded:
        # no script needs so many, and checking each takes long
        text = _INVISIBLE.sub("", text)
    # short segments bound the work for a text full of such characters
    segments = _SEGMENT.findall(text)
    return _without_surrogates("".join(without_invisible(part, removed) for part in segments))


def _visible(text: str) -> str:
    from webquarry.content.visibility.invisible_characters import without_invisible

    return _without_surrogates(without_invisible(text))


def _without_surrogates(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

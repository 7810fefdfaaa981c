"""Which reader reads which kind; each is imported when its first document comes."""

import re
from collections import Counter
from collections.abc import Callable
from importlib import import_module

from webquarry.reading.documents.draft import DocumentTask, Draft, Unreadable

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_MOST_UNSEEN = 300_000
_PIECE = re.compile(r"[^\n]{1,500}\n?|\n")
_PACKAGE = "webquarry.reading.documents"
_READERS = {
    "pdf": ("pdf.pdf_reader", "read_pdf"),
    "docx": ("docx.body", "read_docx"),
    "pptx": ("pptx", "read_pptx"),
    "xlsx": ("xlsx", "read_xlsx"),
    "epub": ("epub", "read_epub"),
    "odt": ("odt", "read_odt"),
    "rtf": ("rtf", "read_rtf"),
    "csv": ("csv_table", "read_csv"),
    "text": ("plain_text", "read_text"),
    "markdown": ("plain_text", "read_text"),
    "json": ("plain_text", "read_json"),
    "xml": ("plain_text", "read_xml"),
    "feed": ("feeds", "read_feed"),
    "legacy_office": ("plain_text", "refuse_legacy"),
    "archive": ("plain_text", "refuse_archive"),
}


def read_document(task: DocumentTask) -> Draft:
    """Return the document, or raise Unreadable."""
    from webquarry.content.text.length import count_words

    module, name = _READERS[task.kind]
    reader: Callable[[DocumentTask], Draft] = getattr(import_module(f"{_PACKAGE}.{module}"), name)
    draft = reader(task)
    _make_visible(draft)
    if not draft.markdown.strip():
        raise Unreadable("has no text in it")
    draft.word_count = count_words(draft.markdown)
    return draft


def _make_visible(draft: Draft) -> None:
    """Take out characters nobody sees, and halves of characters."""
    from webquarry.content.visibility.invisible_characters import without_invisible

    removed: Counter[str] = Counter()
    if len(_UNSEEN.findall(draft.markdown)) > _MOST_UNSEEN:
        # no script needs so many: not worth looking at each
        draft.markdown = _UNSEEN.sub("", draft.markdown)
        draft.warnings.append("a flood of invisible characters was removed")
    if not draft.markdown.isascii():
        # piece by piece, which bounds the work that a text full of such characters makes
        pieces = (without_invisible(piece, removed) for piece in _PIECE.findall(draft.markdown))
        draft.markdown = _whole("".join(pieces))
    draft.title = " ".join(_whole(without_invisible(draft.title)).split())
    draft.authors = [" ".join(_whole(without_invisible(name)).split()) for name in draft.authors]
    draft.outline = [(level, _whole(without_invisible(title))) for level, title in draft.outline]
    draft.warnings = [_whole(warning) for warning in draft.warnings]
    removed.pop("zero-width character", None)  # soft hyphens and the like: common and harmless
    for kind, count in removed.items():
        draft.warnings.append(f"{kind} removed in {count} place{'s'[: count > 1]}")


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

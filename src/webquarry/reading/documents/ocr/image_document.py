"""Images with text: scans and photographs of pages, screenshots."""

import io
from typing import Any

from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.ocr.page_recognition import MAX_PIXELS, recognize_pages
from webquarry.reading.documents.ocr.recognized import GrayImage
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.pdf.pdf_writing import write_pages

_PAGE_WIDTH = 8.0  # inches, of an image that does not tell
_DPI = range(70, 1200)
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP")


def read_image(task: DocumentTask) -> DocumentDraft:
    """Return the text of an image; a TIFF file may have several pages."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = 4 * MAX_PIXELS
    draft = DocumentDraft("image")
    try:
        with Image.open(io.BytesIO(task.data), formats=_FORMATS) as image:
            count = draft.page_count = int(getattr(image, "n_frames", 1))
            if image.format != "TIFF":  # the frames of an animation are no pages
                count = draft.page_count = 1
            indexes = selected_indexes(task, count, draft)
            taken = [(index, _Frame(image, index)) for index in indexes]
            found = recognize_pages(task, draft, taken, count)
    # what Pillow raises for damaged and oversized images
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise UnreadableDocument(f"is a damaged or too large image: {error}") from error
    if not any(page.runs for page in found.pages.values()):
        reason = "; ".join(draft.warnings) if draft.truncated else "none was recognized"
        raise UnreadableDocument(f"is an image without text: {reason}")
    write_pages(task, draft, found.pages, found.confidence)
    return draft


class _Frame:
    """Decodes one frame of an image when it is needed."""

    def __init__(self, image: Any, index: int) -> None:
        self._image = image
        self._index = index

    def __call__(self) -> tuple[GrayImage, int]:
        import numpy
        from PIL import ImageOps

        self._image.seek(self._index)
        frame = ImageOps.exif_transpose(self._image)
        if "A" in frame.getbands() or "transparency" in frame.info:
            frame = _on_white(frame.convert("RGBA"))
        declared = round(float(self._image.info.get("dpi", (0, 0))[0]))
        gray = frame.convert("L")
        if gray.width * gray.height > MAX_PIXELS:
            factor = (MAX_PIXELS / (gray.width * gray.height)) ** 0.5
            gray = gray.resize((int(gray.width * factor), int(gray.height * factor)))
            declared = round(declared * factor)
        dpi = declared if declared in _DPI else max(round(gray.width / _PAGE_WIDTH), 1)
        return numpy.asarray(gray), dpi


def _on_white(image: Any) -> Any:
    from PIL import Image

    page = Image.new("RGBA", image.size, "white")
    page.alpha_composite(image)
    return page

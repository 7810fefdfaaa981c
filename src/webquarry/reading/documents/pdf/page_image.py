"""Paints a page of a PDF as an image."""

from typing import Any

from webquarry.reading.documents.ocr.page_recognition import MAX_PIXELS
from webquarry.reading.documents.ocr.recognized import GrayImage

_DPI = 200


class PaintedPage:
    """Paints a page in shades of gray when it is needed."""

    def __init__(self, raw: Any, page: Any) -> None:
        self._raw = raw
        self._page = page

    def __call__(self) -> tuple[GrayImage, int]:
        """Return rows of pixels and their number per inch."""
        inches = self._page.get_width() * self._page.get_height() / 72**2
        dpi = max(1, round(_DPI * min(1.0, (MAX_PIXELS / max(inches * _DPI**2, 1)) ** 0.5)))
        bitmap = self._page.render(scale=dpi / 72, force_bitmap_format=self._raw.FPDFBitmap_Gray)
        return bitmap.to_numpy().reshape(bitmap.height, -1)[:, : bitmap.width].copy(), dpi

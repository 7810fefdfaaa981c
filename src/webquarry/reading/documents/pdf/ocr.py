"""Reads scanned pages with tesseract (OCR)."""

import re
import subprocess
from typing import Any

from webquarry.reading.documents.draft import DocumentDraft, DocumentTask

_DPI = 200
_MAX_PIXELS = 20_000_000
_MAX_PAGES = 30
_PAGE_SECONDS = 40.0
_LANGUAGES = {"de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld",
              "pl": "pol", "ru": "rus", "zh": "chi_sim", "ja": "jpn", "ko": "kor", "ar": "ara",
              "tr": "tur", "cs": "ces", "sv": "swe", "uk": "ukr", "el": "ell"}  # fmt: skip


def recognize_text(
    task: DocumentTask, draft: DocumentDraft, raw: Any, pages: list[tuple[int, Any]]
) -> dict[int, str]:
    """Return the text of the pages by index; warn about those that could not be read."""
    language = _language(task, draft)
    texts: dict[int, str] = {}
    for done, (index, page) in enumerate(pages):
        if done >= _MAX_PAGES or task.out_of_time():
            draft.truncate(f"text recognition stopped after {done} of {len(pages)} scanned pages")
            break
        try:
            texts[index] = _read(task, raw, page, language)
        except (OSError, subprocess.SubprocessError) as error:
            draft.truncate(f"text recognition failed on page {index + 1}: {type(error).__name__}")
            break
    if texts:
        draft.warnings.append(
            f"{len(texts)} scanned page{'s'[: len(texts) > 1]} read by text recognition "
            f"(tesseract, {language}): expect errors"
        )
    return texts


def _read(task: DocumentTask, raw: Any, page: Any, language: str) -> str:
    # an absolute path that the server chose; no input in the arguments
    completed = subprocess.run(  # noqa: S603
        [task.tesseract, "stdin", "stdout", "-l", language, "--dpi", str(_DPI)],
        input=_grayscale_image(raw, page), capture_output=True, check=True,
        timeout=max(min(_PAGE_SECONDS, task.remaining() - 1), 1),
    )  # fmt: skip
    text = completed.stdout.decode("utf-8", "replace").replace("\x0c", "")
    paragraphs = (" ".join(part.split("\n")) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(part.strip() for part in paragraphs if part.strip())


def _grayscale_image(raw: Any, page: Any) -> bytes:
    """Return the page as a grayscale image in PGM format."""
    width, height = page.get_width(), page.get_height()
    scale = _DPI / 72
    pixels = max(width * height * scale * scale, 1)
    scale *= min(1.0, (_MAX_PIXELS / pixels) ** 0.5)
    bitmap = page.render(scale=scale, force_bitmap_format=raw.FPDFBitmap_Gray)
    rows = bytes(bitmap.buffer)
    stride, width = bitmap.stride, bitmap.width
    lines = (rows[row * stride : row * stride + width] for row in range(bitmap.height))
    header = f"P5 {width} {bitmap.height} 255\n".encode()
    return header + b"".join(lines)


def _language(task: DocumentTask, draft: DocumentDraft) -> str:
    language = _LANGUAGES.get(draft.language.partition("-")[0].lower(), "eng")
    if language == "eng":
        return language
    try:
        # an absolute path that the server chose
        installed = subprocess.run(  # noqa: S603
            [task.tesseract, "--list-langs"], capture_output=True, check=False, timeout=10
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return "eng"
    return language if language in installed.split() else "eng"

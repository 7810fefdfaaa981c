"""Pages that are only pictures, read by tesseract."""

import re
import subprocess
from typing import Any

from webquarry.reading.documents.draft import DocumentTask, Draft

_DPI = 200
_MOST_PIXELS = 20_000_000
_MOST_PAGES = 30
_SECONDS = 40.0
_LANGUAGES = {"de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld",
              "pl": "pol", "ru": "rus", "zh": "chi_sim", "ja": "jpn", "ko": "kor", "ar": "ara",
              "tr": "tur", "cs": "ces", "sv": "swe", "uk": "ukr", "el": "ell"}  # fmt: skip


def recognised(
    task: DocumentTask, draft: Draft, raw: Any, pages: list[tuple[int, Any]]
) -> dict[int, str]:
    """Return the text in the pictures by page, and say what could not be read."""
    language = _language(task, draft)
    found: dict[int, str] = {}
    for done, (place, page) in enumerate(pages):
        if done >= _MOST_PAGES or task.out_of_time():
            draft.cut(f"text recognition stopped after {done} of {len(pages)} scanned pages")
            break
        try:
            found[place] = _read(task, raw, page, language)
        except (OSError, subprocess.SubprocessError) as error:
            draft.cut(f"text recognition failed on page {place + 1}: {type(error).__name__}")
            break
    if found:
        draft.warnings.append(
            f"{len(found)} scanned page{'s'[: len(found) > 1]} read by text recognition "
            f"(tesseract, {language}): expect errors"
        )
    return found


def _read(task: DocumentTask, raw: Any, page: Any, language: str) -> str:
    # our own absolute path, no input in the arguments
    ended = subprocess.run(  # noqa: S603
        [task.tesseract, "stdin", "stdout", "-l", language, "--dpi", str(_DPI)],
        input=_picture(raw, page), capture_output=True, check=True,
        timeout=max(min(_SECONDS, task.remaining() - 1), 1),
    )  # fmt: skip
    text = ended.stdout.decode("utf-8", "replace").replace("\x0c", "")
    paragraphs = (" ".join(part.split("\n")) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(part.strip() for part in paragraphs if part.strip())


def _picture(raw: Any, page: Any) -> bytes:
    """Return the page in shades of grey, in the plainest of picture formats."""
    width, height = page.get_width(), page.get_height()
    scale = _DPI / 72
    pixels = max(width * height * scale * scale, 1)
    scale *= min(1.0, (_MOST_PIXELS / pixels) ** 0.5)
    bitmap = page.render(scale=scale, force_bitmap_format=raw.FPDFBitmap_Gray)
    rows = bytes(bitmap.buffer)
    stride, across = bitmap.stride, bitmap.width
    lines = (rows[at * stride : at * stride + across] for at in range(bitmap.height))
    head = f"P5 {across} {bitmap.height} 255\n".encode()
    return head + b"".join(lines)


def _language(task: DocumentTask, draft: Draft) -> str:
    wanted = _LANGUAGES.get(draft.language.partition("-")[0].lower(), "eng")
    if wanted == "eng":
        return wanted
    try:
        # our own absolute path
        listed = subprocess.run(  # noqa: S603
            [task.tesseract, "--list-langs"], capture_output=True, check=False, timeout=10
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return "eng"
    return wanted if wanted in listed.split() else "eng"

"""Reads images with tesseract."""

import csv
import io
import subprocess
from collections.abc import Iterator

from webquarry.reading.documents.ocr.recognized import (
    GrayImage,
    RecognitionError,
    RecognizedLine,
    RecognizedWord,
)

_CODES = {
    "af": "afr", "ar": "ara", "be": "bel", "bg": "bul", "bn": "ben", "ca": "cat", "cs": "ces",
    "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "et": "est", "fa": "fas",
    "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "hy": "hye",
    "id": "ind", "is": "isl", "it": "ita", "ja": "jpn", "ka": "kat", "kk": "kaz", "ko": "kor",
    "la": "lat", "lt": "lit", "lv": "lav", "mk": "mkd", "ms": "msa", "nb": "nor", "nl": "nld",
    "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv",
    "sq": "sqi", "sr": "srp", "sv": "swe", "ta": "tam", "th": "tha", "tr": "tur", "uk": "ukr",
    "ur": "urd", "vi": "vie", "zh": "chi_sim",
}  # fmt: skip
_WORD = "5"  # level of a row
_PAGE_SECONDS = 40.0


class TesseractRecognizer:
    """Runs the program once for each image."""

    def __init__(self, program: str, language: str) -> None:
        self._program = program
        self._language = self._installed(language)
        self.name = f"tesseract, {self._language}"

    def lines(self, image: GrayImage, dpi: int, seconds: float) -> list[RecognizedLine]:
        """Return the lines with the confidence of each word."""
        height, width = image.shape
        try:
            # an absolute path that the server chose; no input in the arguments
            done = subprocess.run(  # noqa: S603
                [self._program, "stdin", "stdout", "-l", self._language, "--dpi", str(dpi), "tsv"],
                input=f"P5 {width} {height} 255\n".encode() + image.tobytes(),
                capture_output=True, check=True, timeout=max(min(_PAGE_SECONDS, seconds), 1),
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            raise RecognitionError(type(error).__name__) from error
        found: dict[tuple[str, ...], RecognizedLine] = {}
        for key, word in _words(done.stdout.decode("utf-8", "replace")):
            found.setdefault(key, []).append(word)
        return list(found.values())

    def _installed(self, language: str) -> str:
        """Return the code of a language, "eng" if it is not installed."""
        code = _CODES.get(language.partition("-")[0].lower(), "eng")
        if language.lower() in ("zh-tw", "zh-hk", "zh-hant"):
            code = "chi_tra"
        if code == "eng":
            return code
        try:
            # an absolute path that the server chose
            done = subprocess.run(  # noqa: S603
                [self._program, "--list-langs"], capture_output=True, check=False, timeout=10
            )
        except (OSError, subprocess.SubprocessError):
            return "eng"
        return code if code in done.stdout.decode("utf-8", "replace").split() else "eng"


def _words(table: str) -> Iterator[tuple[tuple[str, ...], RecognizedWord]]:
    """Yield the words of a table in TSV with what identifies their lines."""
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row.get("level") != _WORD or not text:
            continue
        try:
            left, top, width, height, confidence = (
                float(row[name]) for name in ("left", "top", "width", "height", "conf")
            )
        except (KeyError, TypeError, ValueError):  # a row that is cut off
            continue
        key = tuple(row[name] for name in ("block_num", "par_num", "line_num"))
        yield key, RecognizedWord(text, left, top, left + width, top + height, confidence / 100)

"""Which program recognizes the text of scans, by what is installed and the language."""

import shutil
from dataclasses import dataclass
from importlib.util import find_spec

from webquarry.errors import BadInputError

_AUTO, RAPIDOCR, _TESSERACT = "auto", "rapidocr", "tesseract"
# whose letters the model in RapidOCR's wheel knows
_RAPID_LANGUAGES = frozenset((
     "af", "bs", "ca", "cs", "cy", "da", "de", "en", "es", "et", "eu", "fi", "fr", "ga", "gl",
     "hr", "hu", "id", "is", "it", "ja", "la", "lb", "lt", "lv", "mi", "ms", "mt", "nb", "nl",
     "nn", "no", "oc", "pl", "pt", "qu", "rm", "ro", "sk", "sl", "sq", "sv", "sw", "tl", "tr",
     "vi", "zh",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecognizerChoice:
    """The recognizers that are installed and allowed."""

    rapidocr: bool = False
    tesseract: str = ""  # the path of the program
    language: str = ""  # of scans that declare none

    def __bool__(self) -> bool:
        return self.rapidocr or bool(self.tesseract)

    def choose(self, language: str, *, is_wanted: bool = False) -> str:
        """Return the recognizer for a language; "" for none.

        `is_wanted`: the caller named the language, so no other recognizer will do.
        """
        primary = (language or self.language).replace("_", "-").partition("-")[0].lower()
        knows = not primary or primary in _RAPID_LANGUAGES
        if self.rapidocr and (knows or not self.tesseract):
            if is_wanted and not knows:
                raise BadInputError(
                    f"ocr_language: RapidOCR does not read {language!r}; install tesseract with "
                    "the data of this language"
                )
            return RAPIDOCR
        return self.tesseract


def installed_recognizers(setting: str, language: str = "") -> RecognizerChoice:
    """Return what a setting allows of what is installed."""
    has_rapid = setting in (_AUTO, RAPIDOCR) and _has_rapidocr()
    tesseract = shutil.which("tesseract") if setting in (_AUTO, _TESSERACT) else None
    return RecognizerChoice(rapidocr=has_rapid, tesseract=tesseract or "", language=language)


def _has_rapidocr() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None

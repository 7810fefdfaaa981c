"""Which recognizer reads a scan."""

import pytest

from webquarry.errors import BadInputError
from webquarry.reading.documents.ocr.recognizer_choice import (
    RecognizerChoice,
    installed_recognizers,
)

BOTH = RecognizerChoice(rapidocr=True, tesseract="/usr/bin/tesseract")


@pytest.mark.parametrize(
    ("choice", "language", "recognizer"),
    [
        (BOTH, "", "rapidocr"),
        (BOTH, "de-AT", "rapidocr"),
        (BOTH, "zh_TW", "rapidocr"),
        (BOTH, "ru", "/usr/bin/tesseract"),
        (RecognizerChoice(rapidocr=True), "ru", "rapidocr"),
        (RecognizerChoice(tesseract="/t"), "de", "/t"),
        (RecognizerChoice(rapidocr=True, tesseract="/t", language="el"), "", "/t"),
        (RecognizerChoice(), "de", ""),
    ],
)
def test_the_language_decides(choice: RecognizerChoice, language: str, recognizer: str) -> None:
    assert choice.choose(language) == recognizer


def test_a_language_that_the_caller_names_and_nothing_reads_is_refused() -> None:
    with pytest.raises(BadInputError, match="RapidOCR does not read 'ru'; install tesseract"):
        RecognizerChoice(rapidocr=True).choose("ru", is_wanted=True)


def test_the_setting_turns_text_recognition_off() -> None:
    assert not installed_recognizers("disabled")
    assert not installed_recognizers("tesseract").rapidocr

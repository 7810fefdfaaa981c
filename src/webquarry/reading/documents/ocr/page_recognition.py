"""Recognizes the text of pages that are images, within the limits of a document."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from webquarry.reading.documents.draft import DocumentDraft, DocumentTask
from webquarry.reading.documents.ocr.image_rules import rules_of
from webquarry.reading.documents.ocr.recognized import GrayImage, RecognitionError, Recognizer
from webquarry.reading.documents.ocr.recognizer_choice import RAPIDOCR
from webquarry.reading.documents.ocr.scanned_page import confidence_of, page_of
from webquarry.reading.documents.pdf.glyphs import Glyphs

MAX_PIXELS = 20_000_000
_MAX_PAGES = 30
_SPARE = 0.25  # of the time, for everything else
_LEAST = 0.5  # confidence of a line; what is recognized in pictures has less

TakesImage = Callable[[], tuple[GrayImage, int]]  # the image and its dots per inch


@dataclass(slots=True)
class RecognizedPages:
    """The pages that were recognized, and how sure their text is."""

    pages: dict[int, Glyphs] = field(default_factory=dict[int, Glyphs])
    confidence: dict[int, float] = field(default_factory=dict[int, float])


def recognize_pages(
    task: DocumentTask, draft: DocumentDraft, images: Iterable[tuple[int, TakesImage]], total: int
) -> RecognizedPages:
    """Return the pages by index; warn about those that could not be read."""
    found = RecognizedPages()
    recognizer = open_recognizer(task, draft)
    seconds = 0.0  # that the slowest page took
    for done, (index, take) in enumerate(images):
        started = task.remaining()
        if done >= _MAX_PAGES or started - seconds < _SPARE * task.seconds:
            draft.truncate(f"text recognition stopped after {done} of {total} scanned pages")
            break
        try:
            image, dpi = take()
            lines = recognizer.lines(image, dpi, task.remaining() - 1)
        except RecognitionError as error:
            draft.truncate(f"text recognition failed on page {index + 1}: {error}")
            break
        lines = [line for line in lines if confidence_of([line]) >= _LEAST]
        scale, height = 72 / dpi, image.shape[0] * 72 / dpi
        found.pages[index] = page_of(lines, rules_of(image, dpi, height), scale, height)
        found.confidence[index] = confidence_of(lines)
        seconds = max(seconds, started - task.remaining())
    if found.pages:
        count, sure = len(found.pages), min(found.confidence.values())
        draft.warnings.append(
            f"{count} scanned page{'s'[: count > 1]} read by text recognition "
            f"({recognizer.name}, confidence {sure:.0%}): expect errors"
        )
    return found


def open_recognizer(task: DocumentTask, draft: DocumentDraft) -> Recognizer:
    """Return the recognizer of a task, in the language of the caller or the document."""
    if task.recognizer == RAPIDOCR:
        from webquarry.reading.documents.ocr.rapid_recognizer import RapidRecognizer

        return RapidRecognizer()
    from webquarry.reading.documents.ocr.tesseract_recognizer import TesseractRecognizer

    return TesseractRecognizer(task.recognizer, task.language or draft.language)

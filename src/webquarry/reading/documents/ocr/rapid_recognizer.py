"""Reads images with RapidOCR, whose models are in its wheel."""

import logging
import os
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from webquarry.reading.documents.ocr.recognized import (
    GrayImage,
    RecognitionError,
    RecognizedLine,
    RecognizedWord,
)

_MAX_SIDE = 2_000  # pixels of an image; A4 at 170 dpi
_ERRORS = 3  # severity of what the runtime logs
_THREADS = 1  # CPU time is limited


class RapidRecognizer:
    """Runs the models in this process."""

    name = "RapidOCR"

    def __init__(self) -> None:
        self._engine = _engine()

    def lines(self, image: GrayImage, dpi: int, seconds: float) -> list[RecognizedLine]:
        """Return the lines with the confidence of each word."""
        import numpy

        try:
            found = self._engine(numpy.stack((image,) * 3, axis=-1), return_word_box=True)
        # the library and its runtime raise errors of many types
        except Exception as error:
            raise RecognitionError(type(error).__name__) from error
        lines = zip(found.txts or (), found.word_results or (), strict=False)
        return [line for text, words in lines if (line := _line(text, words))]


@cache
def _engine() -> Any:
    with _silence():
        runtime: Any = import_module("onnxruntime")
    runtime.disable_telemetry_events()
    runtime.set_default_logger_severity(_ERRORS)
    library: Any = import_module("rapidocr")
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return library.RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.max_side_len": _MAX_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": _THREADS,
            # takes some lines of ordinary pages for upside down
            "Global.use_cls": False,
            # several lines in one batch cost twice the CPU time: all are as wide as the widest
            "Rec.rec_batch_num": 1,
        }
    )


@contextmanager
def _silence() -> Generator[None]:
    """Drop what the runtime prints when it finds no graphics card in the sandbox."""
    kept = os.dup(2)
    try:
        os.dup2(1, 2)  # which leads nowhere in a worker process
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _line(text: str, words: Any) -> RecognizedLine:
    """Return the words of a line; where they are single characters, its text tells the spaces."""
    line: RecognizedLine = []
    at, last = 0, ""
    for part, confidence, corners in words:
        xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
        word = RecognizedWord(part, min(xs), min(ys), max(xs), max(ys), float(confidence))
        start = text.find(part, at)
        is_letter = len(part) == 1 and len(last) == 1  # in a line of Chinese or Japanese
        is_next = is_letter and start == at and bool(line) and _is_close(line[-1], word)
        last = part
        at = start + len(part) if start >= 0 else at
        if is_next:
            line[-1] = _joined(line[-1], word)
        elif part.strip():
            line.append(word)
    return line


def _is_close(last: RecognizedWord, word: RecognizedWord) -> bool:
    """Return whether two parts without a space between them are no further apart than letters."""
    return word.left - last.right < word.bottom - word.top


def _joined(last: RecognizedWord, word: RecognizedWord) -> RecognizedWord:
    """Return one word; lines of Chinese and Japanese have a part for each character."""
    size, more = len(last.text), len(word.text)
    confidence = (size * last.confidence + more * word.confidence) / (size + more)
    right = max(last.right, word.right)
    return last._replace(text=last.text + word.text, right=right, confidence=confidence)

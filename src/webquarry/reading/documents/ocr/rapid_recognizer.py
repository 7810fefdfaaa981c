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
        words = found.word_results or ()
        return [line for line in map(_line, words) if line]


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


def _line(words: Any) -> RecognizedLine:
    found: RecognizedLine = []
    for text, confidence, corners in words:
        xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
        if text.strip():
            found.append(
                RecognizedWord(text, min(xs), min(ys), max(xs), max(ys), float(confidence))
            )
    return sorted(found, key=lambda word: word.left)

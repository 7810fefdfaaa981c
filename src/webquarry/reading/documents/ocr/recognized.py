"""Text as it was recognized in an image."""

from typing import Any, NamedTuple, Protocol

GrayImage = Any  # a numpy array of bytes: rows of pixels, 0 is black


class RecognizedWord(NamedTuple):
    """A word with its box in pixels; y grows downwards."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float  # 0 to 1


RecognizedLine = list[RecognizedWord]  # from left to right


class Recognizer(Protocol):
    """Reads the text of images."""

    name: str  # for the reader of the document

    def lines(self, image: GrayImage, dpi: int, seconds: float) -> list[RecognizedLine]:
        """Return the lines in any order; `RecognitionError` if that fails."""
        ...


class RecognitionError(Exception):
    """Text recognition failed on an image."""

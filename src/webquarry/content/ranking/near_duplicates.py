"""Detects near-duplicate texts by hashed word shingles."""

import re
import zlib
from collections.abc import Sequence
from functools import cached_property

_SHINGLE_WORDS = 5
_MIN_WORDS = 30  # shorter texts are not compared
_COPY_OVERLAP = 0.75
_MIN_LENGTH_RATIO = 0.4  # an excerpt is not a copy
_SAME_OVERLAP = 0.97
_WORD = re.compile(r"[^\W_]+")
_MASK = (1 << 64) - 1
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


class TextFingerprint:
    """Hashed shingles of a text, to compare it with others."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def shingles(self) -> frozenset[int]:
        """The hashes of its word shingles; none for a text that is too short."""
        words = _WORD.findall(_UNSPACED.sub(r" \g<0> ", self._text.casefold()))
        if len(words) < _MIN_WORDS:
            return frozenset()
        starts = range(len(words) - _SHINGLE_WORDS + 1)
        shingles = (" ".join(words[at : at + _SHINGLE_WORDS]) for at in starts)
        return frozenset(zlib.crc32(shingle.encode("utf-8", "replace")) for shingle in shingles)

    def overlap(self, other: "TextFingerprint") -> float:
        """Return the share of the shorter text's shingles that the longer one has, 0 to 1."""
        fewer = min(len(self.shingles), len(other.shingles))
        return len(self.shingles & other.shingles) / fewer if fewer else 0.0

    def is_copy_of(self, other: "TextFingerprint") -> bool:
        """Tell whether two texts of similar length are mostly the same."""
        sizes = sorted((len(self.shingles), len(other.shingles)))
        similar_length = sizes[0] >= _MIN_LENGTH_RATIO * sizes[1]
        return similar_length and self.overlap(other) >= _COPY_OVERLAP

    def is_same_as(self, other: "TextFingerprint") -> bool:
        """Tell whether two texts are the same but for a few words."""
        return self.overlap(other) >= _SAME_OVERLAP


def cluster_copies(fingerprints: Sequence[TextFingerprint]) -> list[list[int]]:
    """Return the indexes of the texts, grouped so that copies are together, in order."""
    groups: list[list[int]] = []
    for index, fingerprint in enumerate(fingerprints):
        for group in groups:
            if any(fingerprint.is_copy_of(fingerprints[member]) for member in group):
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def djb2(text: str) -> int:
    """Return Bernstein's hash of a text in 64 bits."""
    value = 5381
    for byte in text.encode("utf-8", "surrogatepass"):
        value = (value * 33 + byte) & _MASK
    return value

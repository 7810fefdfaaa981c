"""Texts that are one text under several addresses, and paragraphs that come again."""

import re
import zlib
from collections.abc import Sequence
from functools import cached_property

_RUN = 5  # words that are compared together
_FEWEST = 30  # words a text must have to be compared
_CONTAINED = 0.75  # share of the shorter text that the longer one has
_SIMILAR_LENGTH = 0.4  # an excerpt is not a copy
_SAME = 0.97
_WORD = re.compile(r"[^\W_]+")
_MASK = (1 << 64) - 1
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


class TextFingerprint:
    """What identifies a text whoever publishes it."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def runs(self) -> frozenset[int]:
        """The hashes of its runs of words; none for a text too short to tell."""
        words = _WORD.findall(_UNSPACED.sub(r" \g<0> ", self._text.casefold()))
        if len(words) < _FEWEST:
            return frozenset()
        runs = (words[at : at + _RUN] for at in range(len(words) - _RUN + 1))
        return frozenset(zlib.crc32(" ".join(run).encode("utf-8", "replace")) for run in runs)

    def shares(self, other: "TextFingerprint") -> float:
        """Return the share of the shorter text that is in the longer one, 0 to 1."""
        fewer = min(len(self.runs), len(other.runs))
        return len(self.runs & other.runs) / fewer if fewer else 0.0

    def is_copy_of(self, other: "TextFingerprint") -> bool:
        """Tell whether the two are one text, give or take an introduction."""
        sizes = sorted((len(self.runs), len(other.runs)))
        close = sizes[0] >= _SIMILAR_LENGTH * sizes[1]
        return close and self.shares(other) >= _CONTAINED

    def is_same_as(self, other: "TextFingerprint") -> bool:
        """Tell whether nothing of substance differs."""
        return self.shares(other) >= _SAME


def clusters(imprints: Sequence[TextFingerprint]) -> list[list[int]]:
    """Return the places of the texts, those of one text together, in their order."""
    groups: list[list[int]] = []
    for place, imprint in enumerate(imprints):
        for group in groups:
            if any(imprint.is_copy_of(imprints[member]) for member in group):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def djb2(text: str) -> int:
    """Return Bernstein's hash of a text in 64 bits."""
    value = 5381
    for byte in text.encode("utf-8", "surrogatepass"):
        value = (value * 33 + byte) & _MASK
    return value

"""A fingerprint of a text that changes little when the text does (simhash), and its length."""

from typing import NamedTuple

_WINDOW = 8
_SPACE = 32
_MOST = 8_000  # bytes; pages that agree so far are alike enough
_FEWEST = 24  # features; a shorter text has no sketch that could be trusted
_SAMPLED = 1 << 59  # one window in 32, chosen by its content
_SHORT = 3_000  # bytes
_SAMPLED_SHORT = 1 << 62  # of a short text one in four
_ODD = 0x9E3779B97F4A7C15
_MIX = 0xBF58476D1CE4E5B9


class Simhash(NamedTuple):
    """What two texts are compared by."""

    bits: int  # 64 of them; 0: too short to compare
    words: int


def sketch(text: bytes) -> Simhash:
    """Return the sketch of a text in UTF-8; texts that nearly agree differ in a few bits.

    Features are windows of the text's bytes, sampled by their own hash, so that inserting a
    sentence changes only the features inside it.
    """
    import numpy as np

    letters = np.frombuffer(text, np.uint8)
    words = int(np.count_nonzero(letters == _SPACE)) + 1 if text else 0
    raw = text[:_MOST]
    if len(raw) < _WINDOW * _FEWEST:
        return Simhash(0, words)
    # every window of eight bytes as one number, one byte after another
    windows = np.ndarray((len(raw) - _WINDOW + 1,), np.uint64, raw, 0, (1,))
    windows = windows * np.uint64(_ODD)  # arrays wrap around without a word
    chosen = windows[windows < (_SAMPLED if len(raw) > _SHORT else _SAMPLED_SHORT)]
    if len(chosen) < _FEWEST:
        return Simhash(0, words)
    chosen = chosen * np.uint64(_MIX)
    chosen ^= chosen >> np.uint64(32)
    bits = np.unpackbits(chosen.view(np.uint8).reshape(-1, _WINDOW), axis=1)
    majority = bits.sum(axis=0, dtype=np.int32) * 2 > len(chosen)
    return Simhash(int(np.packbits(majority).view(np.uint64)[0]) or 1, words)


def distance(one: int, other: int) -> int:
    """Return in how many bits two sketches differ."""
    return (one ^ other).bit_count()

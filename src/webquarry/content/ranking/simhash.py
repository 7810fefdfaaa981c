"""Simhash: a 64-bit fingerprint that changes little when the text changes little."""

from typing import NamedTuple

_WINDOW = 8
_SPACE = 32
_MAX_BYTES = 8_000  # pages that agree up to here are near-duplicates
_MIN_FEATURES = 24  # with fewer, the fingerprint is unreliable
_SAMPLE_BELOW = 1 << 59  # hash threshold: one window in 32
_SHORT_BYTES = 3_000
_SAMPLE_BELOW_SHORT = 1 << 62  # for short texts one window in four
_HASH_FACTOR = 0x9E3779B97F4A7C15
_MIX_FACTOR = 0xBF58476D1CE4E5B9


class Simhash(NamedTuple):
    """The fingerprint and length of a text."""

    bits: int  # 64 of them; 0: too short to compare
    words: int


def simhash_of(text: bytes) -> Simhash:
    """Return the simhash of a UTF-8 text; near-duplicates differ in a few bits.

    Features are windows of the text's bytes, sampled by their own hash, so that inserting a
    sentence changes only the features inside it.
    """
    import numpy as np

    letters = np.frombuffer(text, np.uint8)
    words = int(np.count_nonzero(letters == _SPACE)) + 1 if text else 0
    raw = text[:_MAX_BYTES]
    if len(raw) < _WINDOW * _MIN_FEATURES:
        return Simhash(0, words)
    # overlapping windows: each eight bytes read as one integer, with a stride of one byte
    windows = np.ndarray((len(raw) - _WINDOW + 1,), np.uint64, raw, 0, (1,))
    windows = windows * np.uint64(_HASH_FACTOR)  # overflow wraps around silently
    chosen = windows[windows < (_SAMPLE_BELOW if len(raw) > _SHORT_BYTES else _SAMPLE_BELOW_SHORT)]
    if len(chosen) < _MIN_FEATURES:
        return Simhash(0, words)
    chosen = chosen * np.uint64(_MIX_FACTOR)
    chosen ^= chosen >> np.uint64(32)
    bits = np.unpackbits(chosen.view(np.uint8).reshape(-1, _WINDOW), axis=1)
    majority = bits.sum(axis=0, dtype=np.int32) * 2 > len(chosen)
    return Simhash(int(np.packbits(majority).view(np.uint64)[0]) or 1, words)


def hamming_distance(one: int, other: int) -> int:
    """Return the number of bits in which two simhashes differ."""
    return (one ^ other).bit_count()

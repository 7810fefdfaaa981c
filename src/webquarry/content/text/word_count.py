"""The number of words in a text, counted on arrays: patterns are slow on long texts."""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

# scripts that put no spaces between words: each sign counts as one word
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_JOINTS = "'\u2019.,:/@-"  # between two letters they join words to one
_WORD = re.compile(rf"[^\W_]+(?:[{_JOINTS}][^\W_]+)*")
_PLANE = 0x10000  # characters of the basic plane
_LETTER, _JOINT, _SIGN = 1, 2, 3


def count_runs(text: str) -> int:
    """Return how many words and signs that stand for words the text has."""
    if not text:
        return 0
    if text.isascii():
        kinds = np.frombuffer(text.encode().translate(_ascii_kinds()), np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        if codes.max() >= _PLANE:
            unspaced = len(_UNSPACED.findall(text))
            return unspaced + len(_WORD.findall(_UNSPACED.sub(" ", text) if unspaced else text))
        kinds = _kinds()[codes]
    letter = kinds == _LETTER
    runs = np.count_nonzero(letter[1:] > letter[:-1]) + int(letter[0])
    joints = np.count_nonzero((kinds[1:-1] == _JOINT) & letter[:-2] & letter[2:])
    signs = 0 if text.isascii() else np.count_nonzero(kinds == _SIGN)
    return int(runs - joints + signs)


@cache
def _kinds() -> NDArray[np.uint8]:
    """Return what each character of the basic plane is in the patterns above."""
    signs = "".join(map(chr, range(_PLANE)))
    kinds = np.fromiter((sign.isalnum() for sign in signs), np.uint8, _PLANE)
    kinds[[ord(sign) for sign in _JOINTS]] = _JOINT
    kinds[[ord(sign) for sign in _UNSPACED.findall(signs)]] = _SIGN
    return kinds


@cache
def _ascii_kinds() -> bytes:
    return _kinds()[:256].tobytes()

"""The admin key, compared in constant time; the previous key stays valid for a while."""

import hashlib
import hmac
from typing import Literal

Verdict = Literal["current", "previous", "wrong"]


class AdminKey:
    """The current admin key and the previous one."""

    def __init__(self, current: str, previous: str = "") -> None:
        self._current = _digest(current)
        self._previous = _digest(previous) if previous else None

    def check(self, given: str) -> Verdict:
        """Return which key was given."""
        # always compare both, and compare digests: the time reveals neither length nor match
        digest = _digest(given)
        current = hmac.compare_digest(digest, self._current)
        previous = hmac.compare_digest(digest, self._previous or self._current)
        if current:
            return "current"
        return "previous" if previous and self._previous else "wrong"


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()

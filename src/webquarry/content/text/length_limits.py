"""The one way to limit the length of foreign text before patterns and loops see it."""

from typing import TypeVar

_Text = TypeVar("_Text", str, bytes)


def cap_text(text: _Text, limit: int) -> _Text:
    """Return at most the first `limit` characters or bytes of foreign text.

    For text that is searched or compared, not for text that is shown: nothing marks the cut.
    """
    return text if len(text) <= limit else text[:limit]

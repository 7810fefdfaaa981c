"""Word lists written as one string."""


def words(text: str) -> tuple[str, ...]:
    """Return the words of the text."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Return the words of the text as a set."""
    return frozenset(text.split())

"""Lists of words, written as running text."""


def words(text: str) -> tuple[str, ...]:
    """Return the words of the text."""
    return tuple(text.split())

"""Collapses white space."""

_LONG = 80  # characters
_OTHER_WHITE_SPACE = "\n\t\r\v\f\x1c\x1d\x1e\x1f"


def collapse_whitespace(text: str) -> str:
    """Return the text with each run of white space replaced by one space."""
    # most prose needs no change, and checking is much cheaper than splitting and joining
    if _is_on_one_line(text) and "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())


def _is_on_one_line(text: str) -> bool:
    """Tell whether the text has no white space but spaces; False is possible in that case, too."""
    if len(text) < _LONG or not text.isascii():
        return text.isprintable()  # the space is the only printable white space
    # searching a long text for one character at a time is several times as fast as isprintable
    return not any(character in text for character in _OTHER_WHITE_SPACE)

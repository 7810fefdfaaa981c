"""Collapses white space."""

_LONG = 80  # characters
_OTHER_WHITE_SPACE = "\n\t\r\v\f\x1c\x1d\x1e\x1f"


def collapse_whitespace(text: str) -> str:
    """Return the text with each run of white space replaced by one space."""
    # most prose needs no change, and checking is much cheaper than splitting and joining
    if len(text) < _LONG or not text.isascii():
        only_spaces = text.isprintable()  # the space is the only printable white space
    else:
        # searching a long text for one character at a time is several times as fast
        only_spaces = not any(map(text.__contains__, _OTHER_WHITE_SPACE))
    if only_spaces and "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())

"""Match expressions of SQLite FTS5, and text as FTS5 can index it."""

import re

# scripts without spaces between words: every character is indexed as a word
_UNSPACED = re.compile(
    r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])"
)
_WORD = re.compile(r"\w+")


def separate_characters(text: str) -> str:
    """Return text with spaces around the characters of scripts that are written without them."""
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def match_expression(
    words: str, exact: str | None, excluded: tuple[str, ...], *, operator: str
) -> str | None:
    """Return an expression: the words joined by `operator`, the phrase, none of the excluded."""
    phrases = [phrase for word in words.split() if (phrase := _phrase(word))]
    any_or_all = f"({operator.join(dict.fromkeys(phrases))})" if phrases else None
    exact_phrase = _phrase(exact) if exact else None
    match = " AND ".join(part for part in (any_or_all, exact_phrase) if part)
    for text in excluded:
        if match and (phrase := _phrase(text)):
            match = f"({match}) NOT {phrase}"
    return match or None


def _phrase(text: str) -> str | None:
    """Return an FTS5 phrase; the quotes disable operators in the text."""
    words = _WORD.findall(separate_characters(text))
    return f'"{" ".join(words)}"' if words else None

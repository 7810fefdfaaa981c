"""Typography of citations: quotation marks and full stops."""

import re

# a straight quotation mark opens at the start, after a space and after an opening bracket
_STRAIGHT_DOUBLE = re.compile(r'(?P<opening>(?:(?<=[\s(\[\u2018\'])|(?<![\s\S]))")|"')
_QUOTATION_MARKS = re.compile("[\u201c\u201d]")


def curly_quotes(text: str) -> str:
    """Return the text with typographic double quotation marks."""
    return _STRAIGHT_DOUBLE.sub(lambda match: "\u201c" if match["opening"] else "\u201d", text)


def nested_quotes(text: str) -> str:
    """Return the text with single quotation marks inside double ones, at every second level."""
    depth = 0

    def mark(match: re.Match[str]) -> str:
        nonlocal depth
        opening = match[0] == "\u201c"
        depth = max(0, depth + (1 if opening else -1))
        level = depth if opening else depth + 1
        single = level % 2 == 0
        return ("\u2018" if single else "\u201c") if opening else ("\u2019" if single else "\u201d")

    return _QUOTATION_MARKS.sub(mark, text)


def with_full_stop(text: str) -> str:
    """Return the text with a full stop at its end, inside quotation marks, unless it has one."""
    inside = text.rstrip("\u2019\u201d")
    marks = text[len(inside) :]
    return text if inside[-1:] in {".", "?", "!", "\u2026"} else f"{inside}.{marks}"

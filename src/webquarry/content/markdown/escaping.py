"""Text that would be Markdown markup, with backslashes; TeX in it stays as it is."""

import re
from itertools import pairwise

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|[*`]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|~(?=~)|&(?=#?\w{1,32};)"
)
_TEX_DELIMITER = re.compile(r"(?<!\\)\\([()\[\]])")
_TEX_DOLLARS = {"()": "$", "[]": "$$"}
_TEX_SIGN = re.compile(r"[\\^_={}]|^\s*+\w\s*+$")


def escape(text: str) -> str:
    """Return the text with a backslash before characters that are Markdown markup."""
    # most texts have none of these, and substring search is far cheaper than the pattern
    if "*" in text or "_" in text or "<" in text or "`" in text or "\\" in text or "~" in text:
        return _escaped_around_formulas(text) if "\\" in text else _escaped(text)
    return _escaped(text) if "&" in text else text


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _escaped_around_formulas(text: str) -> str:
    r"""Return the text with the TeX between `\(…\)` or `\[…\]`, as MathJax reads it, in dollars."""
    parts: list[str] = []
    end = 0
    for opening, closing in pairwise(_TEX_DELIMITER.finditer(text)):
        dollars = _TEX_DOLLARS.get(opening[1] + closing[1])
        tex = " ".join(text[opening.end() : closing.start()].split())
        if dollars and _TEX_SIGN.search(tex):
            parts += [_escaped(text[end : opening.start()]), f"{dollars}{tex}{dollars}"]
            end = closing.end()
    return "".join([*parts, _escaped(text[end:])])

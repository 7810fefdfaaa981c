"""Text inside BibTeX: every character comes back when it is read again."""

import re

_SPECIAL = re.compile(r"[\\{}&%$#_~^]")
_NAMES = {"\\": "textbackslash", "~": "textasciitilde", "^": "textasciicircum"}


def tex(text: str) -> str:
    """Return the text with what TeX takes for commands made harmless."""
    return _SPECIAL.sub(lambda found: _escape(found[0]), text)


def tex_url(url: str) -> str:
    """Return the address as it is, but for braces and backslashes, which would end the field."""
    return url.replace("\\", "%5C").replace("{", "%7B").replace("}", "%7D")


def _escape(character: str) -> str:
    name = _NAMES.get(character)
    return f"\\{name}{{}}" if name else f"\\{character}"

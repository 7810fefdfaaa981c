"""Given names as bibliographies write them: initials, and particles that stay small."""

import re

from webquarry.content.citations.author_names import PARTICLES

_CROWDED_INITIALS = re.compile(r"(?<=[^\W\d_]\.)(?=[^\W\d_])")
_BARE_INITIAL = re.compile(r"(?<![\w.'\u2019-])([^\W\d_])(?![\w.'\u2019-])")


def spaced_initials(given: str) -> str:
    """Return `J.K.` and `J K` as `J. K.`; other given names stay."""
    return _BARE_INITIAL.sub(_with_stop, _CROWDED_INITIALS.sub(" ", given))


def _with_stop(initial: re.Match[str]) -> str:
    return f"{initial[1]}." if initial[1].isupper() else initial[1]


def initials(given: str) -> str:
    """Return the initials of a given name: `J.-P.` of Jean-Pierre, `R. C. de` of Rafael C. de."""
    return " ".join(
        word if word in PARTICLES else _initial(word) for word in spaced_initials(given).split()
    )


def _initial(word: str) -> str:
    return "-".join(f"{part[0].upper()}." for part in word.split("-") if part)


def trailing_particle(given: str) -> tuple[str, str]:
    """Return a given name and the particle after it: `Rafael C. de` of Oliveira, Rafael C. de."""
    words = given.split()
    end = len(words)
    while end > 1 and words[end - 1] in PARTICLES:
        end -= 1
    return " ".join(words[:end]), " ".join(words[end:])


def leading_particle(family: str) -> tuple[str, str]:
    """Return a family name and the particle before it: `van` of van Slate, Ludwig."""
    words = family.split()
    start = 0
    while start < len(words) - 1 and words[start] in PARTICLES:
        start += 1
    return " ".join(words[start:]), " ".join(words[:start])

"""The words by which noise and availability are recognised, as patterns."""

import re
from pathlib import Path

_TABLE = Path(__file__).with_name("noise_words.txt").read_text(encoding="utf-8")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def _by_category() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in _TABLE.splitlines():
        if line and not line.startswith("#"):
            category, _, listed = line.partition("|")
            phrases = (phrase.strip() for phrase in listed.split(","))
            found.setdefault(category.strip(), []).extend(phrases)
    return found


_PHRASES = _by_category()


def any_of(category: str) -> str:
    """Return a pattern for the phrases of a category as whole words, the longest first."""
    phrases = sorted(_PHRASES[category], key=len, reverse=True)
    spaced = [_written(each) for each in phrases if not _UNSPACED.search(each)]
    unspaced = [_written(each) for each in phrases if _UNSPACED.search(each)]
    return "|".join([rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)", *unspaced])


def _written(phrase: str) -> str:
    """Return the pattern of a phrase, in which # stands for a number."""
    return (
        re.escape(phrase).replace(r"\ ", r"\s").replace(r"\#", r"\d{1,5}").replace("'", "['\u2019]")
    )

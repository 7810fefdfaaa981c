"""What a prompt says about a crawl, by rules: numbers, paths and a few words."""

import re
from typing import Any

Json = dict[str, Any]
_MAX_PROMPT = 10_000
_COUNT = re.compile(r"\b(\d{1,6}) (?:\w{1,20} ){0,2}pages?\b", re.IGNORECASE)
_DEPTH = re.compile(
    r"\b(?:depth(?: of)? (\d{1,3})|(\d{1,3}) (?:levels?|clicks?|links?) deep)\b", re.IGNORECASE
)
_PATH = re.compile(r"(?<![\w/:.])/[a-z0-9][\w.~/-]{0,80}", re.IGNORECASE)
_SECTION = re.compile(
    r"\b(blog|docs|documentation|news|products?|pricing|support|help|guides?|tutorials?|careers|"
    r"changelog|faq|api|press|events)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:except|exclud\w{0,5}|without|skip|not|ignore)\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;,\n]")


def crawl_hints(prompt: str) -> Json:
    """Return the parameters of a crawl that a prompt states."""
    text = prompt[:_MAX_PROMPT]
    hints: Json = {}
    if match := _COUNT.search(text):
        hints["limit"] = max(1, int(match[1]))
    if match := _DEPTH.search(text):
        hints["maxDiscoveryDepth"] = int(match[1] or match[2])
    hints |= _path_hints(text)
    lower = text.lower()
    words = {
        "allowSubdomains": "subdomain",
        "allowExternalLinks": "external link",
        "crawlEntireDomain": "entire",
    }
    return hints | {name: True for name, word in words.items() if word in lower}


def _path_hints(text: str) -> Json:
    """Return the paths to read and to leave out, each part of a sentence for itself."""
    include: list[str] = []
    exclude: list[str] = []
    for part in _SENTENCE.split(text):
        negated = _NEGATION.search(part)
        before, after = (part[: negated.start()], part[negated.end() :]) if negated else (part, "")
        include += _paths(before, sections=bool(_ONLY.search(before)))
        exclude += _paths(after, sections=True)
    found = {"includePaths": include, "excludePaths": exclude}
    return {name: list(dict.fromkeys(paths)) for name, paths in found.items() if paths}


def _paths(text: str, *, sections: bool) -> list[str]:
    """Return the paths in a text, and those that the names of sections usually have."""
    named = [f"^{re.escape(path.rstrip('/'))}(/.*)?$" for path in _PATH.findall(text)]
    words = _SECTION.findall(text) if sections and not named else []
    return named + [f"^/{word.lower()}(/.*)?$" for word in words]

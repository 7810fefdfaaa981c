"""The work of every parser grows no faster than its input.

Calls are counted, which does not depend on the machine. Work inside one call is tested for
patterns in `test_patterns.py`; for the rest the CPU time of a short and a long input is compared,
with a margin between linear (8 times) and quadratic (64 times) growth.
"""

import sys
import time
from collections.abc import Callable
from types import FrameType

import pytest

from bench.fuzz.targets import TARGETS

SHAPES: dict[str, dict[str, str]] = {  # target -> name -> what is repeated
    "html": {
        "open elements": "<div>", "open comments": "<!--", "open links": "<a href='",
        "cells": "<td>",
        "spans": "<td colspan=999 rowspan=999>x", "spaces": "     ", "list items": "<ul><li>a",
        "candidates": "<img srcset='a b'>", "formatting": "<b><i>x", "paragraphs": "<p>word word.",
        "entities": "&amp;", "open style attributes": '<p style="opacity:',
    },
    "css": {
        "zeros": "opacity:0000", "open comments": "/*", "open braces": "a{",
        "at-rules": "@media a{",
        "rules": ".a b{color:red}", "closing braces": "}", "functions": "color:rgba(",
        "font sizes": "font-size:000", "selectors": ".a .b > c,", "spaces": "     ",
    },
    "json_ld": {
        "spaces": "     ", "no full stop": "word word ", "authors": "Ada Brook and ",
        "semicolons": " ; ", "open objects": '{"a":', "open lists": "[", "quotes": '\\"',
        "separators": " | ", "dashes": " - ",
    },
    "markdown": {
        "open links": "[", "link starts": "[](", "images": "![", "escaped": "\\[", "code": "`a",
        "headings": "# a #\n", "table rows": "|a|\n|---|\n", "fences": "```\n", "emphasis": "**a",
        "blank lines": "\n ", "quotes": ">",
    },
    "text": {
        "full stops": ". ", "dots": ".", "spaces": "     ", "tags": "<a", "open comments": "<!--",
        "cells": " | ", "abbreviations": "e.g. ", "words": "word ",
    },
    "bibtex_file": {
        "spaces in authors": "@a{b, author = {A" + " " * 50 + "B}}\n", "authors": "A and ",
        "entries": "@a{b,title={c}}\n", "open braces": "@a{b, t={", "strings": '@string{a="b"}\n',
    },
    "ris_file": {"records": "TY  - JOUR\nER  - \n", "authors": "AU  - A\n", "lines": "TI  - a\n"},
    "citation": {
        "spaces": "     ", "authors": "A, B. and ", "years": "(1999, ", "quotes": " 'a",
        "words": "word ", "dots": ". ", "names": "A;",
    },
    "sitemap": {"urls": "<url><loc>https://a.b/c</loc></url>", "lines": "https://a.b/c\n"},
    "robots": {"rules": "Disallow: /a*b\n", "agents": "User-agent: a\n", "stars": "*"},
    "feed": {"items": "<item><title>a</title></item>", "open": "<item>"},
    "searxng": {
        "results": "<div class=result><a href='https://a.b'>c</a></div>",
        "open": "<div class=result>",
        "engines": "<div class=dialog-error>a (b", "numbers": "<p id=result_count>9",
    },
    "fields": {
        "labels": "<p>Price: 12 €</p>", "items": "<li>a, b", "spaces": "     ", "digits": "1,",
        "definitions": "<dt>a<dd>b", "addresses": "a@", "reviews": "5 ",
        "cards": "<div class=a>b</div>",
    },
    "sdmx": {"open lists": "[", "open objects": '{"data":'},
    "http": {"headers": "A: b\r\n", "chunks": "1\r\na\r\n"},
    "captions": {
        "open lines": '<text start="1">', "tags": "<text", "times": "00:00:01.000 --> a\n\n",
        "digits": "1", "spaces": "\n  ",
    },
}  # fmt: skip
CASES = [(target, name) for target, shapes in SHAPES.items() for name in shapes]
_SHORT, _LONG = 1500, 12_000  # characters
_ENDS = {"sitemap": ("<urlset>", "</urlset>"), "feed": ("<rss><channel>", "</channel></rss>")}


@pytest.mark.parametrize(("target", "name"), CASES)
def test_a_parser_is_not_slower_per_character_on_longer_inputs(target: str, name: str) -> None:
    part = SHAPES[target][name]
    before, after = _ENDS.get(target, ("", "")) if part.startswith("<") else ("", "")

    def parse(size: int) -> None:
        TARGETS[target]((before + part * (size // len(part) + 1) + after).encode())

    parse(100)  # fills the caches
    short, long = (_calls(parse, size) for size in (_SHORT, _LONG))
    assert long < 1.3 * 8 * short + 5000
    # caches and the garbage collector make short runs vary by a factor of two
    if _cpu_time(parse, 8 * _LONG) > 1.0:
        ratio = min(_cpu_time(parse, 8 * _LONG) / _cpu_time(parse, _LONG) for _ in range(3))
        assert ratio < 40


def _calls(parse: Callable[[int], None], size: int) -> int:
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        parse(size)
    finally:
        sys.setprofile(None)
    return count


def _cpu_time(parse: Callable[[int], None], size: int) -> float:
    started = time.thread_time()
    parse(size)
    return time.thread_time() - started

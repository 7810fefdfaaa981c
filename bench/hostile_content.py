"""Content and arguments built to keep a parser busy for minutes, for tests and attacks."""

import json

from bench.hostile_case import HostileCase, repeat
from bench.hostile_responses import RESPONSES

_SMALL = 60_000
_MEDIUM = 120_000
_LARGE = 4_000_000


def _times(piece: str, size: int = _SMALL) -> str:
    return repeat(piece, size)


def _page(name: str, body: str) -> HostileCase:
    return HostileCase(name, f"<title>x</title><p>Owls.</p>{body}".encode())


def _json_ld(name: str, text: str) -> HostileCase:
    return _page(name, f'<script type="application/ld+json">{text}</script>')


def _text(name: str, text: str, kind: str = "text/markdown") -> HostileCase:
    return HostileCase(name, text.encode(), f"{kind}; charset=utf-8")


def _extract(name: str, body: str, **field_schema: str) -> HostileCase:
    schema = {"type": "object", "properties": {"name": {"type": "string", **field_schema}}}
    arguments = {"urls": ["{url}"], "prompt": "the name", "schema": schema}
    return HostileCase(name, body.encode(), tool="cinder_extract", arguments=arguments)


def _sources(name: str, **source: str) -> HostileCase:
    arguments = {"style": "apa", "sources": [{"url": "https://a.example/", **source}]}
    return HostileCase(name, tool="format_bibliography", arguments=arguments)


def _attributes(size: int) -> str:
    return f"<div {' '.join(f'a{number}=1' for number in range(size // 9))}>x</div>"


_SPACES = " " * 40_000
_NESTED = "<div>" * 140 + "x" * 400 + "</div>" * 140

CASES = (
    _page("CSS number of zeros", f'<p style="opacity:{"0" * 62_000}x">x</p>'),
    _page("CSS colour of digits", f'<p style="color:rgb({"1" * 62_000}">x</p>'),
    _page("CSS font of spaces", f'<p style="font:{_SPACES}x">x</p>'),
    _page("unclosed CSS comments", f"<style>{_times('/*')}</style>"),
    _page("CSS of open braces", f"<style>{_times('a{')}</style>"),
    _page("CSS of selectors", f"<style>{_times('a b>c,')}{{display:none}}</style>"),
    _page("CSS of nested :not", f"<style>{_times(':not(')}</style>"),
    _page("embedded data without a full stop",
          f'<script id=__NEXT_DATA__ type=application/json>{{"a":"{_times("word ", 44_000)}"}}'
          "</script>"),
    _page("embedded data nested", f"<script id=__NEXT_DATA__>{'[' * 60_000}</script>"),
    _json_ld("authors of spaces", f'{{"@type":"Article","author":"a{_SPACES}b"}}'),
    _json_ld("authors with many separators", json.dumps({"author": _times("and ,")})),
    _json_ld("a long list", json.dumps({"@graph": [{"@type": "Thing"}] * 3_000})),
    _json_ld("nested lists", '{"a":' + "[" * 50_000),
    _json_ld("a date of digits", json.dumps({"datePublished": "1" * _SMALL})),
    _page("nested elements", _times("<div>")),
    _page("nested lists of HTML", _times("<ul><li>")),
    _page("attributes", _attributes(_MEDIUM)),
    _page("formatting elements", _times("<b><i><u>")),
    _page("foster parenting", _times("<table><a>")),
    _page("forms and tables", _times("<form><table><tr>")),
    _page("entities", _times("&amp;&notit;")),
    _page("comments", _times("<!--")),
    _page("a title of spaces", f"<title>{_SPACES}</title>"),
    _page("a class of many words", f'<p class="{_times("ad share ")}">x</p>'),
    _page("a refresh of digits", f'<meta http-equiv=refresh content="{"1" * _SMALL}">'),
    _page("a source set of commas", f'<img srcset="{_times(", ")}">'),
    _page("a link of spaces", f'<a href="{_SPACES}">x</a>'),
    _page("text without sentences", _times("word", _MEDIUM)),
    _page("text of spaces and line ends", _times(" \n", _MEDIUM)),
    _page("text of brackets", _times("[(", _MEDIUM)),
    _page("a large page of attributes", _attributes(_LARGE)),
    _page("a large page of nested lists", _times("<ul><li>", _LARGE)),
    _page("a large page of style attributes", _times('<p style="color:#', _LARGE)),
    _text("Markdown of brackets", _times("[")),
    _text("Markdown of stars", _times("**a ")),
    _text("front matter without an end", "---\n" + _times("title: \n")),
    _text("a feed of nested elements", "<rss>" + _times("<item>", 500_000), "application/rss+xml"),
    _text("nested JSON", "[" * 200_000, "application/json"),
    _text("a table of commas", _times(",", 2_000_000), "text/csv"),
    _extract("XPath that searches for each element", _NESTED * 12, **{
        "x-selector": "//*[contains(translate(string(.), 'x', 'y'), 'z')]"
                      "/ancestor::*[contains(translate(string(.), 'x', 'y'), 'z')]"}),
    _extract("XPath with nested functions", _NESTED * 12, **{
        "x-selector": "//div[contains(translate(concat(string(.), string(..)), 'x', 'y'),"
                      " translate(string(.), 'y', 'z'))]"}),
    _extract("labels without values", _times("<dt>name<dd>")),
    _sources("an author of spaces", author=f"a{_SPACES}b"),
    _sources("an author of separators", author="and " * 10_000),
    _sources("a date of digits", date="1" * 40_000),
    _sources("a title of braces", title="{" * 40_000),
    HostileCase("a map of nested lists", _times("<ul><li>", _LARGE).encode(),
                tool="cinder_map", arguments={"url": "{url}"}),
    *RESPONSES,
)  # fmt: skip

# froze the server, went on after their end or ended in an internal error before parsing could be
# stopped (`--python` of commit 82aa3d0); the other cases did not, and guard against mistakes
REGRESSIONS = frozenset((
    "CSS number of zeros", "embedded data without a full stop", "authors of spaces",
    "a table of commas", "an author of spaces", "a map of nested lists", "a URL of escapes",
    "a table with many groups", "a table with a long position", "a table with a long key",
    "a chart with a long title", "attributes of a SearXNG page", "attributes of a result page",
    "attributes of a patent",
))  # fmt: skip

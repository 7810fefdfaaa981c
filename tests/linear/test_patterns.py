"""No pattern needs more work per character for a longer text, as in denial-of-service attacks.

The work is counted in steps, so that the result does not depend on the machine.
"""

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.linear.backtracking import Matcher
from tests.linear.pattern_inventory import UsedPattern, all_patterns
from tests.linear.pumping import pump
from webquarry.content.citations import bluebook, url_without_doi
from webquarry.content.claims import promotion
from webquarry.content.ranking import source_type
from webquarry.storage.index_snippet import word_pattern

# Patterns that may be slow, because the text that they see is short.
SHORT_TEXTS = {
    "webquarry.content.fields.grounding._LABEL_BEFORE": "at most 200 characters before a value",
    "webquarry.content.html.charset._META_CHARSET": "the first 4,096 bytes of a page",
    "webquarry.content.text.length._LINK": "matched once, at one position",
}
# Patterns that are put together when they are used.
COMPOSED = {
    "webquarry.content.citations.bluebook:pattern": "tested below",
    "webquarry.content.citations.url_without_doi:pattern.replace('LANCET', _LANCET) + _VIEW": (
        "tested below"
    ),
    "webquarry.content.claims.promotion:each.replace('{0}', entity)": "tested below",
    "webquarry.content.html.walls:'|'.join(phrases).replace(\"'\", \"['’]\")": "at import",  # noqa: RUF001 - as in the source
    "webquarry.content.ranking.source_type:pattern": "tested below",
    "webquarry.crawl.scope:pattern": "only patterns without loops that backtrack; else RE2",
    "webquarry.services.searching.result_filters:f'(?<!\\\\w){words}(?!\\\\w)' "
    "if term.isascii() else words": "escaped words",
    "webquarry.settings.value_types:pattern": "operators' settings",
    "webquarry.storage.index_snippet:'|'.join((f'({part})' for part in parts))": "tested below",
}
PACKAGES = ("content.brand", "content.citations", "content.claims", "content.fields",
            "content.html", "content.", "reading", "")  # fmt: skip


@pytest.mark.parametrize("package", PACKAGES)
def test_no_pattern_is_slower_per_character_on_longer_texts(package: str) -> None:
    slow = {
        used.place: attack
        for used in _in_package(package)
        for method in used.methods
        if used.place not in SHORT_TEXTS and (attack := pump(used.pattern, method))
    }
    assert slow == {}


def test_composed_patterns_are_not_slower_per_character_on_longer_texts() -> None:
    stakes = vars(promotion)["_STAKE_PATTERNS"].values()
    sources = [each.replace("{0}", r"(?:the )?Some Name\b") for kind in stakes for each in kind]
    sources += vars(source_type)["_CATEGORY_PATTERNS"].values()
    searched = {each: pump(re.compile(each, re.IGNORECASE)) for each in sources}
    searched |= {
        rule.pattern.pattern: pump(rule.pattern, "fullmatch")
        for rule in vars(url_without_doi)["_rules"]()
    }
    searched |= {each: pump(re.compile(each), "fullmatch") for each in vars(bluebook)["_RANKS"]}
    words = word_pattern([("owls", ["owl"]), ("hunting", ["hunt"]), ("夜", ["夜"])])
    assert words is not None
    searched["words of a query"] = pump(words)
    assert {each: attack for each, attack in searched.items() if attack} == {}


def test_exceptions_name_patterns_that_exist_and_need_them() -> None:
    slow = {
        used.place
        for used in _all()
        if used.place in SHORT_TEXTS and any(pump(used.pattern, each) for each in used.methods)
    }
    composed = {used.place for used in _all() if used.methods == ("unknown",)}
    assert (slow, composed) == (set(SHORT_TEXTS), set(COMPOSED))


def test_patterns_in_tuples_classes_and_functions_are_found() -> None:
    places = {used.place for used in _all()}
    assert {
        "webquarry.observe.mask._PATTERNS",
        "webquarry.content.brand.fonts._USES",
        "webquarry.content.html.metadata:'\\\\W'",
    } <= places
    assert len(_all()) > 600


@pytest.mark.parametrize(
    ("source", "method"),
    [
        (r"(a+)+b", "match"),
        (r"(a|a)*b", "fullmatch"),
        (r"\s+$", "search"),
        (r"\s*;\s*", "search"),
        (r"<!--.*?-->", "search"),
        (r"\[[^\]]*\]\(", "search"),
        (r"opacity\s*:\s*0*\.?0*\s*(?:%|;|$)", "search"),
        (r"^\s*(`{3,})", "search"),
        (r"a.*b.*c", "match"),
        (r"(?:\w+\s*){1,4}$", "match"),
        (r"(.)\1*x", "search"),
    ],
)
def test_slow_patterns_are_recognised(source: str, method: str) -> None:
    assert pump(re.compile(source, re.MULTILINE), method) is not None


@pytest.mark.parametrize(
    ("source", "method"),
    [
        (r"(?:a++)+b", "match"),
        (r"(?<!\s)\s+$", "search"),
        (r"(?:(?<!\s)\s++)?;\s*", "search"),
        (r"<[^<>]*>", "search"),
        (r"\s*$", "match"),
        (r"[a-z]+", "search"),
        (r"a{1,80}b", "search"),
        (r"(?>.*Bank)\w*", "fullmatch"),
    ],
)
def test_linear_patterns_are_accepted(source: str, method: str) -> None:
    assert pump(re.compile(source), method) is None


_PATTERNS = (
    r"a*?b|(?<=a)c+", r"(a|ab)(c|bcd)*d?", r"(?i:A)(?!b)[^c]\b", r"(a)(?:b|\1)++c?", r"^a|c$|\Bb",
)  # fmt: skip


@settings(max_examples=300)
@given(source=st.sampled_from(_PATTERNS), text=st.text("abcd \n", max_size=12))
def test_the_step_counter_matches_what_re_matches(source: str, text: str) -> None:
    pattern = re.compile(source, re.MULTILINE)
    assert Matcher(pattern).spans(text) == [match.span() for match in pattern.finditer(text)]


@cache
def _all() -> tuple[UsedPattern, ...]:
    return tuple(all_patterns())


def _in_package(package: str) -> list[UsedPattern]:
    """Return the patterns of a package that no earlier package has."""
    earlier = tuple(f"webquarry.{name}" for name in PACKAGES[: PACKAGES.index(package)])
    return [
        used
        for used in _all()
        if used.methods != ("unknown",)
        and used.place.startswith(f"webquarry.{package}")
        and not used.place.startswith(earlier)
    ]


def test_every_pattern_belongs_to_a_tested_package() -> None:
    tested: list[Any] = [used for package in PACKAGES for used in _in_package(package)]
    assert len(tested) == len([used for used in _all() if used.methods != ("unknown",)])

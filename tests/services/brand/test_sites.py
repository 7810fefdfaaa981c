"""Twenty sites of different make: each field is right or empty."""

from typing import Any

import pytest

from tests.brand_sites import load, names
from tests.services.brand.serving import researching
from tests.support import ALICE
from webquarry.services.brand.service import BrandQuery

pytestmark = pytest.mark.anyio
_SAID = ("identity", "colors", "logos", "typography", "tone_of_voice", "social", "coverage")


def test_there_are_at_least_twenty_sites() -> None:
    assert len(names()) >= 20


@pytest.mark.parametrize("name", names())
async def test_each_field_is_right_or_empty(name: str) -> None:
    site = load(name)
    async with researching(site, load("tern")) as research:
        url = research.town.live(f"http://{name}.test/")
        found = research.plain(await research.brands.research(BrandQuery(url=url), ALICE))

    expect = site.expect
    assert {key: found[key] for key in _SAID} == {key: expect[key] for key in _SAID}
    assert found.get("guidelines_url") == expect.get("guidelines_url")
    assert _portal(found) == expect["portal"]
    assert len(found.get("unchecked", [])) == expect.get("unchecked", 0)
    if "sources" in expect:
        assert found["sources"] == expect["sources"]


@pytest.mark.parametrize("name", names())
async def test_every_field_has_a_source(name: str) -> None:
    site = load(name)
    async with researching(site, load("tern")) as research:
        url = research.town.live(f"http://{name}.test/")
        found = research.plain(await research.brands.research(BrandQuery(url=url), ALICE))

    told = {field for source in found["sources"] for field in source["fields"]}
    groups = [key for key in _SAID if key != "coverage"]
    fields = {f"{group}.{key}" for group in groups for key, value in found[group].items() if value}
    assert fields - {"identity.domain"} == told


def _portal(found: dict[str, Any]) -> str:
    if "brand_portal_resource" in found:
        assert "suggestion" not in found
        return "read"
    page = found.get("guidelines_url") or f"http://{found['identity']['domain']}/"
    assert f"scrape_page on {page}" in found["suggestion"]
    return "closed" if found.get("guidelines_url") else "none"

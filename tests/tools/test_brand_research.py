"""`brand_research`: what a client sees."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import jsonschema
import pytest

from tests.brand_sites import load
from tests.services.brand.serving import Research, researching
from tests.support import ALICE, BOB, CallHarness, override, services, text_of
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.tools.brand_research import brand_research

pytestmark = pytest.mark.anyio

SCHEMA = {  # of the format of the Design Tokens Community Group, 2025.10
    "$ref": "#/$defs/group",
    "$defs": {
        "group": {
            "type": "object",
            "propertyNames": {"pattern": r"^[^$.{}][^.{}]*$"},
            "additionalProperties": {
                "if": {"required": ["$value"]},
                "then": {"$ref": "#/$defs/token"},
                "else": {"$ref": "#/$defs/group"},
            },
        },
        "token": {
            "type": "object",
            "required": ["$type", "$value"],
            "additionalProperties": False,
            "properties": {
                "$type": {"enum": ["color", "dimension", "fontFamily", "fontWeight"]},
                "$value": {},
                "$description": {"type": "string"},
            },
            "allOf": [
                {
                    "if": {"properties": {"$type": {"const": "color"}}},
                    "then": {"properties": {"$value": {"$ref": "#/$defs/color"}}},
                },
                {
                    "if": {"properties": {"$type": {"const": "dimension"}}},
                    "then": {"properties": {"$value": {"$ref": "#/$defs/dimension"}}},
                },
                {
                    "if": {"properties": {"$type": {"const": "fontFamily"}}},
                    "then": {"properties": {"$value": {"type": "string", "minLength": 1}}},
                },
                {
                    "if": {"properties": {"$type": {"const": "fontWeight"}}},
                    "then": {
                        "properties": {"$value": {"type": "number", "minimum": 1, "maximum": 1000}}
                    },
                },
            ],
        },
        "color": {
            "type": "object",
            "required": ["colorSpace", "components"],
            "additionalProperties": False,
            "properties": {
                "colorSpace": {"const": "srgb"},
                "components": {
                    "type": "array",
                    "minItems": 3,
                    "maxItems": 3,
                    "items": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "hex": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
            },
        },
        "dimension": {
            "type": "object",
            "required": ["value", "unit"],
            "additionalProperties": False,
            "properties": {"value": {"type": "number"}, "unit": {"enum": ["px", "rem"]}},
        },
    },
}


class Counter:
    """A desk with brand research behind it."""

    def __init__(self, research: Research) -> None:
        self.research = research
        lent = override(services(), brands=research.brands, artifacts=research.artifacts)
        self.desk = CallHarness((brand_research,), services=lent)

    async def ask(self, name: str = "tern", caller: Caller = ALICE, **more: Any) -> Result:
        url = self.research.town.live(f"http://{name}.test/")
        return await self.desk.call("brand_research", {"url": url, **more}, caller=caller)

    @property
    def requests(self) -> int:
        return len(self.research.town.server.requests)


@asynccontextmanager
async def counter() -> AsyncGenerator[Counter]:
    async with researching(load("tern"), load("ledger")) as research:
        yield Counter(research)


async def test_a_brand_has_the_documented_shape() -> None:
    async with counter() as at:
        result = await at.ask()

    assert result.structured is not None
    assert set(result.structured) == {
        "identity", "colors", "logos", "typography", "tone_of_voice", "social", "sources",
        "guidelines_url", "brand_portal_resource", "coverage", "requests", "cache_age", "trust",
    }  # fmt: skip
    assert result.structured["trust"] == "untrusted-external-content"
    assert result.structured["cache_age"] == 0
    assert text_of(result).startswith("identity: (name: Tern Air; domain: tern.test)\n")


async def test_the_text_of_the_portal_can_be_read_by_its_caller_only() -> None:
    async with counter() as at:
        result = await at.ask()
        assert result.structured is not None
        uri = result.structured["brand_portal_resource"]
        shelf = at.research.artifacts
        mine = await shelf.read(uri.rpartition("/")[2], tenant=ALICE.tenant, owner=ALICE.user)

    assert uri.startswith("research://artifact/")
    assert "Deep Sea" in mine.chunk.decode()
    assert "steward who has time" in mine.chunk.decode()


async def test_a_second_answer_comes_from_memory_with_its_age_and_a_resource_of_its_own() -> None:
    async with counter() as at:
        first = await at.ask()
        asked = at.requests
        at.research.now[0] += 3600
        again = await at.ask(caller=BOB)
        assert at.requests == asked
        assert first.structured is not None
        assert again.structured is not None
        key = again.structured["brand_portal_resource"].rpartition("/")[2]
        his = await at.research.artifacts.read(key, tenant=BOB.tenant, owner=BOB.user)

    assert his.total > 0
    assert again.structured == first.structured | {"cache_age": 3600}


@pytest.mark.parametrize("more", [{"depth": "quick"}, {"include_design_tokens": True}])
async def test_every_option_is_part_of_what_is_remembered(more: dict[str, Any]) -> None:
    async with counter() as at:
        first = await at.ask()
        asked = at.requests
        other = await at.ask(**more)

        assert at.requests > asked
    assert first.structured != other.structured


async def test_a_quick_look_asks_for_the_homepage_only() -> None:
    async with counter() as at:
        result = await at.ask("ledger", depth="quick")
        paths = {asked.target for asked in at.research.town.server.requests}

    assert paths == {"/", "/img/logo.png", "/fav.png"}
    assert result.structured is not None
    assert result.structured["identity"]["name"] == "Ledger Books Ltd"


async def test_design_tokens_are_valid_and_say_what_was_found() -> None:
    async with counter() as at:
        result = await at.ask(include_design_tokens=True)

    assert result.structured is not None
    tokens = result.structured["design_tokens"]
    jsonschema.validate(tokens, SCHEMA)
    assert tokens["color"]["primary"] == {
        "$type": "color",
        "$value": {
            "colorSpace": "srgb",
            "components": [0.0431, 0.2392, 0.5686],
            "hex": "#0b3d91",
        },
    }
    assert tokens["font"]["heading"]["family"] == {"$type": "fontFamily", "$value": "Archivo"}
    assert tokens["size"]["h2"] == {"$type": "dimension", "$value": {"value": 2.25, "unit": "rem"}}
    assert set(tokens["color"]["palette"]) == {"deep-sea", "foam", "buoy"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "url or company_name is required"),
        ({"url": " "}, "url or company_name is required"),
        ({"url": "tern.test", "depth": "deep"}, "depth"),
        ({"url": "ftp://tern.test"}, "URL rejected"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    async with counter() as at:
        result = await at.desk.call("brand_research", arguments)

    assert result.problem
    assert words in result.problem.message
    assert result.problem.block["kind"] == "validation"


async def test_a_site_that_cannot_be_reached_is_a_failure() -> None:
    async with counter() as at:
        result = await at.desk.call("brand_research", {"url": "http://nobody.example/"})

    assert result.problem
    assert result.problem.block["kind"] == "network"


async def test_a_name_without_a_search_provider_asks_for_the_address() -> None:
    async with counter() as at:
        result = await at.desk.call("brand_research", {"company_name": "Tern Air"})

    assert result.problem
    assert "give url instead" in result.problem.message
    assert result.problem.block["kind"] == "config"


def test_it_costs_little_to_list() -> None:
    size = len(json.dumps(brand_research.definition(), separators=(",", ":")))

    assert size / 4 <= 280

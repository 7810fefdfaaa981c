"""Prompts: every tool and argument they mention is one that exists."""

import re
from collections.abc import Iterator
from itertools import product

import pytest

from webquarry.errors import BadInputError
from webquarry.prompts import PROMPTS
from webquarry.prompts.prompt import Prompt, PromptRegistry
from webquarry.tools import load_tools

TOOLS = {tool.name: frozenset(tool.input_model.model_fields) for tool in load_tools()}
CALL = re.compile(r"`(\w+)\(([^`]*)\)`")
ARGUMENT = re.compile(r"(?:^|, )(\w+)=")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
WORD = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
# words with an underscore that are no tools: arguments, fields and values
NO_TOOLS = {
    "brand_portal_resource", "open_access", "landing_page", "social_post", "video_brief",
    "design_tokens", "full_guidelines",
}  # fmt: skip


def texts(prompt: Prompt) -> Iterator[str]:
    """Yield the prompt for every combination of what can be chosen."""
    choices = [(None, *argument.choices) for argument in prompt.arguments]
    for chosen in product(*choices):
        given = {
            argument.name: choice or 'owls "at" night, (2024)'
            for argument, choice in zip(prompt.arguments, chosen, strict=True)
            if choice or argument.required or not argument.choices
        }
        (message,) = prompt.messages(given)
        assert message["role"] == "user"
        yield message["content"]["text"]


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_a_prompt_mentions_only_tools_and_arguments_that_exist(prompt: Prompt) -> None:
    for text in texts(prompt):
        calls = CALL.findall(text)
        assert calls
        for name, inside in calls:
            assert name in TOOLS, name
            arguments = ARGUMENT.findall(QUOTED.sub('""', inside))
            assert arguments, inside
            assert set(arguments) <= TOOLS[name], (name, arguments)
        for word in WORD.findall(QUOTED.sub('""', CALL.sub("", text))):
            known = any(word in arguments for arguments in TOOLS.values())
            assert word in TOOLS or word in NO_TOOLS or known, word


def test_literal_values_in_prompts_are_accepted_by_the_tools() -> None:
    schemas = {tool.name: tool.definition()["inputSchema"]["properties"] for tool in load_tools()}
    checked = 0
    for prompt in PROMPTS:
        for text in texts(prompt):
            for name, inside in CALL.findall(text):
                for argument, value in re.findall(r'(\w+)="(\w+)"', inside):
                    allowed = schemas.get(name, {}).get(argument, {}).get("enum")
                    assert allowed is None or value in allowed, (name, argument, value)
                    checked += allowed is not None
    assert checked


def test_all_prompts_are_listed_by_name() -> None:
    assert [entry["name"] for entry in PromptRegistry(PROMPTS).listing()] == [
        "brand-guidelines",
        "check_before_you_send",
        "competitive-analysis",
        "comprehensive-research",
        "fact-check",
        "literature-review",
    ]


def _text(name: str, **given: str) -> str:
    (message,) = PromptRegistry(PROMPTS).lookup(name).messages(given)
    return message["content"]["text"]


@pytest.mark.parametrize(
    ("use_case", "parts"),
    [
        ("landing_page", ("color palette table", "typography spec", "headline and subhead",
                          "component guidance")),
        ("email", ("email color spec", "font stack", "subject line and preheader",
                   "inline styles")),
        ("social_post", ("visual identity notes", "Twitter/X, LinkedIn, Instagram", "hashtag")),
        ("video_brief", ("motion graphics color spec", "logo bug placement", "voiceover tone",
                         "music mood")),
        ("design_tokens", ("W3C DTCG JSON", "token mapping table", "gap analysis")),
        ("full_guidelines", ("identity", "color system", "logo usage", "typography",
                             "tone of voice", "coverage summary")),
    ],
)  # fmt: skip
def test_a_brand_is_described_for_its_use(use_case: str, parts: tuple[str, ...]) -> None:
    text = _text("brand-guidelines", company="Kaltura", use_case=use_case)
    produce = text.partition("Produce:")[2]
    assert all(part in produce for part in parts)
    assert 'brand_research(company_name="Kaltura", depth="standard"' in text
    assert ("include_design_tokens=true" in text) is (use_case == "design_tokens")


def test_a_brand_may_be_named_by_its_domain_and_all_guidelines_are_usual() -> None:
    text = _text("brand-guidelines", company="kaltura.com", depth="full")
    assert 'brand_research(url="kaltura.com", depth="full")' in text
    assert "full_guidelines" in text


def test_depth_decides_how_far_a_research_goes() -> None:
    assert "After each of 2 rounds" in _text("comprehensive-research", topic="x", depth="quick")
    assert "After each of 3 rounds" in _text("comprehensive-research", topic="x")
    deep = _text("comprehensive-research", topic="x", depth="deep", lens="academic")
    assert "After each of 6 rounds" in deep
    assert 'depth="thorough"' in deep
    assert 'lens="academic"' in deep


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("fact-check", {}, "claim: is required"),
        ("brand-guidelines", {"company": "x", "use_case": "poem"}, "use_case: must be one of"),
        ("literature-review", {"topic": "x", "years": "3"}, "years: no such argument"),
    ],
)
def test_a_wrong_argument_is_named(name: str, given: dict[str, str], problem: str) -> None:
    with pytest.raises(BadInputError, match=problem):
        PromptRegistry(PROMPTS).lookup(name).messages(given)

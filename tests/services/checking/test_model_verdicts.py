"""The column of a language model: kept only with words of the source, and within its budget."""

import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from bench.hallucinating_llm import serve_llm
from tests.services.checking.judging_model import JudgingModel
from webquarry.models.document_check import ModelUse, ModelVerdict
from webquarry.services.checking.model_verdicts import quoted_verdicts
from webquarry.services.checking.reports.check_texts import check_csv, check_markdown
from webquarry_demo.script import DemoRun, open_demo

pytestmark = pytest.mark.anyio

_SOURCE = "Pairs in nest boxes fledged **3.2 young** per attempt. Owls aren\u2019t deaf at all."
_DRAFT = """# Owls

Pairs in nest boxes fledged 3.2 young per attempt, pairs in open barns 2.4 [1].
Nest boxes on arable farms were made of oak in every second year [1].
Rough grassland within one kilometre of the nest halved the hunting range [2].

## References

[1] Holt, M., Okafor, I., & Brandt, L. (2021). Nest boxes and the breeding success of barn owls \
on arable farms. Journal of Farmland Ornithology, 12(3), 141-158. \
https://doi.org/10.5555/jfo.2021.0307
[2] Brandt, L., & Nwosu, C. (2023). Rough grassland margins, field voles and the hunting range \
of barn owls. Journal of Farmland Ornithology, 14(2), 77-93. https://doi.org/10.5555/jfo.2023.0205
"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def judge() -> JudgingModel:
    return JudgingModel()


@pytest.fixture(scope="module")
async def demo(anyio_backend: str, judge: JudgingModel) -> AsyncIterator[DemoRun]:
    assert anyio_backend
    async with serve_llm(judge) as url:
        model = {"LLM_MODEL": "judge", "LLM_BASE_URL": url, "LLM_PRICE_INPUT": "1"}
        async with open_demo(None, model) as run:
            yield run


async def _checked(demo: DemoRun, **options: Any) -> dict[str, Any]:
    arguments = {"text": _DRAFT, "name": "draft.md"} | options
    result = await demo.app.path.call("check_document", arguments, demo.app.owner)
    assert result.structured is not None, result
    return result.structured


def _columns(body: dict[str, Any]) -> Sequence[tuple[str, str | None]]:
    sources: list[dict[str, Any]] = [claim["sources"][0] for claim in body["claims"]]
    verdicts: list[dict[str, Any]] = [each.get("model") or {} for each in sources]
    return [
        (each["claimClass"], verdict.get("verdict"))
        for each, verdict in zip(sources, verdicts, strict=True)
    ]


async def test_a_verdict_is_shown_beside_the_class_and_dropped_if_its_quote_is_not_in_the_source(
    demo: DemoRun,
) -> None:
    body = await _checked(demo)

    assert _columns(body) == [
        ("supported", "supported"), ("could_not_check", None), ("supported", "supported"),
    ]  # fmt: skip
    use = body["modelUse"]
    assert (use["verdicts"], use["dropped"]) == (2, 1)
    assert use["tokens"] > 0
    assert use["costUsd"] > 0


async def test_the_column_is_in_the_reports(demo: DemoRun) -> None:
    body = await _checked(demo)
    checks, owner = demo.app.services.document_checks, demo.app.owner
    result = await checks.result(await checks.get(body["checkId"], owner))

    rows = list(csv.DictReader(io.StringIO(check_csv(result))))
    page = await checks.file(await checks.get(body["checkId"], owner), "html",
                             demo.app.services.parsers)  # fmt: skip

    assert [(row["class"], row["model"]) for row in rows] == [
        ("could not check", ""), ("supported", "supported"), ("supported", "supported"),
    ]  # fmt: skip
    assert all(row["model quote"] in body_texts(body) for row in rows)
    assert "Language model: 2 verdicts; 1 dropped" in check_markdown(result)
    assert b"<button>Model quote</button>" in page.content


def body_texts(body: dict[str, Any]) -> set[str]:
    sources = [source for claim in body["claims"] for source in claim["sources"]]
    return {"", *(source["model"]["quote"] for source in sources if source.get("model"))}


async def test_without_tokens_the_model_is_not_asked(demo: DemoRun, judge: JudgingModel) -> None:
    asked = len(judge.asked)

    body = await _checked(demo, max_model_tokens=0)

    assert (len(judge.asked), body.get("modelUse")) == (asked, None)
    assert [claim["claimClass"] for claim in body["claims"]] == [
        "supported", "could_not_check", "supported",
    ]  # fmt: skip


async def test_a_model_that_does_not_answer_is_no_failure_of_the_check() -> None:
    nowhere = {"LLM_MODEL": "judge", "LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    async with open_demo(None, nowhere) as run:
        body = await _checked(run)

    assert (body["status"], body["complete"]) == ("completed", True)
    assert _columns(body)[0] == ("supported", None)
    assert "llm" in body["modelUse"]["problem"]


@pytest.mark.parametrize(
    ("quote", "is_kept"),
    [
        ("Pairs in nest boxes fledged 3.2 young", True),
        ("pairs in  nest boxes\nfledged 3.2 young", True),
        ("Owls aren't deaf at all.", True),
        ("Pairs in nest boxes fledged 5.2 young", False),
        ("3.2 young", False),  # too short to show anything
        ("", False),
    ],
)
def test_only_words_of_the_source_are_a_quotation(quote: str, *, is_kept: bool) -> None:
    data = {"verdicts": [{"claim": 1, "verdict": "supported", "quote": quote}]}

    kept, dropped = quoted_verdicts(_SOURCE.encode(), data=data)

    expected = ModelVerdict(verdict="supported", quote=" ".join(quote.split()))
    assert (kept, dropped) == (({0: expected}, 0) if is_kept else ({}, 1))


@pytest.mark.parametrize("data", [{}, {"verdicts": [{"claim": "x"}]}, {"verdicts": "none"}, None])
def test_an_answer_of_another_shape_is_dropped(data: Any) -> None:
    assert quoted_verdicts(_SOURCE.encode(), data=data) == ({}, 1)


def test_costs_are_added_up() -> None:
    first = ModelUse(verdicts=2, dropped=1, tokens=100, costUsd=0.5)
    second = ModelUse(verdicts=1, tokens=50, problem="no budget")

    assert first + second == ModelUse(
        verdicts=3, dropped=1, tokens=150, costUsd=0.5, problem="no budget"
    )

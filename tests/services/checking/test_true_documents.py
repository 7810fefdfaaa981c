"""True documents of many sentences raise no false alarm; all their quotations can be verified."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from webquarry.models.research import Anchor
from webquarry_demo.sample_pages import page_url, sample_web
from webquarry_demo.script import DemoRun, open_demo

pytestmark = pytest.mark.anyio

_SITES = ("farmland-ornithology", "field-notes", "parish-gazette", "oak-and-feather", "nestlog")
_PARAGRAPH = re.compile(r"<p>([^<>]{60,})</p>")
_SENTENCE = re.compile(r"[A-Z][^.!?]{40,220}\.(?= |$)")
_MAX_FALSE_ALARMS = 0.02
_HOLT = (
    "Holt, M., Okafor, I., & Brandt, L. (2021). Nest boxes and the breeding success of barn owls "
    "on arable farms. Journal of Farmland Ornithology, 12(3), 141-158. "
    "https://doi.org/10.5555/jfo.2021.0307"
)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def demo(anyio_backend: str) -> AsyncIterator[DemoRun]:
    assert anyio_backend
    async with open_demo(None) as run:
        yield run


async def _checked(demo: DemoRun, text: str, **options: Any) -> dict[str, Any]:
    arguments = {"text": text, "name": "report.md", "max_tokens": 900_000} | options
    result = await demo.app.path.call("check_document", arguments, demo.app.owner)
    assert result.structured is not None, result
    return result.structured


def _true_sentences() -> list[tuple[str, str, str]]:
    """Return sentences of the sample web with site and path."""
    return [
        (sentence, page.site, page.path)
        for page in sample_web().pages.values()
        if page.site in _SITES and "private" not in page.path
        for paragraph in _PARAGRAPH.findall(page.main)
        for sentence in _SENTENCE.findall(paragraph)
    ]


def _reworded(sentence: str) -> str:
    """Return a sentence as somebody cites it: introduced, without its last subordinate clause."""
    shorter = re.sub(r"(?:, (?:and|but|which|because|so)|;) [^,;]*$", "", sentence.rstrip("."))
    return f"The authors of the page write that {shorter[0].lower()}{shorter[1:]}."


async def test_true_sentences_raise_at_most_two_false_alarms_in_a_hundred(demo: DemoRun) -> None:
    sentences = _true_sentences()
    assert len(sentences) >= 50
    lines: list[str] = []
    for sentence, site, path in sentences:
        link = f"([source]({page_url(site, path, demo.port)}))"
        lines += [f"{each.rstrip('.')} {link}." for each in (sentence, _reworded(sentence))]

    body = await _checked(demo, "# Owls\n\n" + "\n\n".join(lines) + "\n")

    alarms = [each for each in body["findings"] if each.get("claim")]
    assert body["complete"]
    assert body["summary"]["claims"] == len(lines)
    shown = [(each["text"], each["message"]) for each in alarms]
    assert len(alarms) <= _MAX_FALSE_ALARMS * len(lines), shown


async def test_every_quotation_of_a_report_is_verified_later(demo: DemoRun) -> None:
    sentence, site, path = _true_sentences()[0]
    url = page_url(site, path, demo.port)
    text = (
        f"# Owls\n\n{sentence.rstrip('.')} ([source]({url})).\n\n"
        f"Pairs in nest boxes fledged 3.2 young per attempt [1].\n\n## References\n\n[1] {_HOLT}\n"
    )

    body = await _checked(demo, text)
    sources = [source for claim in body["claims"] for source in claim["sources"]]
    anchors = [Anchor.model_validate(source["anchor"]) for source in sources]
    evidence = demo.app.services.research.evidence
    checks = [await evidence.verify(anchor, demo.app.owner) for anchor in anchors]

    assert [source["quote"] for source in sources] == [anchor.quote for anchor in anchors]
    assert [(check.verdict, check.stored) for check in checks] == [(True, "verified")] * 2
    assert all("#:~:text=" in anchor.url for anchor in anchors)


async def test_sentences_without_a_citation_are_checked_on_request(demo: DemoRun) -> None:
    text = f"""# Owls

Pairs in nest boxes fledged 3.2 young per attempt [1].
Pairs in open barns fledged 5.4 young per attempt on the farms.

## References

[1] {_HOLT}
"""
    cited = await _checked(demo, text)
    every = await _checked(demo, text, all_sentences=True)

    assert [claim["claim"][:20] for claim in cited["claims"]] == ["Pairs in nest boxes "]
    assert [claim["claim"][:20] for claim in every["claims"]] == [
        "Pairs in nest boxes ", "Pairs in open barns ",
    ]  # fmt: skip
    uncited = every["claims"][1]
    assert (uncited["markers"], uncited["claimClass"]) == ([], "contradicted")
    assert uncited["sources"][0]["reference"] == cited["claims"][0]["sources"][0]["reference"]


async def test_a_quotation_is_compared_word_by_word(demo: DemoRun) -> None:
    quoted = "followed 214 breeding attempts of barn owls on 58 {} farms over seven years"
    text = (
        f'# Owls\n\nThe authors "{quoted.format("arable")}" [1].\n\n'
        f'The authors "{quoted.format("organic")}" [1].\n\n## References\n\n[1] {_HOLT}\n'
    )

    body = await _checked(demo, text)

    (finding,) = body["findings"]
    assert (finding["kind"], finding["place"]["line"]) == ("misquoted", 5)
    assert "organic" in finding["message"]
    assert "arable" in finding["message"]

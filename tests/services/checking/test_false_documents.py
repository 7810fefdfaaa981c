"""Documents with one error each, in three formats: every error is found, where it stands."""

import html
import io
import re
from collections.abc import AsyncIterator, Callable

import docx
import pytest

from webquarry.content.manuscript.manuscript_model import ManuscriptSource
from webquarry.models.document_check import CheckOptions, CheckProgress, DocumentCheck, Finding
from webquarry_demo.script import DemoRun, open_demo

pytestmark = pytest.mark.anyio

_JOURNAL = "Journal of Farmland Ornithology"
_TRUE = f"""# Owls on farms

Pairs in nest boxes fledged 3.2 young per attempt, pairs in open barns 2.4 [1].

Rough grassland within one kilometre of the nest halved the hunting range [2].

The share of field voles in pellets follows the age of grass margins with a delay of two years [3].

The authors "followed 214 breeding attempts of barn owls on 58 arable farms over seven years" [1].

The [count of the parish](http://parish-gazette.localhost:PORT/owl-count) covers nine villages.

## References

[1] Holt, M., Okafor, I., & Brandt, L. (2021). Nest boxes and the breeding success of barn owls \
on arable farms. {_JOURNAL}, 12(3), 141-158. https://doi.org/10.5555/jfo.2021.0307

[2] Brandt, L., & Nwosu, C. (2023). Rough grassland margins, field voles and the hunting range \
of barn owls. {_JOURNAL}, 14(2), 77-93. https://doi.org/10.5555/jfo.2023.0205

[3] Nwosu, C. (2016). What barn owl pellets tell about grassland management. {_JOURNAL}, 7(4), \
301-312. https://doi.org/10.5555/jfo.2016.0410
"""
_CITED = "Barn owls at boxes with loudspeakers fledged 7.4 young per attempt [4].\n\n## References"
_RETRACTED = (
    "\n[4] Pyle, G., & Adler, S. (2018). Ultrasonic vole lures triple the fledging rate of barn "
    f"owls. {_JOURNAL}, 9(1), 12-25. https://doi.org/10.5555/jfo.2018.0112\n"
)
_INVENTED = (
    "\n[4] Whitlock, T., & Reyes, P. (2022). Moonlit foraging and nest-box fidelity in Tyto alba. "
    f"{_JOURNAL}, 13(2), 88-104. https://doi.org/10.5555/jfo.2022.0288\n"
)
_UNUSED = (
    "\n[4] Castle, F. (2025). Nine villages barn owl count, 2015 to 2025. "
    "https://doi.org/10.5072/owl-count-2025\n"
)

Change = Callable[[str], str]


def _replaced(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


def _cites(entry: str) -> Change:
    return lambda text: text.replace("## References", _CITED) + entry


# the change, the kind of the finding, and words of the place where it stands
ERRORS: dict[str, tuple[Change, str, str]] = {
    "a number": (_replaced("3.2 young", "5.2 young"), "contradicted", "Pairs in nest boxes"),
    "a duration": (_replaced("two years", "five years"), "contradicted", "The share of field"),
    "a negation": (_replaced("halved", "did not halve"), "contradicted", "Rough grassland within"),
    "a quotation": (_replaced("arable farms over", "organic farms over"), "misquoted", "The auth"),
    "an invented reference": (_cites(_INVENTED), "reference_not_found", "Whitlock"),
    "a retracted work": (_cites(_RETRACTED), "retracted", "Pyle"),
    "other authors": (_replaced("Brandt, L., & Nwosu", "Fischer, K., & Tanaka"), "mismatch", "Fis"),
    "another title": (_replaced("What barn owl", "What tawny owl"), "mismatch", "Nwosu, C. (2016)"),
    "another year": (_replaced("(2016)", "(2009)"), "mismatch", "Nwosu, C. (2009)"),
    "a missing entry": (_replaced("years [3]", "years [3, 9]"), "marker_without_entry", "[3, 9]"),
    "an unused entry": (lambda text: text + _UNUSED, "never_cited", "Castle"),
    "a dead link": (_replaced("/owl-count)", "/no-such-page)"), "dead_link", "http"),
}


def _markdown(text: str) -> bytes:
    return text.encode()


def _html(text: str) -> bytes:
    written = [_html_block(block.strip()) for block in text.split("\n\n")]
    head = '<head><meta charset="utf-8"><title>Owls on farms</title></head>'
    return f"<html>{head}<body><main>{''.join(written)}</main></body></html>".encode()


def _html_block(block: str) -> str:
    text = re.sub(
        r"\[([^\]]+)\]\((http[^)]+)\)", r'<a href="\2">\1</a>', html.escape(block, quote=False)
    )
    level = len(block) - len(block.lstrip("#"))
    return f"<h{level}>{text.lstrip('# ')}</h{level}>" if level else f"<p>{text}</p>"


def _word(text: str) -> bytes:
    document = docx.Document()
    for block in text.split("\n\n"):
        level = len(block) - len(block.lstrip("#"))
        plain = re.sub(r"\[([^\]]+)\]\((http[^)]+)\)", r"\1 (\2)", block.strip().lstrip("# "))
        if level:
            document.add_heading(plain, level)
        else:
            document.add_paragraph(plain)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


FORMATS = {"md": _markdown, "html": _html, "docx": _word}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def demo(anyio_backend: str) -> AsyncIterator[DemoRun]:
    assert anyio_backend
    async with open_demo(None) as run:
        yield run


async def _check(demo: DemoRun, text: str, form: str) -> DocumentCheck:
    async def report(_: CheckProgress) -> None:
        """Nobody watches."""

    checks, caller = demo.app.services.document_checks, demo.app.owner
    data = FORMATS[form](text.replace("PORT", str(demo.port)))
    job = await checks.start(ManuscriptSource(data, f"report.{form}"), CheckOptions(), caller)
    return await checks.result(await checks.wait(job, caller, 300, report))


@pytest.mark.parametrize("form", FORMATS)
async def test_a_true_document_has_no_finding(demo: DemoRun, form: str) -> None:
    check = await _check(demo, _TRUE, form)

    assert (check.complete, check.findings) == (True, ())
    assert [claim.claimClass for claim in check.claims[:4]] == ["supported"] * 4


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ERRORS)
async def test_the_error_is_the_only_finding(demo: DemoRun, name: str, form: str) -> None:
    change, kind, words = ERRORS[name]

    check = await _check(demo, change(_TRUE), form)

    assert [(each.kind, words in _shown(each)) for each in check.findings] == [(kind, True)]


def _shown(finding: Finding) -> str:
    return f"{finding.text} {finding.message}"

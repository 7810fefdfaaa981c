"""The `check_document` tool on the sample web of the demo."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from webquarry.errors import ForbiddenError
from webquarry.models.result import Result
from webquarry.services.checking.document_input import DocumentInputs
from webquarry_demo.script import DemoRun, open_demo

pytestmark = pytest.mark.anyio

_HOLT = (
    "Holt, M., Okafor, I., & Brandt, L. (2021). Nest boxes and the breeding success of barn owls "
    "on arable farms. Journal of Farmland Ornithology, 12(3), 141-158. "
    "https://doi.org/10.5555/jfo.2021.0307"
)
_WHITLOCK = (
    "Whitlock, T., & Reyes, P. (2022). Moonlit foraging and nest-box fidelity in Tyto alba. "
    "Journal of Farmland Ornithology, 13(2), 88-104. https://doi.org/10.5555/jfo.2022.0288"
)
_TRUE = f"""# Owls on farms

Pairs in nest boxes fledged 3.2 young per attempt, pairs in open barns 2.4 [1].

## References

[1] {_HOLT}
"""
_FALSE = f"""# Owls on farms

Pairs in nest boxes fledged 5.2 young per attempt, pairs in open barns 2.4 [1].
Barn owls hunt by moonlight near the boxes they were raised in [2].
They also sleep in trees during the whole winter [4].

## References

[1] {_HOLT}
[2] {_WHITLOCK}
[3] Pyle, G., & Adler, S. (2018). Ultrasonic vole lures triple the fledging rate of barn owls. \
Journal of Farmland Ornithology, 9(1), 12-25. https://doi.org/10.5555/jfo.2018.0112
"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def demo(anyio_backend: str) -> AsyncIterator[DemoRun]:
    assert anyio_backend
    async with open_demo(None) as run:
        yield run


async def _call(demo: DemoRun, **arguments: Any) -> Result:
    return await demo.app.path.call("check_document", arguments, demo.app.owner)


async def _checked(demo: DemoRun, **arguments: Any) -> dict[str, Any]:
    result = await _call(demo, **arguments)
    assert result.structured is not None, result
    return result.structured


async def test_a_true_document_has_no_finding(demo: DemoRun) -> None:
    body = await _checked(demo, text=_TRUE)

    assert (body["status"], body["complete"], body["findings"]) == ("completed", True, [])
    assert [claim["claimClass"] for claim in body["claims"]] == ["supported"]


async def test_every_lie_is_found_with_its_line(demo: DemoRun) -> None:
    body = await _checked(demo, text=_FALSE)

    found = [(each["kind"], each["place"]["line"]) for each in body["findings"]]
    assert found == [
        ("contradicted", 3),
        ("reference_not_found", 10),
        ("retracted", 11),
        ("marker_without_entry", 5),
        ("never_cited", 11),
    ]
    assert (
        body["findings"][0]["message"]
        == "Number: the document has 5.2 young, the source 3.2 young."
    )


async def test_a_check_is_asked_for_again_by_its_id(demo: DemoRun) -> None:
    first = await _checked(demo, text=_TRUE + "\nOne more sentence.\n")

    again = await _checked(demo, id=first["checkId"])

    assert again == first


async def test_uploaded_bytes_have_the_same_result_as_text(demo: DemoRun) -> None:
    data = base64.b64encode(_FALSE.encode()).decode()

    body = await _checked(demo, data=data, name="report.md")

    assert body["document"] == "report.md"
    assert body["summary"]["findings"] == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give one of url, path, data, text and id"),
        ({"text": "a", "url": "https://a.test/"}, "give one of url, path, data, text and id"),
        ({"data": "", "name": "a.pdf"}, "text and id; an empty one does not count"),
        ({"text": "a", "cancel": True}, "cancel needs the id of a check"),
        ({"data": "%%%"}, "data: must be base64"),
        ({"id": "unknown"}, "There is no check unknown"),
        ({"path": "/etc/passwd"}, "ALLOWED_FILE_ROOTS is not set"),
    ],
)
async def test_bad_arguments_say_what_to_do(
    demo: DemoRun, arguments: dict[str, Any], message: str
) -> None:
    result = await _call(demo, **arguments)

    assert result.problem is not None
    assert message in result.problem.message


async def test_a_check_of_somebody_else_does_not_exist(demo: DemoRun) -> None:
    body = await _checked(demo, text=_TRUE)
    other = demo.app.owner.model_copy(update={"user": "mallory"})

    result = await demo.app.path.call("check_document", {"id": body["checkId"]}, other)

    assert result.problem is not None
    assert "There is no check" in result.problem.message


def test_files_outside_the_allowed_folders_are_refused(demo: DemoRun, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (inside / "link.md").symlink_to(outside / "secret.md")
    (inside / "report.md").write_text(_TRUE)
    inputs = DocumentInputs(demo.app.services.network.fetcher, (inside,), 1000)

    assert inputs.from_path(str(inside / "report.md")).data == _TRUE.encode()
    for path in ("link.md", "../outside/secret.md"):
        with pytest.raises(ForbiddenError):
            inputs.from_path(str(inside / path))


def test_a_latex_file_brings_its_bibliographies_along(demo: DemoRun, tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(r"\cite{x} \bibliography{refs,../other}")
    (tmp_path / "refs.bib").write_text("@book{x, title={Owls}}")

    source = demo.app.services.document_inputs.from_file(tmp_path / "a.tex")
    assert source.bibliography == "@book{x, title={Owls}}"

"""A check whose server process was killed goes on in the next one, with the same result."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.console_fake_web import OWL_DOI, SLOW_DOI, FakeWeb, fake_web, settings_of
from tests.server.http_server import http_server


@pytest.fixture
def world() -> Iterator[FakeWeb]:
    with fake_web() as world:
        yield world


def _report(world: FakeWeb) -> str:
    return f"""# Owls

The barn with number 7919 has 1 owls and 1 voles ([a page]({world.url}/p/1)).
The barn with number 15838 has 7 owls and 8 voles [2].
Owls hear well [1].

## References

[1] Strix, A. (2021). Owls hear well. Journal of Owls. https://doi.org/{OWL_DOI}
[2] Strix, A. (2021). Owls wait. Journal of Owls. https://doi.org/{SLOW_DOI}
"""


def _states(client: httpx2.Client, path: str) -> Iterator[dict[str, Any]]:
    """Yield the states of a check as the server sends them."""
    with client.stream("GET", f"{path}/events") as response:
        for line in response.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def _result(client: httpx2.Client, path: str) -> dict[str, Any]:
    body = client.get(f"{path}/report?as=json").json()
    return {name: body[name] for name in body if name not in ("checkId", "checkedAt")}


def test_a_check_goes_on_after_its_process_was_killed(world: FakeWeb, tmp_path: Path) -> None:
    settings = settings_of(world)
    upload = {"file": ("report.md", _report(world).encode())}
    with http_server(tmp_path, settings=settings, killed=True) as client:
        path = client.post("/v1/check", files=upload).headers["location"]
        # all but the source that does not respond is done when the process is killed
        before = next(each for each in _states(client, path) if each["progress"]["sources"] == 2)

    world.release_slow_pages.set()
    with http_server(tmp_path, settings=settings) as client:
        *_, last = _states(client, path)
        continued = _result(client, path)
        anew = client.post("/v1/check", files=upload).headers["location"]
        assert anew != path  # a complete check is done anew
        *_, _ = _states(client, anew)
        whole = _result(client, anew)

    assert before["status"] == "running"
    assert (last["status"], last["canResume"]) == ("completed", False)
    assert continued["progress"]["sources"] == 3
    assert [each["kind"] for each in continued["findings"]] == ["contradicted", "retracted"]
    assert continued == whole

"""A home of its own for each test, and a small web on loopback for all."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.cli.stub import Stub, stub_web
from tests.cli.typing_in import Typist

PROVIDERS = ("brave", "clinicaltrials", "courtlistener", "crossref", "datacite", "doi", "edgar",
             "google_patents", "openalex", "savepagenow", "semanticscholar", "wayback",
             "worldbank")  # fmt: skip


@pytest.fixture(scope="session")
def web() -> Generator[Stub]:
    with stub_web() as stub:
        yield stub


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a working directory with nothing in them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("WEBQUARRY_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def typist(
    home: Path, web: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typist:
    """Somebody at a terminal whose providers are all the stub."""
    assert home.is_dir()
    for name in ("FORCE_COLOR", "COLUMNS", "LINES"):  # of the terminal that runs the tests
        monkeypatch.delenv(name, raising=False)
    for name, value in web.settings(*PROVIDERS).items():
        monkeypatch.setenv(name, value)
    return Typist(monkeypatch, capsys)

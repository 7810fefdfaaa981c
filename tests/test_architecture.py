"""The layers of the package: a module imports only lower layers, and modules stay short."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "webquarry"
MODULES = sorted(SOURCE.rglob("*.py"))
# From the bottom up: a package imports itself and packages of earlier lines, none of its own line.
LAYERS = (
    {"version", "errors"},
    {"front", "models", "concurrency", "parsing"},
    {"settings", "observe", "content", "storage", "webarchive"},
    {"net"},
    {"reading", "auth"},
    {"crawl", "searxng"},
    {"providers"},
    {"services"},
    {"wiring"},
    {"calls"},
    {"tools", "resources", "prompts"},
    {"server"},
    {"snapshots", "app"},
    {"serving"},
    {"library"},
    {"cli"},
    {"__main__", "__init__"},
)
RANKS = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MAX_LINES = 300
# Modules that hold no tool or provider themselves.
HELPER_MODULES: dict[str, set[str]] = {
    "tools": set(),
    "providers": {"_edgar_companies", "_edgar_facts", "_edgar_query", "_edgar_wire", "_epo_wire",
                  "_searchapi_patents", "all_providers", "provider",
                  "capabilities_archive", "capabilities_library",
                  "capabilities_owners",
                  "capabilities_patents",
                  "capabilities_records", "capabilities_search", "search_wire", "brave_places",
                  "capabilities_works", "works_wire", "crossref_wire", "openalex_wire",
                  "pubmed_wire",
                  "capabilities_synthesis", "brave_summaries", "exa_synthesis"},
}  # fmt: skip


def _layer(module: Path) -> str:
    return module.relative_to(SOURCE).parts[0].removesuffix(".py")


def _imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            if node.module == "webquarry":
                yield from (alias.name for alias in node.names)
            elif (node.module or "").startswith("webquarry."):
                yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("webquarry."))


@pytest.mark.parametrize("module", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_respect_the_layers(module: Path) -> None:
    layer = _layer(module)
    for imported in _imports(module):
        allowed = imported == layer or RANKS[imported] < RANKS[layer]
        assert allowed, f"{layer} must not import {imported}"


@pytest.mark.parametrize("module", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_module_exceeds_300_lines(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("layer", ["tools", "providers"])
def test_every_tool_and_provider_has_a_test_file(layer: str) -> None:
    modules = {p.stem for p in (SOURCE / layer).glob("*.py")} - {"__init__"} - HELPER_MODULES[layer]

    tested = {p.stem.removeprefix("test_") for p in (ROOT / "tests" / layer).glob("test_*.py")}

    assert modules - tested == set()


def test_the_fast_start_imports_no_slow_module() -> None:
    # the last two lines are imported only by `front.sdk`, while the rest of the server loads
    fast = {"_thread", "collections.abc", "hashlib", "json", "os", "select", "sys", "threading",
             "typing",
             "contextlib", "functools", "importlib", "importlib.machinery", "types",
             "pydantic"}  # fmt: skip
    imported = {
        name
        for module in (SOURCE / "front").glob("*.py")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        for name in _external_imports(node)
    }

    assert imported <= fast


def _external_imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not str(node.module).startswith("webquarry"):
        return [str(node.module)]
    return []


def test_only_the_entry_points_read_the_environment() -> None:
    readers = {
        str(module.relative_to(SOURCE))
        for module in MODULES
        if "os.environ" in module.read_text(encoding="utf-8")
    }

    # the terminal's own variables: COLUMNS, FORCE_COLOR, PAGER and LESS
    terminal = {"cli/help_texts.py", "cli/pager.py", "cli/terminal.py"}
    # install_check passes the environment on to the server that it starts
    passed_on = {"cli/install_check.py"}
    assert readers == {"__main__.py", "front/snapshot.py", "serving.py"} | terminal | passed_on

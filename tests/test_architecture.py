"""The import graph is the architecture: imports go down the picture, never up or sideways."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "webquarry"
MODULES = sorted(SOURCE.rglob("*.py"))
RANKS = {
    "version": 0, "errors": 0,
    "front": 1, "models": 1,
    "settings": 2, "observe": 2, "content": 2, "storage": 2,
    "net": 3,
    "searxng": 3.5,  # a pool of upstreams, below the provider and the tool that use it
    "providers": 4, "scrape": 4, "crawl": 4, "auth": 4,
    "services": 5,
    "tools": 6, "resources": 6, "prompts": 6,
    "server": 7,
    "wiring": 8, "snapshots": 8,
    "app": 9,
    "serving": 10,
    "library": 11,
    "reference": 11,
    "demo": 11.2,  # plays the library to whoever runs the command
    "cli": 11.5,
    "distribution": 11.6,  # reads the commands
    "packaging": 11.8,
    "__main__": 12, "__init__": 12,
}  # fmt: skip
MAX_LINES = 300
# Modules that hold no tool or provider of their own.
PARTS = {
    "tools": {"answers", "arguments", "base", "callpath", "coalesce", "fields", "limits",
              "offered", "paging", "registry", "schema", "sessions", "shape", "search_meta"},
    "providers": {"_edgar_companies", "_edgar_facts", "_edgar_wire", "_epo_wire",
                  "_searchapi_patents", "base", "capabilities_archive", "capabilities_owners",
                  "capabilities_patents",
                  "capabilities_records", "capabilities_search", "search_wire", "brave_places",
                  "capabilities_works", "works_wire", "crossref_wire", "pubmed_wire",
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
def test_no_module_is_too_long_to_read(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("layer", ["tools", "providers"])
def test_every_tool_and_provider_has_a_test_file(layer: str) -> None:
    modules = {p.stem for p in (SOURCE / layer).glob("*.py")} - {"__init__"} - PARTS[layer]

    tested = {p.stem.removeprefix("test_") for p in (ROOT / "tests" / layer).glob("test_*.py")}

    assert modules - tested == set()


def test_the_front_imports_nothing_slow() -> None:
    # the last two lines only while the rest loads, in `front.sdk`
    cheap = {"_thread", "collections.abc", "hashlib", "json", "os", "select", "sys", "threading",
             "typing",
             "contextlib", "functools", "importlib", "importlib.machinery", "types",
             "pydantic"}  # fmt: skip
    found = {
        name
        for module in (SOURCE / "front").glob("*.py")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        for name in _foreign(node)
    }

    assert found <= cheap


def _foreign(node: ast.AST) -> list[str]:
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

    assert readers == {"front/snapshot.py", "serving.py"}

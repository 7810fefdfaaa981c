"""One concept, one name: see docs/glossary.md."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
# Module names that two packages share on purpose, and why.
SHARED_MODULES = {
    "__init__": "Python's own name for a package",
    "service": "the entry point of each service package",
    "personal_data": "each package that stores personal data says here how it is exported and erased",
}  # fmt: skip
# The settings of a part are named after the part: `settings.groups.audit`.
NAMED_AFTER_OTHERS = ("webquarry/settings/groups/",)


def test_a_public_class_name_exists_once() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for module in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(module.relative_to(SOURCE)))

    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_module_name_exists_once() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for module in sorted(SOURCE.rglob("*.py")):
        path = str(module.relative_to(SOURCE))
        if module.stem not in SHARED_MODULES and not path.startswith(NAMED_AFTER_OTHERS):
            homes[module.stem].append(path)

    assert {name: places for name, places in homes.items() if len(places) > 1} == {}

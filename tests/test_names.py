"""One concept, one name: see docs/glossary.md."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
# Module names that several packages may use, and why.
SHARED_MODULES = {
    "__init__": "Python's own name for a package",
    "service": "the entry point of each service package",
    "personal_data": "export and erasure of the personal data that a package stores",
}  # fmt: skip
# Groups of settings are named after what they configure: `settings.groups.audit`.
SETTINGS_GROUPS = ("webquarry/settings/groups/",)


def test_a_public_class_name_exists_once() -> None:
    modules_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for module in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules_by_name[node.name].append(str(module.relative_to(SOURCE)))

    assert {name: paths for name, paths in modules_by_name.items() if len(paths) > 1} == {}


def test_a_module_name_exists_once() -> None:
    modules_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for module in sorted(SOURCE.rglob("*.py")):
        path = str(module.relative_to(SOURCE))
        if module.stem not in SHARED_MODULES and not path.startswith(SETTINGS_GROUPS):
            modules_by_name[module.stem].append(path)

    assert {name: paths for name, paths in modules_by_name.items() if len(paths) > 1} == {}

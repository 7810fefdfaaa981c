"""MkDocs hooks: Mermaid is served with the site; without it, diagrams are shown as text.

By default the theme loads Mermaid from a content delivery network.
"""

import shutil
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from pymdownx.superfences import fence_code_format

MERMAID = Path(__file__).parents[1] / ".cache" / "mermaid.min.js"
SITE_PATH = "assets/mermaid.min.js"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Render diagrams if the Mermaid script was downloaded (`make docs` does it)."""
    has_mermaid = MERMAID.exists()
    fence = {
        "name": "mermaid",
        "class": "mermaid" if has_mermaid else "text",
        "format": fence_code_format,
    }
    config.mdx_configs["pymdownx.superfences"] = {"custom_fences": [fence]}
    if has_mermaid:
        config.extra_javascript.append(SITE_PATH)
    return config


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """Copy the Mermaid script into the site."""
    if MERMAID.exists():
        shutil.copyfile(MERMAID, Path(config.site_dir) / SITE_PATH)

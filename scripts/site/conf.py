"""The documentation as a site: Sphinx, MyST Markdown and the Furo theme.

Pages load nothing from other hosts. Without the Mermaid script, diagrams are shown as text.
"""

from html import escape
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_ROOT = Path(__file__).parents[2]
_MERMAID = _ROOT / ".cache" / "mermaid.min.js"
_COLOURS = {"color-brand-primary": "#00695c", "color-brand-content": "#00695c"}
_DARK = {"color-brand-primary": "#4db6ac", "color-brand-content": "#4db6ac"}

project = "Webquarry"
html_title = "Webquarry"
html_theme = "furo"
html_theme_options = {"light_css_variables": _COLOURS, "dark_css_variables": _DARK}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
extensions = ["myst_parser"]
myst_heading_anchors = 4  # links to headings, as on GitHub
exclude_patterns = ["navigation.yml"]
pygments_style = "default"
pygments_dark_style = "github-dark"
myst_fence_as_directive = ["mermaid"]
html_static_path = [str(_MERMAID)] if _MERMAID.exists() else []
html_js_files = ["mermaid.min.js"] if _MERMAID.exists() else []
_START = """
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
mermaid.initialize({startOnLoad: true, theme: dark ? "dark" : "neutral"});
"""


class Mermaid(SphinxDirective):
    """A diagram, or its text if there is no script to draw it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the source of the diagram, for the script."""
        source = "\n".join(self.content)
        if not _MERMAID.exists():
            return [nodes.literal_block(source, source, language="text")]
        return [nodes.raw("", f'<pre class="mermaid">{escape(source)}</pre>', format="html")]


def setup(app: Sphinx) -> None:
    """Add the navigation, which is a file of its own, and diagrams."""
    app.connect("source-read", _add_navigation)
    app.add_directive("mermaid", Mermaid)
    if _MERMAID.exists():
        app.add_js_file(None, body=_START, priority=900)


def _add_navigation(app: Sphinx, name: str, source: list[str]) -> None:
    navigation: dict[str, Any] = yaml.safe_load(
        (Path(app.srcdir) / "navigation.yml").read_text(encoding="utf-8")
    )
    if name == "index":
        for caption, pages in navigation["sections"].items():
            source[0] += _tree(pages, caption)
    elif name == "tools/index":
        for toolset, pages in navigation["tools"].items():
            source[0] += _tree({page: page for page in pages}, toolset)


def _tree(pages: dict[str, str], caption: str) -> str:
    lines = (f"{title} <{page}>" for title, page in pages.items())
    listed = "\n".join(lines)
    return f"\n\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"

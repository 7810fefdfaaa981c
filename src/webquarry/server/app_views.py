"""Views of results for clients that show them: the MCP Apps extension (`ui://` resources).

A view is one HTML document without loads: its styles and scripts are inside, and its content
security policy allows exactly these, by their hashes. Results reach it as messages of the client,
and it inserts them as text.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from mcp.server.context import ServerRequestContext

from webquarry.errors import NotFoundError
from webquarry.resources.resource import ResourceContent

Context = ServerRequestContext[Any, Any]
Json = dict[str, Any]

EXTENSION = "io.modelcontextprotocol/ui"
MIME = "text/html;profile=mcp-app"
SCHEME = "ui://"
_PREFIX = f"{SCHEME}webquarry/"
# tool -> the view of its results, a script in `server/views`
VIEWS = {
    "audit_bibliography": "audit",
    "cinder_batch_scrape": "crawl",
    "cinder_crawl": "crawl",
    "cinder_get_crawl_status": "crawl",
    "cinder_scrape": "page",
    "citation_graph": "citations",
    "econ_search": "series",
    "scrape_page": "page",
}
_IMPORT = re.compile(r'^import (\{[^}\n]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:const|function) (\w+)", re.MULTILINE)


def declares_views(ctx: Context) -> bool:
    """Return whether the client shows views."""
    declared = ctx.session.client_capabilities
    settings = (declared.extensions or {}).get(EXTENSION) if declared else None
    return settings is not None and MIME in settings.get("mimeTypes", ())


def with_views(tools: list[Json], names: Mapping[str, str]) -> list[Json]:
    """Return the entries of `tools/list` with the views; `names` are the tools of aliases."""
    return [
        tool | {"_meta": {"ui": {"resourceUri": f"{_PREFIX}{view}"}}} if view else tool
        for tool in tools
        for view in [VIEWS.get(names.get(tool["name"], tool["name"]))]
    ]


def read_view(uri: str) -> ResourceContent:
    """Return the HTML of a view; `NotFoundError` if there is none."""
    name = uri.removeprefix(_PREFIX)
    if name not in VIEWS.values():
        raise NotFoundError(f"Resource not found: {uri}")
    return ResourceContent(_document(name), MIME, {"ui": {"prefersBorder": True}})


@cache
def _document(name: str) -> str:
    style = (resources.files("webquarry.server.views") / "view.css").read_text("utf-8")
    script = _bundle(name)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>Webquarry</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<main id="view"><p class="soft" role="status">Waiting for the result…</p></main>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _bundle(name: str) -> str:
    """Return a module and those it imports as one script."""
    modules: dict[str, str] = {}
    _add(name, modules)
    return "".join(["const modules = {};\n", *modules.values()])


def _add(name: str, modules: dict[str, str]) -> None:
    """Add a module after those it imports; its exports become fields of an object."""
    if name in modules:
        return
    source = _source(name)
    for _, imported in _IMPORT.findall(source):
        _add(imported, modules)
    exports = ", ".join(_EXPORT.findall(source))
    body = _IMPORT.sub(r'const \1 = modules["\2"];', source).replace("\nexport ", "\n")
    modules[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exports} }};\n}})();\n'


def _source(name: str) -> str:
    """Return a script of the views, or one that they share with the console."""
    for package in ("webquarry.server.views", "webquarry.server.assets"):
        file = resources.files(package) / f"{name}.js"
        if file.is_file():
            return file.read_text("utf-8")
    raise FileNotFoundError(name)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

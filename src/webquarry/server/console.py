"""The web console's front page: the tools on offer, each with a form to try it."""

import html
from importlib import resources

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webquarry.content.tokens import compact_json, estimate_tokens, json_size
from webquarry.server.protocol import Offer
from webquarry.tools.schema import Json
from webquarry.version import __version__

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ASSETS = {"console.css": "text/css", "console.js": "text/javascript"}


def routes(offer: Offer) -> list[Route]:
    """Return the console's page and its assets."""

    async def page(_: Request) -> Response:
        return HTMLResponse(_page(offer), headers={"Content-Security-Policy": POLICY})

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return Response(status_code=404)
        body = resources.files("webquarry.server.assets").joinpath(name).read_bytes()
        return Response(body, media_type=ASSETS[name])

    return [Route("/", page), Route("/assets/{name}", asset)]


def _page(offer: Offer) -> str:
    definitions = offer.path.registry.definitions()
    tokens = estimate_tokens(json_size({"tools": definitions}))
    tools = "\n".join(_tool(d) for d in definitions)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Webquarry</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/console.css"></head>
<body><header><h1>Webquarry</h1>
<p>Version {html.escape(__version__)} · {len(definitions)} tools · {tokens:,} tokens of context</p>
<p>MCP at <code>/mcp</code> · REST at <code>/v1/tools</code> ·
<a href="/health/ready">health</a> · <a href="/metrics">metrics</a></p></header>
<main>{tools}</main>
<script src="/assets/console.js"></script></body></html>"""


def _tool(definition: Json) -> str:
    name = html.escape(definition["name"])
    fields = "\n".join(
        _field(name, key, schema, required=key in definition["inputSchema"].get("required", []))
        for key, schema in definition["inputSchema"]["properties"].items()
    )
    return f"""<section id="{name}"><h2>{name}</h2>
<p>{html.escape(definition["description"])}</p>
<form data-tool="{name}">{fields}
<button>Try it</button> <output aria-live="polite"></output></form></section>"""


def _field(tool: str, key: str, schema: Json, *, required: bool) -> str:
    ident = f"{tool}.{html.escape(key)}"
    note = html.escape(str(schema.get("description", "")))
    kind = html.escape(str(schema.get("type", "json")))
    default = html.escape(compact_json(schema["default"])) if "default" in schema else ""
    mark = " required" if required else ""
    return f"""<label for="{ident}">{html.escape(key)} <small>{note}</small></label>
<input id="{ident}" name="{html.escape(key)}" data-type="{kind}" placeholder="{default}"{mark}>"""

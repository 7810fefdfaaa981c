"""`webquarry zotero collections|audit|add`: a Zotero library."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.audit_command import audit_all, audit_exit_code, audit_view
from webquarry.cli.options import AsJson, AsMarkdown, output_format, typer_app, verbosity
from webquarry.cli.output import Json, Note, Part, grid, plural
from webquarry.cli.session_command import SessionId, full_session_id
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import run_in_library

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.providers.capabilities_library import LibraryItem
    from webquarry.services.zotero.service import ZoteroService

app = typer_app("Check the references of a Zotero library, or add sources to it.")

_BATCH = 1000  # references in one call, far below the largest argument


def load(_: str) -> typer.Typer:
    """Return the commands about Zotero."""
    return app


@app.command("collections")
def list_collections(*, as_json: AsJson = False, as_markdown: AsMarkdown = False) -> None:
    """List the collections of the library."""
    form = output_format(as_json=as_json, as_markdown=as_markdown)
    collections = run_in_library(_collections)
    show(_collections_view(collections), {"collections": collections}, form)


@app.command()
def audit(
    ctx: typer.Context,
    collection: Annotated[
        str | None,
        typer.Argument(
            metavar="COLLECTION", help="Name or key of a collection [default: the whole library]."
        ),
    ] = None,
    *,
    write: Annotated[
        bool, typer.Option("--write", help="Add tags and notes to the items with problems.")
    ] = False,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Check that the items exist, match their records, are not retracted and have live links.

    Exit codes: 0 all items are OK, 1 evidence against at least one, 3 some could not be checked.
    """
    form, verbose = output_format(as_json=as_json, as_markdown=as_markdown), verbosity(ctx)

    async def work(library: "LibrarySession") -> Json:
        zotero = _open(library)
        if write:
            zotero.check_writable()
        key = await zotero.collection_key(collection)
        body = await _audit(library, await zotero.items(key), verbose)
        return body | {"written": await _mark(zotero, body, key)} if write else body

    body = run_in_library(work, verbose=verbose)
    show(_audit_view(body), body, form)
    if code := audit_exit_code(body):
        raise typer.Exit(code)


@app.command()
def add(
    session_id: SessionId,
    *,
    collection: Annotated[
        str | None, typer.Option(help="Name or key of the collection to add them to.")
    ] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Add the sources of a research session that are not in the library yet."""
    form = output_format(as_json=as_json, as_markdown=as_markdown)
    full_id = full_session_id(session_id)

    async def work(library: "LibrarySession") -> Json:
        services = library.app.services
        zotero = _open(library)
        zotero.check_writable()
        state = await services.sessions.get(library.app.owner, full_id)
        key = await zotero.collection_key(collection)
        return asdict(await zotero.add(state.sources, key))

    body = run_in_library(work)
    text = f"{plural(body['added'], 'source')} added, {body['present']} already in the library."
    show([Note(text)], body, form)


def _open(library: "LibrarySession") -> "ZoteroService":
    # imported here: the help needs none of it
    from webquarry.services.zotero.service import open_zotero

    return open_zotero(library.app.services.providers)


async def _collections(library: "LibrarySession") -> list[Json]:
    found = await _open(library).collections()
    names = {each.key: each.name for each in found}
    return [
        {"key": each.key, "name": each.name, "parent": names.get(each.parent_collection)}
        for each in sorted(found, key=lambda each: each.name.casefold())
    ]


def _collections_view(collections: list[Json]) -> Iterator[Part]:
    if not collections:
        yield Note("This library has no collections.")
        return
    rows = [(each["key"], each["name"], each["parent"]) for each in collections]
    yield grid(("key", "name", "in"), rows)


async def _audit(library: "LibrarySession", items: "Sequence[LibraryItem]", verbose: int) -> Json:
    """Return the result of `audit_bibliography` for all items, with their keys."""
    from webquarry.services.zotero.references import csl_reference

    entries: list[Json] = []
    counts = Counter[str](total=0)
    rest: Json = {"checkedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
    for start in range(0, len(items), _BATCH):
        batch = items[start : start + _BATCH]
        keys = [item.key for item in batch]
        text = json.dumps([csl_reference(item) for item in batch], ensure_ascii=False)
        arguments: Json = {"bibliography": text, "format": "csl-json"}
        rest = await audit_all(library, arguments, verbose)
        entries += [
            entry | {"index": start + entry["index"], "zoteroKey": keys[entry["index"]]}
            for entry in rest["entries"]
        ]
        counts.update(rest["summary"])
    result = {"entryCount": len(entries), "summary": dict(counts), "entries": entries}
    return rest | {"source": "zotero"} | result


async def _mark(zotero: "ZoteroService", body: Json, collection: str) -> Json:
    from webquarry.services.zotero.marks import ItemFinding

    findings = {
        entry["zoteroKey"]: ItemFinding(tuple(entry["flags"]), entry.get("reason") or "")
        for entry in body["entries"]
    }
    return asdict(await zotero.mark(findings, body["checkedAt"][:10], collection))


def _audit_view(body: Json) -> Iterator[Part]:
    if not body["entries"]:
        yield Note("There are no references in this library or collection.")
        return
    yield from audit_view(body)
    if written := body.get("written"):
        items, notes = plural(written["items"], "item"), plural(written["notes"], "note")
        yield Note(f"Zotero: tags of {items} changed, {notes} written.")

"""The server of `bench.http`: the real server, with two tools that show whose data is returned."""

import asyncio
import hashlib
import os
import sys
from pathlib import Path

from pydantic import Field

from webquarry.app import open_app
from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.models.model import Model
from webquarry.server.http_controls import build_http_controls
from webquarry.server.run_http import run_http
from webquarry.settings.load import load
from webquarry.storage.key_names import name_of
from webquarry.tools.echo import echo

LINES = 400


class NoteIn(Model):
    """Arguments of `note`."""

    text: str = Field(default="", description="Text to store; empty only reads.")


class NoteOut(Model):
    """Result of `note`."""

    tenant: str
    user: str
    process: int
    note: str


@tool("starter", ToolOptions(annotations=ToolAnnotations(read_only=False, open_world=False)))
async def note(args: NoteIn, call: Call) -> NoteOut:
    """Store a note for its owner, and return the stored note."""
    caller, store = call.caller, call.services.store
    name = name_of("artifact", caller.tenant, caller.user, "note")
    if args.text:
        await store.set(name, args.text.encode(), ttl=600)
    stored = await store.get(name)
    return NoteOut(
        tenant=caller.tenant,
        user=caller.user,
        process=os.getpid(),
        note=stored.value.decode() if stored else "",
    )


class LinesIn(Budgeted):
    """Arguments of `lines`."""

    seed: str = Field(description="Seed of the lines.")


class LinesOut(Paged):
    """Result of `lines`."""

    owner: str
    text: str


@tool("starter", ToolOptions(cuttable=("text",), annotations=ToolAnnotations(open_world=False)))
async def lines(args: LinesIn, call: Call) -> LinesOut:
    """Return many lines that depend on the seed and the caller; continue with the cursor."""
    owner = f"{call.caller.tenant}/{call.caller.user}"
    return LinesOut(owner=owner, text=text_of(args.seed, owner))


def text_of(seed: str, owner: str) -> str:
    """Return the text of `lines` for an owner."""
    return "\n".join(
        hashlib.sha256(f"{seed} {owner} {number}".encode()).hexdigest() for number in range(LINES)
    )


async def main(home: Path) -> None:
    settings = load(environ=dict(os.environ), directory=home)
    async with open_app(settings, "http", tools=(echo, note, lines)) as app:
        controls = build_http_controls(settings, app.offer.services, app.audit)
        await run_http(app.offer, settings, controls)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

"""The server of `bench.http`: the real one, with two tools that show whose results are whose."""

import asyncio
import hashlib
import os
import sys
from pathlib import Path

from pydantic import Field

from webquarry.app import open_app
from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import Call, Options, ToolAnnotations, tool
from webquarry.models.model import Model
from webquarry.server.run_http import run_http
from webquarry.settings.load import load
from webquarry.storage.key_names import name_of
from webquarry.tools.echo import echo
from webquarry.wiring.build_http_access import build_house

LINES = 400


class NoteIn(Model):
    """Arguments of `note`."""

    text: str = Field(default="", description="What to keep; empty only reads.")


class NoteOut(Model):
    """Result of `note`."""

    tenant: str
    user: str
    process: int
    note: str


@tool("starter", Options(hints=ToolAnnotations(read_only=False, open_world=False)))
async def note(args: NoteIn, call: Call) -> NoteOut:
    """Keep a note for its owner, and return what is kept."""
    caller, store = call.caller, call.services.store
    name = name_of("artifact", caller.tenant, caller.user, "note")
    if args.text:
        await store.set(name, args.text.encode(), ttl=600)
    kept = await store.get(name)
    return NoteOut(
        tenant=caller.tenant,
        user=caller.user,
        process=os.getpid(),
        note=kept.value.decode() if kept else "",
    )


class LinesIn(Budgeted):
    """Arguments of `lines`."""

    seed: str = Field(description="What the lines are made from.")


class LinesOut(Paged):
    """Result of `lines`."""

    owner: str
    text: str


@tool("starter", Options(cuts=("text",), hints=ToolAnnotations(open_world=False)))
async def lines(args: LinesIn, call: Call) -> LinesOut:
    """Return many lines that only this seed and this person give; read on with the cursor."""
    owner = f"{call.caller.tenant}/{call.caller.user}"
    return LinesOut(owner=owner, text=text_of(args.seed, owner))


def text_of(seed: str, owner: str) -> str:
    """Return what `lines` has for an owner."""
    return "\n".join(
        hashlib.sha256(f"{seed} {owner} {number}".encode()).hexdigest() for number in range(LINES)
    )


async def main(home: Path) -> None:
    settings = load(environ=dict(os.environ), directory=home)
    async with open_app(settings, "http", tools=(echo, note, lines)) as app:
        house = build_house(settings, app.parts, app.audit)
        await run_http(app.offer, settings, house)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

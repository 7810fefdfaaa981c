"""`webquarry keys`: make, list and revoke API keys."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from webquarry.cli.options import plain
from webquarry.errors import BadInputError
from webquarry.settings.value_types import duration

if TYPE_CHECKING:
    from webquarry.auth.api_keys import ApiKey, ApiKeys

T = TypeVar("T")

app = plain("Make, list and revoke API keys (for servers with API_KEYS=on).")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_LIFETIME = duration("1m", "3650d")


def load(_: str) -> typer.Typer:
    """Return the commands about keys."""
    return app


@app.command()
def create(
    *,
    user: Annotated[str, typer.Option(help="Whom the key speaks for.")],
    tenant: Annotated[str, typer.Option(help="Their tenant.")] = "default",
    scope: Annotated[
        list[str] | None,
        typer.Option(help="tool:<name>, toolset:<name>, tool:* or research; none = everything."),
    ] = None,
    expires: Annotated[str | None, typer.Option(help="Lifetime, like 90d.")] = None,
    note: Annotated[str, typer.Option(help="What it is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a key and print it; it cannot be shown again."""
    try:
        ttl = None if expires is None else _LIFETIME.read(expires)
    except ValueError:
        raise BadInputError(f"--expires is {expires!r}; accepted: {_LIFETIME.accepts}") from None

    async def make(keys: "ApiKeys") -> "tuple[str, ApiKey]":
        return await keys.create(tenant=tenant, user=user, scopes=scope or (), note=note, ttl=ttl)

    text, made = asyncio.run(_with_keys(make))
    if as_json:
        typer.echo(json.dumps({"key": text, **made.model_dump(mode="json")}, indent=2))
        return
    typer.echo(text)
    typer.echo(f"id {made.id}; send it as `Authorization: Bearer …` or `X-API-Key: …`", err=True)


@app.command("list")
def list_keys(*, as_json: AsJson = False) -> None:
    """Show the keys there are, without the keys themselves."""
    found = asyncio.run(_with_keys(lambda keys: keys.listing()))
    if as_json:
        typer.echo(json.dumps([key.model_dump(mode="json") for key in found], indent=2))
        return
    if not found:
        typer.echo("There are no keys; `webquarry keys create --user NAME` makes one.")
    for key in found:
        scopes = " ".join(key.scopes) or "everything"
        ends = "never" if key.expires_at is None else _day(key.expires_at)
        made = _day(key.created_at)
        line = f"{key.id}  {key.tenant}  {key.user}  {scopes}  made {made}  ends {ends}  {key.note}"
        typer.echo(line.rstrip())


@app.command()
def revoke(ident: Annotated[str, typer.Argument(metavar="ID", help="Id of the key.")]) -> None:
    """Stop a key from working, at once and everywhere."""
    gone = asyncio.run(_with_keys(lambda keys: keys.revoke(ident)))
    typer.echo(f"revoked {gone.id} of {gone.user} ({gone.tenant})")


async def _with_keys(work: "Callable[[ApiKeys], Awaitable[T]]") -> T:
    from webquarry.app import open_app
    from webquarry.auth.api_keys import ApiKeys
    from webquarry.serving import read_settings

    async with open_app(read_settings({}), "cli") as opened:
        return await work(ApiKeys(opened.parts.store))


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()

"""`webquarry keys`: manages API keys; shows the secret of webhooks and the signing key."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from webquarry.cli.options import AsJson, typer_app
from webquarry.errors import BadInputError
from webquarry.settings.value_types import duration

if TYPE_CHECKING:
    from webquarry.auth.api_keys import ApiKey, ApiKeys

T = TypeVar("T")

app = typer_app(
    "Create, list and revoke API keys (for servers with API_KEYS=on); show the webhook secret."
)

_LIFETIME = duration("1m", "3650d")


def load(_: str) -> typer.Typer:
    """Return the commands about keys."""
    return app


@app.command()
def create(
    *,
    user: Annotated[str, typer.Option(help="The user that the key identifies.")],
    tenant: Annotated[str, typer.Option(help="The user's tenant.")] = "default",
    scope: Annotated[
        list[str] | None,
        typer.Option(
            help="tool:<name>, toolset:<name>, tool:* or research (may be repeated; default: all)."
        ),
    ] = None,
    expires: Annotated[str | None, typer.Option(help="Lifetime, e.g. 90d.")] = None,
    note: Annotated[str, typer.Option(help="What the key is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Create a key and print it; it cannot be shown again."""
    try:
        ttl = None if expires is None else _LIFETIME.read(expires)
    except ValueError:
        raise BadInputError(f"--expires is {expires!r}; accepted: {_LIFETIME.accepts}") from None

    async def create_key(keys: "ApiKeys") -> "tuple[str, ApiKey]":
        return await keys.create(tenant=tenant, user=user, scopes=scope or (), note=note, ttl=ttl)

    secret, key = asyncio.run(_with_keys(create_key))
    if as_json:
        typer.echo(json.dumps({"key": secret, **key.model_dump(mode="json")}, indent=2))
        return
    typer.echo(secret)
    typer.echo(f"Id {key.id}. Send it as `Authorization: Bearer …` or `X-API-Key: …`.", err=True)


@app.command("list")
def list_keys(*, as_json: AsJson = False) -> None:
    """List the keys, without their secret parts."""
    listed = asyncio.run(_with_keys(lambda keys: keys.list_keys()))
    if as_json:
        typer.echo(json.dumps([key.model_dump(mode="json") for key in listed], indent=2))
        return
    if not listed:
        typer.echo("No keys yet. Create one with `webquarry keys create --user NAME`.")
    for key in listed:
        scopes = " ".join(key.scopes) or "all scopes"
        expires = "never expires" if key.expires_at is None else f"expires {_day(key.expires_at)}"
        created = f"created {_day(key.created_at)}"
        line = f"{key.id}  {key.tenant}  {key.user}  {scopes}  {created}  {expires}  {key.note}"
        typer.echo(line.rstrip())


@app.command()
def revoke(key_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the key.")]) -> None:
    """Revoke a key; every server rejects it at once."""
    key = asyncio.run(_with_keys(lambda keys: keys.revoke(key_id)))
    typer.echo(f"Revoked {key.id} of {key.user} ({key.tenant}).")


@app.command()
def webhook(
    *, tenant: Annotated[str, typer.Option(help="Tenant whose notifications it signs.")] = "default"
) -> None:
    """Print the secret that signs webhook notifications, for the program that receives them."""
    from webquarry.serving import read_call_settings
    from webquarry.wiring.open_storage import storage_keys
    from webquarry.wiring.webhook_secret import webhook_secret

    settings = read_call_settings({})
    typer.echo(webhook_secret(settings, storage_keys(settings), tenant))


@app.command("show-signing")
def show_signing(*, as_json: AsJson = False) -> None:
    """Print the public key that signs evidence bundles, and its fingerprint."""
    from webquarry.serving import read_call_settings
    from webquarry.storage.encryption_keys import load_or_create_key
    from webquarry.webarchive.signing import SigningKey, fingerprint, signing_key_path

    path = signing_key_path(read_call_settings({}).server.data_dir)
    public = SigningKey.from_seed(load_or_create_key(path)).public
    if as_json:
        typer.echo(json.dumps({"publicKey": public, "fingerprint": fingerprint(public)}, indent=2))
        return
    typer.echo(fingerprint(public))
    typer.echo(f"Ed25519 public key: {public}", err=True)


async def _with_keys(work: "Callable[[ApiKeys], Awaitable[T]]") -> T:
    from webquarry.app import open_app
    from webquarry.auth.api_keys import ApiKeys
    from webquarry.serving import read_call_settings

    async with open_app(read_call_settings({}), "cli") as opened:
        return await work(ApiKeys(opened.services.store))


def _day(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, UTC).date().isoformat()

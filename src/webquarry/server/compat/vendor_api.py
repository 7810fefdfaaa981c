"""What a vendor's API consists of: its routes, its form of errors, its API keys."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from webquarry.server.compat.vendor_context import VendorContext

COMPAT = "/compat"
Json = dict[str, Any]


@dataclass(frozen=True)
class VendorError:
    """An error as the vendor sends it."""

    status: int
    body: Json


@dataclass(frozen=True, kw_only=True)
class VendorApi:
    """The API of another vendor, served below `/compat/<name>`."""

    name: str
    routes: Callable[[VendorContext], list[BaseRoute]]  # with paths as the vendor has them
    error: Callable[[Mapping[str, Any]], VendorError]  # of a problem (RFC 9457)
    root_paths: tuple[str, ...]  # served at the root if COMPAT_ROOT names the vendor
    job_paths: tuple[str, ...] = ()  # GET reads the state of a job, which costs little
    socket: Callable[[ASGIApp, Scope, Receive, Send], Awaitable[None]] | None = None
    key_field: str = ""  # of a JSON body, in which old clients send the API key

    @property
    def prefix(self) -> str:
        """The path of the API on this server."""
        return f"{COMPAT}/{self.name}"

"""Read-only views that clients fetch by URI."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.services import Services


@dataclass(frozen=True)
class ResourceContent:
    """What a resource says at this moment: text, or bytes for anything else."""

    body: str | bytes
    mime: str = "application/json"
    meta: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ResourceRequest:
    """One request for a resource."""

    uri: str
    caller: Caller
    services: Services
    variables: Mapping[str, str]
    query: Mapping[str, str]

    def number(self, name: str, default: int | None) -> int | None:
        """Return a whole number from the query string."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isdecimal():
            raise BadInputError(f"{name}: must be a whole number, got {text!r}")
        return int(text)


Reads = Callable[[ResourceRequest], Awaitable[ResourceContent]]


@dataclass(frozen=True)
class Resource:
    """A resource at a fixed URI, or at every URI that fits a template such as `a://b/{id}`."""

    uri: str
    name: str
    description: str
    read: Reads
    mime: str = "application/json"

    @property
    def is_template(self) -> bool:
        return "{" in self.uri

    def match(self, uri: str) -> Mapping[str, str] | None:
        """Return the template's variables when `uri` fits, else None."""
        wanted, given = self.uri.split("/"), uri.split("/")
        if len(wanted) != len(given):
            return None
        variables: dict[str, str] = {}
        for want, have in zip(wanted, given, strict=True):
            if want.startswith("{") and have:
                variables[want.strip("{}")] = have
            elif want != have:
                return None
        return variables

    def wire(self) -> dict[str, str]:
        """Return the entry of `resources/list` or `resources/templates/list`."""
        place = {"uriTemplate": self.uri} if self.is_template else {"uri": self.uri}
        return place | {
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime,
        }


class ResourceRegistry:
    """All resources on offer."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._resources = tuple(resources)

    def listing(self, *, templates: bool) -> list[dict[str, str]]:
        """Return what clients may browse, fixed resources or templates."""
        return [r.wire() for r in self._resources if r.is_template is templates]

    async def read(self, uri: str, caller: Caller, services: Services) -> ResourceContent:
        """Return what is at `uri` for this caller."""
        address = uri.partition("?")[0]
        query = {k: v[-1] for k, v in parse_qs(urlsplit(uri).query).items()}
        for resource in self._resources:
            if (variables := resource.match(address)) is not None:
                return await resource.read(ResourceRequest(uri, caller, services, variables, query))
        raise NotFoundError(f"Resource not found: {uri}")

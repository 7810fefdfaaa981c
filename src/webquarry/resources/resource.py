"""Read-only views that clients fetch by URI."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from webquarry.content.text.token_count import compact_json
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.wiring.container import Services


@dataclass(frozen=True)
class ResourceContent:
    """The current content of a resource: text, or bytes for other types."""

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


# a dict becomes JSON
ReadResource = Callable[[ResourceRequest], Awaitable[ResourceContent | dict[str, Any]]]


@dataclass(frozen=True)
class Resource:
    """A resource with a fixed URI or a URI template such as `a://b/{id}`."""

    uri: str
    name: str
    description: str
    read: ReadResource
    mime: str = "application/json"

    @property
    def is_template(self) -> bool:
        return "{" in self.uri

    def match(self, uri: str) -> Mapping[str, str] | None:
        """Return the template's variables if `uri` matches, else None."""
        template, segments = self.uri.split("/"), uri.split("/")
        if len(template) != len(segments):
            return None
        variables: dict[str, str] = {}
        for expected, segment in zip(template, segments, strict=True):
            if expected.startswith("{") and segment:
                variables[expected.strip("{}")] = segment
            elif expected != segment:
                return None
        return variables

    def wire(self) -> dict[str, str]:
        """Return the entry of `resources/list` or `resources/templates/list`."""
        uri = {"uriTemplate": self.uri} if self.is_template else {"uri": self.uri}
        return uri | {
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime,
        }


class ResourceRegistry:
    """All resources."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._resources = tuple(resources)

    def listing(self, *, templates: bool) -> list[dict[str, str]]:
        """Return the resources with a fixed URI, or the templates."""
        return [r.wire() for r in self._resources if r.is_template is templates]

    async def read(self, uri: str, caller: Caller, services: Services) -> ResourceContent:
        """Return the content of `uri` for this caller."""
        path = uri.partition("?")[0]
        query = {k: v[-1] for k, v in parse_qs(urlsplit(uri).query).items()}
        for resource in self._resources:
            if (variables := resource.match(path)) is not None:
                request = ResourceRequest(uri, caller, services, variables, query)
                content = await resource.read(request)
                if isinstance(content, dict):
                    return ResourceContent(without_invisible(compact_json(content)))
                return content  # an artifact, which is stored as the call returned it
        raise NotFoundError(f"Resource not found: {uri}")

"""What the answers of all search providers have in common."""

from typing import Any, ClassVar, cast

from pydantic import model_validator

from webquarry.net.upstream.api import ApiLimits
from webquarry.providers.provider import Wire

# a search is worth less with every second, and another provider may be waiting for its turn
SEARCH_LIMITS = ApiLimits(timeout=8, deadline=12, tries=2)


class SearchPayload(Wire):
    """A whole answer. One that has none of the `marks` came from somebody else."""

    marks: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _is_theirs(cls, data: Any) -> Any:
        keys = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        if not any(mark in keys for mark in cls.marks):
            raise ValueError(f"none of {', '.join(cls.marks)} is in it")
        return cast("Any", data)

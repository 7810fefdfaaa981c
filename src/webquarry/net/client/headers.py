"""HTTP headers of a response."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, overload

T = TypeVar("T")


class Headers(Mapping[str, str]):
    """Immutable headers, found under any spelling of their name. Repeated ones are joined."""

    __slots__ = ("_values",)

    def __init__(self, fields: Iterable[tuple[str, str]] = ()) -> None:
        values: dict[str, tuple[str, ...]] = {}
        for spelled, value in fields:
            name = spelled.lower()
            values[name] = (*values[name], value) if name in values else (value,)
        self._values = values

    def __getitem__(self, name: str) -> str:
        return ", ".join(self._values[name.lower()])

    @overload
    def get(self, key: str, default: None = None, /) -> str | None: ...
    @overload
    def get(self, key: str, default: str | T, /) -> str | T: ...
    def get(self, key: str, default: str | T | None = None, /) -> str | T | None:
        """Return the value; asked many times for every page, so no miss is raised on the way."""
        found = self._values.get(key.lower())
        return default if found is None else ", ".join(found)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "Headers":
        """Return a mapping as headers."""
        return cls(fields.items())

    def every(self, name: str) -> tuple[str, ...]:
        """Return each value of a header that must not be joined, like Set-Cookie."""
        return self._values.get(name.lower(), ())

    def parameter(self, name: str, parameter: str) -> str:
        """Return one parameter of a header, like the charset of Content-Type; empty without it."""
        for part in self.get(name, "").split(";")[1:]:
            key, _, value = part.partition("=")
            if key.strip().lower() == parameter:
                return value.strip().strip("\"'")
        return ""

    @property
    def media_type(self) -> str:
        """Return the content type in lower case, without its parameters."""
        return self.get("content-type", "").split(";")[0].split(",")[0].strip().lower()

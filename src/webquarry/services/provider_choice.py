"""The configured providers by capability, and errors that name what is missing."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, cast

from webquarry.errors import UnconfiguredError, UnknownProviderError
from webquarry.providers.provider import Provider, ProviderInfo

P = TypeVar("P")


class ProviderDirectory:
    """All providers of the process, by capability."""

    def __init__(
        self, ready: Sequence[Provider] = (), known: Sequence[type[Provider]] = ()
    ) -> None:
        self._ready = tuple(ready)
        self._known = tuple(known)
        self._by_capability: dict[type[Any], CapableProviders[Any]] = {}

    @property
    def ready(self) -> tuple[Provider, ...]:
        """All configured providers, in order of preference."""
        return self._ready

    @property
    def known(self) -> frozenset[str]:
        """The names of all providers, configured or not."""
        return frozenset(cls.about.name for cls in self._known)

    def of(self, capability: type[P]) -> "CapableProviders[P]":
        """Return the providers with this capability."""
        if capability not in self._by_capability:
            self._by_capability[capability] = CapableProviders(capability, self._ready, self._known)
        return self._by_capability[capability]

    def with_own(self, capability: type[P], *own: P) -> "CapableProviders[P]":
        """Return the providers with this capability, and `own` as the last."""
        added = cast("tuple[Provider, ...]", own)
        return CapableProviders(
            capability, (*self._ready, *added), (*self._known, *map(type, added))
        )


class CapableProviders(Generic[P]):
    """The providers with one capability: the configured ones, and all known ones.

    `capability` is a runtime-checkable protocol, e.g. `SearchesTrials`.
    """

    def __init__(
        self, capability: type[P], ready: Sequence[Provider], known: Sequence[type[Provider]]
    ) -> None:
        self._ready = {p.about.name: cast("P", p) for p in ready if isinstance(p, capability)}
        methods = [name for name in vars(capability) if not name.startswith("_")]
        self._known = {
            cls.about.name: cls.about
            for cls in known
            if all(hasattr(cls, name) for name in methods if name != "about")
        }

    def __bool__(self) -> bool:
        return bool(self._ready)

    @property
    def known(self) -> dict[str, ProviderInfo]:
        """Return all providers with the capability, by name."""
        return dict(self._known)

    @property
    def ready(self) -> dict[str, P]:
        """Return the configured providers by name, in order of preference."""
        return dict(self._ready)

    def require(self, name: str) -> P:
        """Return the provider of this name; an error says what is missing."""
        if provider := self._ready.get(name):
            return provider
        if about := self._known.get(name):
            missing = " and ".join(about.requires)
            raise UnconfiguredError(
                f"Provider '{name}' is not configured: set {missing} (see .env.example).",
                provider=name,
                alternatives=tuple(self._ready),
            )
        raise UnknownProviderError(
            f"Unknown provider '{name}'. Supported: {', '.join(self._known)}.",
            alternatives=tuple(self._ready),
        )

    def first(self, name: str | None = None) -> P:
        """Return the named provider, or the preferred one when none is named."""
        if name:
            return self.require(name)
        for provider in self._ready.values():
            return provider
        needed = sorted({variable for about in self._known.values() for variable in about.requires})
        raise UnconfiguredError(
            f"No provider is configured: set {' or '.join(needed)} (see .env.example)."
        )

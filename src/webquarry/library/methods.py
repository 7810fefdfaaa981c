"""One method per tool. Their signatures are in `methods.pyi`, generated from the tools."""

from functools import partial
from typing import Any

from webquarry.tools import TOOLS

_NAMES = frozenset(tool.name for tool in TOOLS)


class Methods:
    """Makes every tool a method that returns the tool's own output model."""

    async def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any:
        """Run a tool and return its result as the model it declares."""
        # abstract: subclasses run the tool
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        return partial(self.typed, _known(self, name))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_NAMES})


class SyncMethods:
    """`Methods` for programs without an event loop."""

    def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any:
        """Run a tool and return its result as the model it declares."""
        # abstract, as above
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        return partial(self.typed, _known(self, name))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_NAMES})


def _known(owner: object, name: str) -> str:
    if name in _NAMES:
        return name
    if name in {"app", "opened"}:
        statement = "async with" if name == "app" else "with"
        raise RuntimeError(
            f"Webquarry is not open: use `{statement} {type(owner).__name__}() as wq:`"
        )
    raise AttributeError(f"{type(owner).__name__} has no attribute or tool {name!r}")

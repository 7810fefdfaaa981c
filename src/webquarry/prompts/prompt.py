"""Prompts: ready-made instructions that guide an assistant through the tools."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.result import Block, TextBlock

Messages = list[dict[str, Any]]


@dataclass(frozen=True)
class Argument:
    """A value the person fills in."""

    name: str
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()

    def wire(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "required": self.required}


@dataclass(frozen=True)
class Prompt:
    """A named instruction with arguments."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    write: Callable[[Mapping[str, str]], str | list[Block]]

    def wire(self) -> dict[str, Any]:
        """Return the entry of `prompts/list`."""
        arguments = [a.wire() for a in self.arguments]
        return {"name": self.name, "description": self.description, "arguments": arguments}

    def messages(self, given: Mapping[str, str]) -> Messages:
        """Return the messages for these arguments."""
        self._check(given)
        written = self.write(given)
        blocks = [TextBlock(text=written)] if isinstance(written, str) else written
        return [{"role": "user", "content": b.model_dump(exclude_none=True)} for b in blocks]

    def _check(self, given: Mapping[str, str]) -> None:
        known = {a.name: a for a in self.arguments}
        problems = [
            f"{n}: is required" for n, a in known.items() if a.required and not given.get(n)
        ]
        problems += [f"{n}: no such argument" for n in given if n not in known]
        problems += [
            f"{n}: must be one of {', '.join(known[n].choices)}"
            for n, value in given.items()
            if n in known and known[n].choices and value not in known[n].choices
        ]
        if problems:
            raise BadInputError(f"{self.name}: {'; '.join(problems)}.")


class PromptRegistry:
    """All prompts on offer."""

    def __init__(self, prompts: Iterable[Prompt] = ()) -> None:
        self._prompts = {p.name: p for p in sorted(prompts, key=lambda p: p.name)}

    def __bool__(self) -> bool:
        return bool(self._prompts)

    def listing(self) -> list[dict[str, Any]]:
        """Return what clients may browse."""
        return [p.wire() for p in self._prompts.values()]

    def lookup(self, name: str) -> Prompt:
        """Return the prompt called `name`."""
        try:
            return self._prompts[name]
        except KeyError:
            raise NotFoundError(f"Unknown prompt: {name}") from None

"""Custom properties of CSS: what `var(--name)` stands for."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from webquarry.content.html.dom import Element
from webquarry.content.visibility.css_syntax import MAX_VALUE, declarations_of

_MAX_SUBSTITUTIONS = 20
_MAX_DEFINITIONS = 5  # of one variable
_VARIABLE = re.compile(r"(?<![\w-])--[\w-]++")
_DEFINITION = re.compile(r"(?<![\w-])(--[\w-]++)\s*+:([^;]*+)")
_PARENTHESIS = re.compile(r"[()]")


class PageVariables:
    """The variables that a page sets, anywhere and for single elements."""

    def __init__(
        self,
        bodies: Iterable[str],
        own_bodies: Callable[[Element], Iterable[str]],
        *,
        is_complete: bool,
    ) -> None:
        self._bodies = bodies
        self._is_complete = is_complete  # otherwise another style sheet may set any variable
        self._own_bodies = own_bodies  # of an element, in the order of the cascade
        self._by_body: dict[str, Mapping[str, str]] = {}
        self._known: dict[Element, Mapping[str, str]] = {}

    @cached_property
    def _definitions(self) -> Mapping[str, list[str]]:
        """Every value that the page gives to each variable."""
        found: dict[str, list[str]] = {}
        for body in self._bodies:
            if "--" in body:
                for name, value in self._definitions_in(body).items():
                    if len(found.setdefault(name, [])) < _MAX_DEFINITIONS:
                        found[name].append(value)
        return found

    @cached_property
    def _last_definitions(self) -> Mapping[str, str]:
        return {name: values[-1] for name, values in self._definitions.items()}

    def possible_values(self, value: str) -> Iterable[str]:
        """Return what a value with a variable may stand for, anywhere on the page."""
        last = self._last_definitions
        yield self._resolved(value, last)
        for name in _VARIABLE.findall(value):
            for other in self._definitions.get(name.lower(), [])[:-1]:
                yield self._resolved(value, {**last, name.lower(): other})

    def resolved_for(self, element: Element, value: str) -> str:
        """Return what a value with variables stands for at an element; "" if that is unknown."""
        return self._resolved(value, self._of_element(element))

    def _resolved(self, value: str, variables: Mapping[str, str]) -> str:
        return resolve(value, variables, with_fallback=self._is_complete)

    def _of_element(self, element: Element) -> Mapping[str, str]:
        """Return the variables that an element inherits or sets."""
        path: list[Element] = []
        ancestor: Element | None = element
        while ancestor is not None and ancestor not in self._known:
            path.append(ancestor)
            ancestor = ancestor.getparent()
        variables: Mapping[str, str] = {}
        if ancestor is not None:
            variables = self._known[ancestor]
        for part in reversed(path):
            for body in self._own_bodies(part):
                if "--" in body:
                    variables = {**variables, **self._definitions_in(body)}
            self._known[part] = variables
        return variables

    def _definitions_in(self, body: str) -> Mapping[str, str]:
        if body not in self._by_body:
            self._by_body[body] = definitions_in(body)
        return self._by_body[body]


def definitions_in(body: str) -> dict[str, str]:
    """Return the variables that declarations set."""
    if "\\" in body or "/*" in body:
        declared = declarations_of(body).items()
        return {name: value for name, (value, _) in declared if name.startswith("--")}
    return {
        match[1].lower(): match[2].partition("!")[0].strip()[:MAX_VALUE]
        for match in _DEFINITION.finditer(body)
    }


def resolve(value: str, properties: Mapping[str, str], *, with_fallback: bool = True) -> str:
    """Return a value with its variables replaced; "" if one has no value and no fallback."""
    for _ in range(_MAX_SUBSTITUTIONS):
        start = value.lower().find("var(")
        if start < 0:
            return value.strip().lower()
        end = _end(value, start + 4)
        name, comma, fallback = value[start + 4 : end].partition(",")
        found = properties.get(name.strip(), fallback.strip() if comma and with_fallback else None)
        if found is None:
            return ""
        value = f"{value[:start]} {found} {value[end + 1 :]}"[:MAX_VALUE]
    return ""


def _end(value: str, position: int) -> int:
    """Return the position of the parenthesis that closes the one before `position`."""
    depth = 1
    for match in _PARENTHESIS.finditer(value, position):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.start()
    return len(value)

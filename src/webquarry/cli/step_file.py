"""Reads the steps of `--steps FILE`."""

import json
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError

from webquarry.cli.audit_command import read_text
from webquarry.models.model import first_problem
from webquarry.models.page_steps import PageStep, PageSteps

StepsOption = Annotated[
    str | None,
    typer.Option(
        "--steps",
        metavar="FILE",
        help="Do these steps in a browser first: a JSON list (- for stdin), like"
        ' [{"do": "click", "role": "button", "name": "More"}].',
    ),
]


def read_steps(name: str | None) -> tuple[PageStep, ...]:
    """Return the steps in a file; none without a name."""
    if name is None:
        return ()
    try:
        given: Any = json.loads(read_text(name))
        return TypeAdapter(PageSteps).validate_python(given)
    except ValidationError as error:
        raise typer.BadParameter(f"{name}: step {first_problem(error)}") from error
    except ValueError as error:
        raise typer.BadParameter(f"{name} is not JSON: {error}") from error


def step_arguments(name: str | None) -> dict[str, Any]:
    """Return the steps in a file as the argument of a tool."""
    steps = [step.model_dump(exclude_unset=True) for step in read_steps(name)]
    return {"steps": steps} if steps else {}

"""The body of a request in a vendor's API: validated, with the fields that this server ignores."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from webquarry.errors import BadInputError
from webquarry.models.model import first_problem

V = TypeVar("V", bound="VendorBody")


class VendorBody(BaseModel):
    """The fields of a request that this server knows; the others are reported."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


def parse_body(model: type[V], body: Mapping[str, Any]) -> V:
    """Return the request; `BadInputError` names the first field that is wrong."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise BadInputError(first_problem(error)) from error


def unknown_fields(model: type[VendorBody], body: Mapping[str, Any]) -> list[str]:
    """Return the fields of a body that its model does not have."""
    known = {field.alias or name for name, field in model.model_fields.items()}
    return sorted(name for name in body if name not in known)


def given_fields(body: VendorBody, names: Iterable[str]) -> list[str]:
    """Return those of the fields that the client has set to something."""
    return [
        name for name in names if name in body.model_fields_set and getattr(body, name) is not None
    ]

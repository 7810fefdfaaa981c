"""One operation of the REST API."""

from dataclasses import dataclass
from typing import Literal

from webquarry.models.model import Model

Method = Literal["GET", "POST", "DELETE"]
ResponseKind = Literal["result", "events", "file", "image", "artifact", "report", "bundle"]


@dataclass(frozen=True)
class Operation:
    """One REST operation, implemented by one tool."""

    name: str
    method: Method
    path: str
    tool: str
    summary: str
    status: int = 200
    query: tuple[str, ...] = ()  # tool arguments allowed in the query string
    response_kind: ResponseKind = "result"
    idempotent_by_key: bool = False
    fixed_arguments: tuple[tuple[str, bool | int | str], ...] = ()  # of a POST: defaults
    takes_upload: bool = False  # a file as multipart/form-data, instead of JSON
    file_name_field: str = "name"  # argument for the name of an uploaded file
    id_field: str = "crawlId"  # of the job that it starts
    response_model: type[Model] | None = None  # if the tool has several results
    cancels: bool = False  # a DELETE that calls the tool with `cancel`
    body: tuple[str, ...] | None = None  # tool arguments in the body of a POST; None: all

"""The record of who did what."""

from pathlib import Path
from typing import Annotated

from webquarry.settings.groups.base import Group
from webquarry.settings.kinds import FLAG, PATH
from webquarry.settings.variable import Variable


class Audit(Group):
    """The audit trail."""

    enabled: Annotated[
        bool, Variable("AUDIT_ENABLED", "Whether to write an audit trail.", FLAG)
    ] = True
    output_path: Annotated[
        Path | None,
        Variable("AUDIT_OUTPUT_PATH", "File of the audit trail; empty for stderr.", PATH),
    ] = None
    include_request_body: Annotated[
        bool,
        Variable(
            "AUDIT_INCLUDE_REQUEST_BODY",
            "Whether audit events hold the query text rather than only its length.",
            FLAG,
        ),
    ] = False

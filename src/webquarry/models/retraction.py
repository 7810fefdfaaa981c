"""Retractions and other notices about a scholarly work."""

from typing import Literal

from webquarry.models.model import Model

NoticeKind = Literal["retraction", "expression_of_concern", "correction"]


class RetractionStatus(Model):
    """The gravest notice recorded for a scholarly work."""

    retracted: bool
    kind: NoticeKind
    date: str | None = None
    noticeDoi: str | None = None
    source: str | None = None

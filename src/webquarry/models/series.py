"""Statistical series: queries and results."""

from webquarry.models.model import Filled, Model
from webquarry.models.records import Number


class SeriesQuery(Model):
    """A search for series by words of their names."""

    text: str
    count: int = 5


class ObservationQuery(Model):
    """A query for observations of a series or data set. Dates are days or periods."""

    series: str
    country: str | None = None
    since: str | None = None
    until: str | None = None
    frequency: str | None = None
    units: str | None = None
    count: int = 10


class SeriesItem(Model):
    """A series, or one observation of it."""

    seriesId: str
    title: Filled[str] = None
    units: Filled[str] = None
    frequency: str | None = None
    lastUpdated: Filled[str] = None
    date: Filled[str] = None
    value: Number | None = None
    notes: Filled[str] = None
    source: str

"""Who tells the readers of pages about retractions."""

import pytest

from tests.replay import FakeClock, Replay
from webquarry.models.reading import RetractionStatus
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.wiring.open_reading import Notices

pytestmark = pytest.mark.anyio


async def test_crossref_is_asked_with_the_operators_address() -> None:
    replay = Replay(
        [
            {
                "origin": "handwritten after api.crossref.org",
                "request": {
                    "url": "https://api.crossref.org/works/10.1000%2Fowl.5?mailto=me%40example.org"
                },
                "status": 200,
                "body": {"message": {"updated-by": [{"type": "withdrawal", "DOI": "10.1000/n"}]}},
            }
        ]
    )
    upstreams = Upstreams(replay, clock=FakeClock().clock())

    found = await Notices(upstreams, {"CROSSREF_EMAIL": "me@example.org"}).status("10.1000/owl.5")

    assert found == RetractionStatus(retracted=True, kind="retraction", noticeDoi="10.1000/n")
    replay.finish()

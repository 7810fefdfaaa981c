"""European Patent Office: the token, the question, and what becomes of the XML."""

from typing import Any

import pytest

from tests.providers.records_refusals import REFUSALS, Refusal, check
from tests.replay import FakeClock, Replay
from webquarry.errors import AccessError, PayloadError, RateLimitError, WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.epo import Epo

pytestmark = pytest.mark.anyio

KEYS = {"EPO_OPS_CONSUMER_KEY": "me", "EPO_OPS_CONSUMER_SECRET": "word"}
BASE = "https://ops.epo.org/3.2"
SEARCH = f"{BASE}/rest-services/published-data/search/biblio,abstract"
PLAIN = f"{SEARCH}?q=ta%3D%22valve%22&Range=1-5"
VALVE = PatentQuery(text="valve")


def token(value: str = "first", seconds: str = "1199") -> dict[str, Any]:
    return {
        "origin": "handwritten in the shape of the API; a token cannot be shown",
        "request": {
            "method": "POST",
            "url": f"{BASE}/auth/accesstoken",
            "form": {"grant_type": "client_credentials"},
            "headers": {"authorization": "Basic bWU6d29yZA=="},
        },
        "status": 200,
        "body": {"access_token": value, "expires_in": seconds, "token_type": "BearerToken"},
    }


def answer(text: str = "", *, bearer: str = "first", url: str = PLAIN, **more: Any) -> Any:
    return {
        "origin": "handwritten in the shape of the API",
        "request": {"url": url, "headers": {"authorization": f"Bearer {bearer}"}},
        "status": 200,
        "text": text,
    } | more


def document(number: tuple[str, str, str], inside: str) -> str:
    office, digits, kind = number
    return (
        f'<exchange-document country="{office}" doc-number="{digits}" kind="{kind}">'
        f"<bibliographic-data>{inside}</bibliographic-data></exchange-document>"
    )


def found(*documents: str) -> str:
    return (
        '<?xml version="1.0"?><ops:world-patent-data xmlns="http://www.epo.org/exchange" '
        'xmlns:ops="http://ops.epo.org"><ops:biblio-search total-result-count="9">'
        f"<ops:search-result><exchange-documents>{''.join(documents)}</exchange-documents>"
        "</ops:search-result></ops:biblio-search></ops:world-patent-data>"
    )


def opened(*exchanges: Any) -> tuple[Epo, Replay]:
    replay = Replay(list(exchanges))
    return Epo(Upstreams(replay, clock=FakeClock().clock()), KEYS), replay


RICH = document(
    ("EP", "1234567", "B1"),
    """<publication-reference><document-id><date>20200304</date></document-id>
    </publication-reference>
    <application-reference><document-id><doc-number>x</doc-number></document-id>
    <document-id><date>20180102</date></document-id></application-reference>
    <patent-classifications><patent-classification>
    <classification-scheme office="EP" scheme="CPCI"/><section>F</section><class>16</class>
    <subclass>K</subclass><main-group>1</main-group><subgroup>00</subgroup>
    </patent-classification><patent-classification><classification-scheme scheme="UC"/>
    <section>Z</section></patent-classification></patent-classifications>
    <parties><applicants><applicant data-format="epodoc"><applicant-name><name>DAMCO AS [NO]</name>
    </applicant-name></applicant><applicant data-format="original"><applicant-name>
    <name>Damco AS, </name></applicant-name></applicant></applicants>
    <inventors><inventor data-format="epodoc"><inventor-name><name>LIE KARI [NO]</name>
    </inventor-name></inventor></inventors></parties>
    <invention-title lang="de">VENTIL</invention-title>
    <invention-title lang="en">VALVE</invention-title>""",
).replace(
    "</exchange-document>", '<abstract lang="en"><p>A  valve.</p></abstract></exchange-document>'
)
BARE = document(("US", "5000000", "A"), "<invention-title lang='fr'>VANNE</invention-title>")


async def test_every_filter_is_part_of_the_question() -> None:
    asked = PatentQuery(
        text='heat "pump"',
        office="EP",
        assignee="Damco AS",
        inventor="Kari Lie",
        cpc="F16K1/00",
        filed_from=2015,
        count=3,
    )
    cql = (
        "ta%3D%22heat%22+and+ta%3D%22pump%22+and+%28pa%3D%22Damco+AS%22+or+pa%3D%22Damco%22%29"
        "+and+in%3D%22Kari+Lie%22+and+cpc%3D%22F16K1%2F00%22+and+pn%3DEP+and+pd%3E%3D2015"
    )
    epo, replay = opened(token(), answer(found(RICH, BARE), url=f"{SEARCH}?q={cql}&Range=1-3"))

    assert await epo.search_patents(asked) == [
        Patent(
            title="VALVE",
            number="EP1234567B1",
            url="https://worldwide.espacenet.com/patent/search?q=pn%3DEP1234567B1",
            abstract="A valve.",
            assignee="Damco AS",
            inventor="LIE KARI [NO]",
            filed="2018-01-02",
            granted="2020-03-04",
            assignees=("Damco AS",),
            inventors=("LIE KARI [NO]",),
            classes=("F16K1/00",),
        ),
        Patent(
            title="VANNE",
            number="US5000000A",
            url="https://worldwide.espacenet.com/patent/search?q=pn%3DUS5000000A",
        ),
    ]
    replay.finish()


async def test_a_token_is_used_until_it_ends() -> None:
    clock = FakeClock()
    replay = Replay([token(), answer(found()), answer(found()), token("next"),
                     answer(found(), bearer="next")])  # fmt: skip
    epo = Epo(Upstreams(replay, clock=clock.clock()), KEYS)

    await epo.search_patents(VALVE)
    await epo.search_patents(VALVE)
    clock.time += 1200
    await epo.search_patents(VALVE)

    replay.finish()


async def test_a_token_that_is_refused_is_renewed_once() -> None:
    stale: dict[str, Any] = {
        "status": 400,
        "text": "<error><message>invalid_access_token</message></error>",
    }
    epo, replay = opened(
        token(), answer(**stale), token("next"), answer(found(BARE), bearer="next")
    )

    assert [each.number for each in await epo.search_patents(VALVE)] == ["US5000000A"]
    replay.finish()


async def test_wrong_keys_name_the_settings() -> None:
    epo, replay = opened(token() | {"status": 401, "body": {"error": "invalid_client"}})

    with pytest.raises(AccessError, match="EPO_OPS_CONSUMER_KEY and EPO_OPS_CONSUMER_SECRET"):
        await epo.search_patents(VALVE)
    replay.finish()


async def test_nothing_found_is_empty() -> None:
    epo, replay = opened(
        token(), answer("<fault><code>SERVER.EntityNotFound</code></fault>", status=404)
    )

    assert await epo.search_patents(VALVE) == []
    replay.finish()


async def test_a_spent_quota_is_a_limit() -> None:
    spent: dict[str, Any] = {
        "status": 403,
        "headers": {"x-rejection-reason": "IndividualQuotaPerHour"},
    }
    epo, replay = opened(token(), answer(**spent))

    with pytest.raises(RateLimitError):
        await epo.search_patents(VALVE)
    replay.finish()


@pytest.mark.parametrize("text", ["<html><p>Maintenance", "<feed/>", "", "{}"])
async def test_anything_but_patent_data_is_unexpected(text: str) -> None:
    epo, replay = opened(token(), answer(text))

    with pytest.raises(PayloadError, match="epo"):
        await epo.search_patents(VALVE)
    replay.finish()


@pytest.mark.parametrize("name", ["403", "429", "503", "no answer"])
async def test_refusals_become_errors(name: str) -> None:
    refusal: Refusal = REFUSALS[name]
    exchange = {k: v for k, v in answer().items() if k not in ("status", "text")}
    times = 3 if refusal.repeated else 1
    epo, replay = opened(token(), *([exchange | refusal.answer] * times))

    with pytest.raises(WebquarryError) as caught:
        await epo.search_patents(VALVE)

    check(refusal, caught.value, "epo")
    replay.finish()

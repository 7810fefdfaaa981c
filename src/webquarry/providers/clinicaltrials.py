"""ClinicalTrials.gov, the US registry of clinical studies (https://clinicaltrials.gov/data-api)."""

import re
from typing import ClassVar

from pydantic import AliasPath, Field

from webquarry.models.model import Items
from webquarry.models.records import RecordsFound, Trial, TrialQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire

_FIELDS = (
    "NCTId|BriefTitle|OverallStatus|Phase|Condition|InterventionName|LeadSponsorName|StartDate"
    "|HasResults"
)
_MAX_PAGES = 5  # a page may have too few studies


class ClinicalTrials:
    """Finds clinical studies. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="clinicaltrials",
        docs="https://clinicaltrials.gov/data-api/api",
        base_url="https://clinicaltrials.gov/api/v2",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)

    async def search_trials(self, query: TrialQuery) -> RecordsFound[Trial]:
        trials: list[Trial] = []
        total, token = None, None
        for _ in range(_MAX_PAGES):
            page = await self._page(query, token)
            trials += [study.to_trial() for study in page.studies]
            total = page.total_count if total is None else total
            token = page.next_page_token
            if token is None or len(trials) >= query.count:
                break
        shown = tuple(trials[: query.count])
        more = total is not None and total > len(shown)
        return RecordsFound(shown, (f"{len(shown)} of {total} studies.",) if more and shown else ())

    async def _page(self, query: TrialQuery, token: str | None) -> "_Page":
        params = {
            "format": "json",
            "query.term": query.text,
            "query.cond": query.condition,
            "query.intr": query.intervention,
            "query.spons": query.sponsor,
            "filter.overallStatus": _codes(query.status, ","),
            "filter.advanced": _advanced(query.phase),
            "fields": _FIELDS,
            "countTotal": True,
            "pageSize": query.count,
            "pageToken": token,
        }
        response = await self._api.get("studies", params=params, expect=(404,))
        return _Page(studies=()) if response.status == 404 else self._api.decode(_Page, response)


def _codes(words: str | None, separator: str) -> str | None:
    """Return codes as the registry writes them: ACTIVE_NOT_RECRUITING."""
    if words is None:
        return None
    plain = words.upper().replace(", NOT", " NOT")
    return separator.join(re.sub(r"[ -]+", "_", each.strip()) for each in re.split(r"[,|]", plain))


def _advanced(phase: str | None) -> str | None:
    codes = _codes(phase, "|")
    if codes is None:
        return None
    known = [re.sub(r"^(EARLY_)?(?:PHASE_?)?([1-4])$", r"\1PHASE\2", c) for c in codes.split("|")]
    return " OR ".join(f"AREA[Phase]{code}" for code in known)


def _protocol(module: str, *path: str) -> AliasPath:
    return AliasPath("protocolSection", module, *path)


class _Intervention(Wire):
    name: str | None = None


class _Study(Wire):
    number: str = Field(validation_alias=_protocol("identificationModule", "nctId"))
    title: str | None = Field(
        default=None, validation_alias=_protocol("identificationModule", "briefTitle")
    )
    status: str | None = Field(
        default=None, validation_alias=_protocol("statusModule", "overallStatus")
    )
    start: str | None = Field(
        default=None, validation_alias=_protocol("statusModule", "startDateStruct", "date")
    )
    sponsor: str | None = Field(
        default=None,
        validation_alias=_protocol("sponsorCollaboratorsModule", "leadSponsor", "name"),
    )
    conditions: Items[str] = Field(
        default=(), validation_alias=_protocol("conditionsModule", "conditions")
    )
    phases: Items[str] = Field(default=(), validation_alias=_protocol("designModule", "phases"))
    interventions: Items[_Intervention] = Field(
        default=(), validation_alias=_protocol("armsInterventionsModule", "interventions")
    )
    has_results: bool | None = Field(default=None, validation_alias="hasResults")

    def to_trial(self) -> Trial:
        return Trial(
            nctId=self.number,
            title=self.title,
            status=self.status,
            phases=self.phases,
            conditions=self.conditions,
            interventions=tuple(each.name for each in self.interventions if each.name),
            sponsor=self.sponsor,
            startDate=self.start,
            hasResults=self.has_results,
            url=f"https://clinicaltrials.gov/study/{self.number}",
            source="clinicaltrials",
        )


class _Page(Wire):
    studies: tuple[_Study, ...]
    total_count: int | None = Field(default=None, validation_alias="totalCount")
    next_page_token: str | None = Field(default=None, validation_alias="nextPageToken")

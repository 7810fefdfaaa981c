"""ClinicalTrials.gov, the US registry of clinical studies (https://clinicaltrials.gov/data-api)."""

import re
from typing import ClassVar

from pydantic.alias_generators import to_camel

from webquarry.models.records import Found, Trial, TrialQuery
from webquarry.net.upstreams import Upstreams
from webquarry.providers.base import About, Keys, Wire

_FIELDS = (
    "NCTId|BriefTitle|OverallStatus|Phase|Condition|InterventionName|LeadSponsorName|StartDate"
    "|HasResults"
)
_MOST_PAGES = 5  # a page may come short, but never endlessly


class ClinicalTrials:
    """Finds clinical studies. Needs no key."""

    about: ClassVar = About(
        name="clinicaltrials",
        docs="https://clinicaltrials.gov/data-api/api",
        base_url="https://clinicaltrials.gov/api/v2",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)

    async def search_trials(self, query: TrialQuery) -> Found[Trial]:
        trials: list[Trial] = []
        total, token = None, None
        for _ in range(_MOST_PAGES):
            page = await self._page(query, token)
            trials += [study.to_trial() for study in page.studies]
            total = page.total_count if total is None else total
            token = page.next_page_token
            if token is None or len(trials) >= query.count:
                break
        shown = tuple(trials[: query.count])
        more = total is not None and total > len(shown)
        return Found(shown, (f"{len(shown)} of {total} studies.",) if more and shown else ())

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


def _codes(words: str | None, joint: str) -> str | None:
    """Return codes as the registry writes them: "active, not recruiting" in capitals."""
    if words is None:
        return None
    plain = words.upper().replace(", NOT", " NOT")
    return joint.join(re.sub(r"[ -]+", "_", each.strip()) for each in re.split(r"[,|]", plain))


def _advanced(phase: str | None) -> str | None:
    codes = _codes(phase, "|")
    if codes is None:
        return None
    known = [re.sub(r"^(EARLY_)?(?:PHASE_?)?([1-4])$", r"\1PHASE\2", c) for c in codes.split("|")]
    return " OR ".join(f"AREA[Phase]{code}" for code in known)


class _Registry(Wire):
    model_config = Wire.model_config | {"alias_generator": to_camel}


class _Identification(_Registry):
    nct_id: str
    brief_title: str | None = None


class _Date(_Registry):
    date: str | None = None


class _Status(_Registry):
    overall_status: str | None = None
    start_date_struct: _Date | None = None


class _Sponsor(_Registry):
    name: str | None = None


class _Sponsors(_Registry):
    lead_sponsor: _Sponsor | None = None


class _Conditions(_Registry):
    conditions: tuple[str, ...] | None = None


class _Design(_Registry):
    phases: tuple[str, ...] | None = None


class _Arms(_Registry):
    interventions: tuple[_Sponsor, ...] | None = None


class _Protocol(_Registry):
    identification_module: _Identification
    status_module: _Status = _Status()
    sponsor_collaborators_module: _Sponsors = _Sponsors()
    conditions_module: _Conditions = _Conditions()
    design_module: _Design = _Design()
    arms_interventions_module: _Arms = _Arms()


class _Study(_Registry):
    protocol_section: _Protocol
    has_results: bool | None = None

    def to_trial(self) -> Trial:
        told = self.protocol_section
        number = told.identification_module.nct_id
        started, lead = told.status_module.start_date_struct, told.sponsor_collaborators_module
        tested = told.arms_interventions_module.interventions or ()
        return Trial(
            nctId=number,
            title=told.identification_module.brief_title,
            status=told.status_module.overall_status,
            phases=told.design_module.phases or (),
            conditions=told.conditions_module.conditions or (),
            interventions=tuple(each.name for each in tested if each.name),
            sponsor=lead.lead_sponsor.name if lead.lead_sponsor else None,
            startDate=started.date if started else None,
            hasResults=self.has_results,
            url=f"https://clinicaltrials.gov/study/{number}",
            source="clinicaltrials",
        )


class _Page(_Registry):
    studies: tuple[_Study, ...]
    total_count: int | None = None
    next_page_token: str | None = None

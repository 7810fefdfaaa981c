"""Whether a cited work exists: yes, no, not like this, or nobody could tell."""

from typing import Any

import pytest

from tests.services.trust.fakes import APA, DOWN, OWLS, Handles, Notices, Registry, Second
from webquarry.content.citations.reference_match import ReferenceParts
from webquarry.models.reading import RetractionStatus
from webquarry.models.trust import Difference, Existence
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.papers import paper_of
from webquarry.services.trust.existence import ExistenceChecker

pytestmark = pytest.mark.anyio
CONCERN = RetractionStatus(retracted=False, kind="expression_of_concern", date="2021-05-01")
PAPER = paper_of(OWLS)


def existing(*providers: Any) -> ExistenceChecker:
    kinds: list[type[Any]] = [type(p) for p in providers]
    return ExistenceChecker(ProviderDirectory(providers, kinds))


async def test_a_doi_is_looked_up_exactly() -> None:
    found = await existing(Registry(OWLS), Handles()).check_doi("10.1000/OWL.1")

    assert found == Existence(
        standing="confirmed",
        record=PAPER,
        confidence="high",
        provenance=("crossref: found",),
    )
    assert found.exists is True


async def test_an_unregistered_doi_does_not_exist() -> None:
    found = await existing(Registry(OWLS), Handles()).check_doi("10.1000/none")

    assert found == Existence(
        standing="not_found",
        reason="No agency has registered this DOI.",
        provenance=("crossref: not found", "doi: not found"),
    )
    assert found.exists is False


async def test_a_made_up_doi_comes_with_the_work_the_rest_is_about() -> None:
    found = await existing(Registry(OWLS), Handles()).check_doi("10.1000/none", other_text=APA)

    assert (found.standing, found.near, found.record) == ("not_found", PAPER, None)


@pytest.mark.parametrize("silent", [("registry", "handles"), ("handles",)])
async def test_a_failed_lookup_is_never_reported_as_not_found(silent: tuple[str, ...]) -> None:
    registry = Registry(fails=DOWN if "registry" in silent else None)

    found = await existing(registry, Handles(fails=DOWN)).check_doi("10.1000/owl.1")

    assert found.standing == "unchecked"
    assert found.exists is None
    assert found.reason
    assert found.reason.startswith("Could not check: no response from ")


async def test_a_registered_doi_without_a_record_exists() -> None:
    found = await existing(Registry(), Handles("10.1000/x")).check_doi("10.1000/x")

    assert found == Existence(
        standing="confirmed",
        registered=True,
        confidence="medium",
        reason="The DOI is registered, but no configured registry describes the work.",
        provenance=("crossref: not found", "doi: found"),
    )


async def test_a_registered_doi_is_not_confirmed_for_a_title_that_could_not_be_compared() -> None:
    both = existing(Registry(fails=DOWN), Handles("10.1000/owl.1"))

    found = await both.check_doi("10.1000/owl.1", other_text=APA)

    assert (found.standing, found.exists, found.reason) == (
        "unchecked",
        True,
        "The DOI is registered, but not compared: no response from crossref.",
    )


async def test_another_title_beside_a_doi_is_a_mismatch_and_the_doi_still_exists() -> None:
    found = await existing(Registry(OWLS)).check_doi(
        "10.1000/owl.1",
        other_text="Smith, J. (2019). Volatile markets and the price of grain. Nature.",
    )

    assert found == Existence(
        standing="uncertain",
        record=PAPER,
        confidence="low",
        differences=(
            Difference(
                part="title",
                cited="Volatile markets and the price of grain",
                recorded=OWLS.title,
            ),
        ),
        title="mismatch",
        reason='The record differs in: title (cited "Volatile markets and the price of grain", '
        f'recorded "{OWLS.title}").',
        provenance=("crossref: found",),
    )
    assert found.exists is True


@pytest.mark.parametrize(
    "beside",
    ["", "Owls", "Müller and Ivanova 2019", "The hearing of owls"],
)
async def test_too_little_beside_a_doi_is_no_mismatch(beside: str) -> None:
    found = await existing(Registry(OWLS)).check_doi("10.1000/owl.1", other_text=beside)

    assert (found.standing, found.title) == ("confirmed", "not_checked")


async def test_one_other_word_in_a_title_beside_a_doi_is_a_mismatch() -> None:
    found = await existing(Registry(OWLS)).check_doi(
        "10.1000/owl.1", other_text="The hearing of bats in dense forests: a field study"
    )

    assert (found.standing, found.mismatches) == ("uncertain", ("title",))


async def test_the_right_title_beside_a_doi_matches() -> None:
    found = await existing(Registry(OWLS)).check_doi("10.1000/owl.1", other_text=APA)

    assert (found.standing, found.title, found.mismatches) == ("confirmed", "match", ())


async def test_a_reference_that_fits_in_all_parts_is_confirmed() -> None:
    found = await existing(Registry(OWLS), Second()).check_reference(APA)

    assert found == Existence(
        standing="confirmed",
        record=PAPER,
        confidence="high",
        title="match",
        provenance=("crossref: 1 candidates", "openalex: 0 candidates"),
    )


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("Müller, J., & Ivanova, O.", "Smith, J., & Jones, P.",
         ("authors", "Smith, J.; Jones, P.", "Jürgen Müller; Olga Ivanova")),
        ("(2019)", "(2011)", ("year", "2011", "2019")),
        ("Journal of Applied Ecology", "Nature Communications",
         ("venue", "Nature Communications", "Journal of Applied Ecology")),
        ("123-131", "723-731", ("pages", "723-731", "123-131")),
    ],
)  # fmt: skip
async def test_a_part_that_was_changed_is_named_with_both_values(
    old: str, new: str, difference: tuple[str, str, str]
) -> None:
    part, cited, recorded = difference
    found = await existing(Registry(OWLS)).check_reference(APA.replace(old, new))

    assert found == Existence(
        standing="uncertain",
        near=PAPER,
        confidence="low",
        differences=(Difference(part=part, cited=cited, recorded=recorded),),
        title="match",
        reason=f'The record differs in: {part} (cited "{cited}", recorded "{recorded}").',
        provenance=("crossref: 1 candidates",),
    )
    assert found.exists is None


async def test_a_neighbour_is_shown_as_such_and_never_as_the_record() -> None:
    found = await existing(Registry(OWLS)).check_reference(APA.replace("owls", "lizards"))

    assert (found.standing, found.record, found.near) == ("not_found", None, PAPER)
    assert found.title == "mismatch"


async def test_with_a_registry_down_a_strange_title_is_unchecked() -> None:
    found = await existing(Registry(), Second(fails=DOWN)).check_reference(APA)

    assert (found.standing, found.exists) == ("unchecked", None)
    assert found.reason == "Could not check: no response from openalex."


async def test_without_registries_everything_is_unchecked() -> None:
    found = await existing().check_reference(APA)

    assert (found.standing, found.reason) == (
        "unchecked",
        "Could not check: no response from any registry.",
    )


async def test_a_wrongly_extracted_title_is_looked_up_in_variants() -> None:
    crossref, openalex = Registry(), Second()

    await existing(crossref, openalex).check_reference(APA)

    title = "The hearing of owls in dense forests: A field study"
    assert crossref.asked == [title, APA]
    assert openalex.asked == [title, "The hearing of owls in", "dense forests: A field study"]


async def test_parts_that_are_known_are_compared_one_by_one() -> None:
    parts = ReferenceParts(OWLS.title, ("Ivanova, O.",), 2019)

    found = await existing(Registry(OWLS)).check_reference("", parts)

    assert found.mismatches == ("authors",)  # the first author comes first


async def test_an_expression_of_concern_is_reported_and_is_not_a_retraction() -> None:
    work = OWLS.model_copy(update={"noticesKnown": False})

    found = await existing(Registry(work), Notices({"10.1000/owl.1": CONCERN})).check_doi(
        "10.1000/owl.1"
    )

    assert found.retraction == CONCERN


DATED = RetractionStatus(
    retracted=True, kind="retraction", date="2020-03-02", noticeDoi="10.1000/notice"
)


@pytest.mark.parametrize("told", [DATED, None])
async def test_a_retraction_without_its_notice_is_looked_up_and_never_lost(
    told: RetractionStatus | None,
) -> None:
    bare = RetractionStatus(retracted=True, kind="retraction", source="openalex")
    work = OWLS.model_copy(update={"noticesKnown": False, "retraction": bare})

    found = await existing(Registry(work), Notices({"10.1000/owl.1": told})).check_doi(
        "10.1000/owl.1"
    )

    assert found.retraction == (told or bare)


async def test_failed_notice_lookups_are_reported() -> None:
    work = OWLS.model_copy(update={"noticesKnown": False})

    found = await existing(Registry(work), Notices({}, DOWN)).check_doi("10.1000/owl.1")

    assert found.retraction is None
    assert found.provenance[-1].startswith("notices: retractions could not be checked (")

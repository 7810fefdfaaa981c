"""Where something stands in a document."""

from dataclasses import replace

from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.content.manuscript.manuscript_model import Span
from webquarry.models.document_check import CheckOptions
from webquarry.services.checking.check_plan import CheckPlan

_TEXT = "Owls sleep by day.\n\nThey hunt at night.\n"


def test_a_place_in_a_pdf_from_the_web_has_a_link_to_its_page() -> None:
    manuscript = replace(build_manuscript(_TEXT, "pdf"), pages=(0, 20))
    found = [
        CheckPlan(manuscript, CheckOptions(), url).place(Span(20, 30)).url
        for url in ("https://owls.test/a.pdf?v=1#top", "")
    ]

    assert found == ["https://owls.test/a.pdf?v=1#page=2", None]


def test_a_place_in_a_page_without_page_numbers_has_no_link() -> None:
    plan = CheckPlan(build_manuscript(_TEXT, "html"), CheckOptions(), "https://owls.test/")

    assert plan.place(Span(0, 4)).url is None

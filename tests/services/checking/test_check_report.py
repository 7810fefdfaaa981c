"""What the records of a check say: findings with their own reasons, and what is not checked."""

from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.models.document_check import CheckOptions
from webquarry.models.links import LinkCheck
from webquarry.models.reading import RetractionStatus
from webquarry.models.trust import Existence
from webquarry.services.checking.check_plan import CheckPlan
from webquarry.services.checking.check_records import CheckRecords, ReferenceRecord
from webquarry.services.checking.check_report import CheckReport
from webquarry.services.trust.bibliography_audit import ReferenceAudit, flag_reasons

_TEXT = """Owls sleep by day [1]. They hunt at night [2].

## References

[1] Stone, A. (2020). Owls that sleep. Owl, 4, 1-2. https://a.test/owls
[2] Slate, B. (2021). Owls that hunt. Owl, 5, 3-4. https://b.test/owls
"""


def _report(existence: Existence, link: LinkCheck) -> CheckReport:
    plan = CheckPlan(build_manuscript(_TEXT, "markdown"), CheckOptions())
    reasons = flag_reasons(existence, link, None)
    audits = (
        ReferenceAudit(
            each.entry, existence, link, None, tuple(reasons), " ".join(reasons.values()),
            reasons=reasons,
        )
        for each in plan.references.values()
    )  # fmt: skip
    records = (
        ReferenceRecord(id=name, audit=audit)
        for name, audit in zip(plan.references, audits, strict=True)
    )
    return CheckReport(plan, CheckRecords(records))


def test_each_finding_of_a_reference_has_its_own_reason() -> None:
    notice = RetractionStatus(retracted=True, kind="retraction", date="2021-03-04")
    gone = LinkCheck(url="https://a.test/owls", outcome="dead", status=404, reason="HTTP 404")

    report = _report(Existence(standing="confirmed", retraction=notice), gone)

    assert [(each.kind, each.message) for each in report.findings] == [
        ("retracted", "The work was retracted on 2021-03-04."),
        ("retracted", "The work was retracted on 2021-03-04."),
        ("dead_link", "The link is dead: HTTP 404."),
        ("dead_link", "The link is dead: HTTP 404."),
    ]
    assert report.notes == ()


def test_references_that_are_not_checked_are_counted_and_a_failing_network_is_told() -> None:
    lost = LinkCheck(
        url="https://a.test/owls", outcome="unchecked", reason="No such host.", unresolved=True
    )

    report = _report(Existence(standing="unchecked", reason="No response from crossref."), lost)

    assert (report.findings, report.summary["uncheckedReferences"]) == ((), 2)
    assert report.notes == (
        "Most hosts of the links were not found, so 2 links are unchecked, not dead. Check the "
        "network connection, then check the document again.",
    )

"""Case citations in Bluebook form."""

import pytest

from webquarry.content.citations.bluebook import CaseFacts, cite_case


@pytest.mark.parametrize(
    ("case", "citation"),
    [
        (
            CaseFacts(
                name="Miranda v. Arizona",
                reports=("16 L. Ed. 2d 694", "86 S. Ct. 1602", "384 U.S. 436",
                         "1966 U.S. LEXIS 2817"),
                court="SCOTUS", court_id="scotus", decided="1966-06-13",
            ),
            "Miranda v. Arizona, 384 U.S. 436 (1966)",
        ),
        (
            CaseFacts(name="Doe v. Roe", reports=("140 S. Ct. 5",), court_id="scotus",
                      decided="2020-01-02"),
            "Doe v. Roe, 140 S. Ct. 5 (2020)",
        ),
        (
            CaseFacts(name="A v. B", reports=("123 F.3d 456",), court="9th Cir.",
                      court_id="ca9", decided="1997-08-01"),
            "A v. B, 123 F.3d 456 (9th Cir. 1997)",
        ),
        (
            CaseFacts(name="A v. B", reports=("50 P.3d 3", "12 Cal. 4th 345"), court="Cal.",
                      decided="1996"),
            "A v. B, 12 Cal. 4th 345 (1996)",
        ),
        (
            CaseFacts(name="A v. B", reports=("12 Cal. App. 4th 345",), court="Cal. Ct. App.",
                      decided="1996-05-05"),
            "A v. B, 12 Cal. App. 4th 345 (Ct. App. 1996)",
        ),
        (
            CaseFacts(name="A v. B", reports=("700 N.E.2d 12",), court="Ill. App. Ct.",
                      decided="1998-05-05"),
            "A v. B, 700 N.E.2d 12 (Ill. App. Ct. 1998)",
        ),
        (
            CaseFacts(name="A v. B", reports=("2021 WL 12345",), court="S.D.N.Y.",
                      docket="1:19-cv-123", decided="2021-03-03"),
            "A v. B, No. 1:19-cv-123, 2021 WL 12345 (S.D.N.Y. Mar. 3, 2021)",
        ),
        (
            CaseFacts(name="A v. B", court_id="scotus", docket="21-99", decided="2022-06-30"),
            "A v. B, No. 21-99 (U.S. June 30, 2022)",
        ),
        (CaseFacts(name="In re A", reports=("odd",), decided="1890"), "In re A, odd (1890)"),
        (CaseFacts(name="In re A"), "In re A"),
    ],
)  # fmt: skip
def test_a_case_is_cited_by_its_best_source(case: CaseFacts, citation: str) -> None:
    assert cite_case(case) == citation

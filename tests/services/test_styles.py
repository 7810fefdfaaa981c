"""Entries of each style, as we expect them by the rules of its manual.

APA and MLA name the day of access, as the specification has it; APA 7 does so only for pages that
change.
"""

from datetime import date

import pytest

from webquarry.content.citations.export import Reference
from webquarry.services.bibliography import bibliography, check_style

CASES = {
    "article": Reference("https://j.test/1", "Owls at dusk", ("Ann B. Stone", "Ludwig van Slate"),
                         "Journal of Owls", "2021-03-03", "10.1000/owl.1"),
    "page": Reference("https://b.test/owls", "Barn owls", ("Ann Stone",), "Bird Notes",
                      "2020-05-06"),
    "group": Reference("https://who.test/r", "Air quality", ("World Health Organization",),
                       "Reports", "2021"),
    "no date": Reference("https://b.test/x", "Owl calls", ("Ann Stone",), "Bird Notes"),
    "many authors": Reference("https://j.test/2", "Many owls",
                              tuple(f"Ada Owl{letter}" for letter in "abcdefgh"),
                              "Journal of Owls", "2019", "10.1000/owl.2"),
    "other scripts": Reference("https://j.test/3", "フクロウ", ("山田 太郎", "Иван Петров"), "鳥",
                               "2018", "10.1000/owl.3"),
}  # fmt: skip
RETRIEVED = "Retrieved November 2, 2026, from"
EXPECTED = {
    ("apa", "article"): "Stone, A. B., & van Slate, L. (2021, March 3). Owls at dusk. "
    "Journal of Owls. https://doi.org/10.1000/owl.1",
    ("apa", "page"): "Stone, A. (2020, May 6). Barn owls. Bird Notes. "
    f"{RETRIEVED} https://b.test/owls",
    ("apa", "group"): "World Health Organization. (2021). Air quality. Reports. "
    f"{RETRIEVED} https://who.test/r",
    ("apa", "no date"): f"Stone, A. (n.d.). Owl calls. Bird Notes. {RETRIEVED} https://b.test/x",
    ("apa", "many authors"): "Owla, A., Owlb, A., Owlc, A., Owld, A., Owle, A., Owlf, A., "
    "Owlg, A., & Owlh, A. (2019). Many owls. Journal of Owls. https://doi.org/10.1000/owl.2",
    ("apa", "other scripts"): "山田 太郎, & Петров, И. (2018). フクロウ. 鳥. "
    "https://doi.org/10.1000/owl.3",
    ("mla", "article"): "Stone, Ann B., and Ludwig van Slate. “Owls at dusk.” Journal of Owls, "
    "3 Mar. 2021, https://doi.org/10.1000/owl.1. Accessed 2 Nov. 2026.",
    ("mla", "page"): "Stone, Ann. “Barn owls.” Bird Notes, 6 May 2020, https://b.test/owls. "
    "Accessed 2 Nov. 2026.",
    ("mla", "group"): "World Health Organization. “Air quality.” Reports, 2021, "
    "https://who.test/r. Accessed 2 Nov. 2026.",
    ("mla", "no date"): "Stone, Ann. “Owl calls.” Bird Notes, https://b.test/x. "
    "Accessed 2 Nov. 2026.",
    ("mla", "many authors"): "Owla, Ada, et al. “Many owls.” Journal of Owls, 2019, "
    "https://doi.org/10.1000/owl.2. Accessed 2 Nov. 2026.",
    ("vancouver", "article"): "1. Stone AB, van Slate L. Owls at dusk. Journal of Owls. "
    "2021 Mar 3. doi:10.1000/owl.1",
    ("vancouver", "group"): "1. World Health Organization. Reports [Internet]. 2021 "
    "[cited 2026 Nov 2]. Air quality. Available from: https://who.test/r",
    ("vancouver", "many authors"): "1. Owla A, Owlb A, Owlc A, Owld A, Owle A, Owlf A, et al. "
    "Many owls. Journal of Owls. 2019. doi:10.1000/owl.2",
    ("vancouver", "other scripts"): "1. 山田 太郎, Петров И. フクロウ. 鳥. 2018. doi:10.1000/owl.3",
    ("harvard", "article"): "Stone, A.B. and van Slate, L. (2021) \u2018Owls at dusk\u2019, "
    "Journal of Owls. Available at: https://doi.org/10.1000/owl.1.",
    ("harvard", "page"): "Stone, A. (2020) Barn owls, Bird Notes. "
    "Available at: https://b.test/owls (Accessed: 2 November 2026).",
    ("harvard", "no date"): "Stone, A. (no date) Owl calls, Bird Notes. "
    "Available at: https://b.test/x (Accessed: 2 November 2026).",
    ("harvard", "many authors"): "Owla, A. et al. (2019) \u2018Many owls\u2019, Journal of Owls. "
    "Available at: https://doi.org/10.1000/owl.2.",
    ("chicago", "group"): "World Health Organization. 2021. “Air Quality.” Reports. "
    "https://who.test/r.",
    ("chicago", "article"): "Stone, Ann B., and Ludwig van Slate. 2021. “Owls at Dusk.” "
    "Journal of Owls, March 3. https://doi.org/10.1000/owl.1.",
    ("ieee", "article"): "[1] A. B. Stone and L. van Slate, “Owls at dusk,” Journal of Owls, "
    "Mar. 2021, doi: 10.1000/owl.1.",
    ("ieee", "many authors"): "[1] A. Owla et al., “Many owls,” Journal of Owls, 2019, "
    "doi: 10.1000/owl.2.",
}


@pytest.mark.parametrize(("style", "case"), EXPECTED)
def test_an_entry_is_written_by_the_rules_of_its_style(style: str, case: str) -> None:
    text, _ = bibliography([CASES[case]], check_style(style), date(2026, 11, 2))

    assert text == EXPECTED[style, case]


@pytest.mark.parametrize("style", ["chicago", "harvard"])
def test_an_article_without_a_volume_is_not_called_unpublished(style: str) -> None:
    text, _ = bibliography([CASES["article"]], check_style(style), date(2026, 11, 2))

    assert "ahead of print" not in text
    assert "Preprint" not in text

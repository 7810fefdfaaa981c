"""Two names of one venue, or of two."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.citations.venue_compare import compare_venues

SAME = [
    ("NeurIPS", "Advances in Neural Information Processing Systems"),
    ("ICML", "International Conference on Machine Learning"),
    ("CVPR", "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)"),
    ("Mach. Learn.", "Machine Learning"),
    ("J. Mach. Learn. Res.", "Journal of Machine Learning Research"),
    ("Trans. Mach. Learn. Res.", "Transactions on Machine Learning Research"),
    ("JMLR", "J. Mach. Learn. Res."),
    ("AAAI", "Proceedings of the AAAI Conference on Artificial Intelligence"),
    ("EMNLP", "Findings of the Association for Computational Linguistics: EMNLP 2021"),
    (
        "ACL",
        "Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics",
    ),
    (
        "NAACL",
        "Proceedings of the 2021 Conference of the North American Chapter of the Association "
        "for Computational Linguistics: Human Language Technologies",
    ),
    ("KDD", "Proceedings of the 28th ACM SIGKDD Conference on Knowledge Discovery and Data Mining"),
    ("WWW", "Proceedings of the ACM Web Conference 2022"),
    ("CHI", "Proceedings of the 2021 CHI Conference on Human Factors in Computing Systems"),
    (
        "CHI Extended Abstracts",
        "Extended Abstracts of the 2021 CHI Conference on Human Factors in Computing Systems",
    ),
    ("Proc. VLDB Endow.", "Proceedings of the VLDB Endowment"),
    ("Proc. ACM Manag. Data", "Proceedings of the ACM on Management of Data"),
    ("ACM Trans. Graph.", "ACM Transactions on Graphics"),
    ("Eur. J. Neurosci.", "European Journal of Neuroscience"),
    ("bioRxiv", "biorxiv"),
    ("medRxiv : the preprint server for health sciences", "medRxiv"),
    ("ECCV", "Computer Vision \u2013 ECCV 2022"),
    ("The Leadership Quarterly", "Leadership Quarterly"),
    ("PNAS", "Proceedings of the National Academy of Sciences"),
    ("Proc. Natl. Acad. Sci. U.S.A.", "Proceedings of the National Academy of Sciences"),
    ("SOUPS", "SOUPS @ USENIX Security Symposium"),
    ("Journal of Geophysical Research: Atmospheres", "J. Geophys. Res."),
    ("Frontiers in cardiovascular medicine", "Front. Cardiovasc. Med."),
    ("Advances in Neural Information Processing Systems 33", "NeurIPS"),
    ("Neural Information Processing Systems", "NIPS"),
    ("Computers & Education", "Computers and Education"),
    ("Proceedings of the 39th International Conference on Machine Learning", "ICML"),
    ("ICLR 2023", "International Conference on Learning Representations"),
    (
        "IEEE Trans. Pattern Anal. Mach. Intell.",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
    ),
    ("TPAMI", "IEEE Transactions on Pattern Analysis and Machine Intelligence"),
    ("ICSOC", "International Conference on Service-Oriented Computing"),
    ("Artif. Intell.", "Artificial Intelligence"),
    ("Int. J. Comput. Vis.", "International Journal of Computer Vision"),
    ("JAMA", "JAMA: The Journal of the American Medical Association"),
    ("Lancet", "The Lancet"),
    ("Science (New York, N.Y.)", "Science"),
    ("BMC Bioinform.", "BMC Bioinformatics"),
    ("Bioinform.", "Bioinformatics"),
    ("Comput. Electron. Agric.", "Computers and Electronics in Agriculture"),
    (
        "SIGIR",
        "Proceedings of the 45th International ACM SIGIR Conference on Research and "
        "Development in Information Retrieval",
    ),
    ("ICDM", "2021 IEEE International Conference on Data Mining (ICDM)"),
    ("USENIX Security Symposium", "USENIX Security"),
    ("IEEE Symposium on Security and Privacy", "S&P"),
    ("Am. Econ. Rev.", "American Economic Review"),
    ("PLoS ONE", "PLOS ONE"),
    ("Biochim. Biophys. Acta", "Biochimica et Biophysica Acta (BBA) - General Subjects"),
    ("NeurIPS Datasets and Benchmarks", "Advances in Neural Information Processing Systems"),
]
OTHER = [
    ("ICML", "Machine Learning"),
    ("Mach. Learn.", "International Conference on Machine Learning"),
    ("ICML", "International Conference on Machine Learning and Applications"),
    ("AAAI", "Proceedings of the 2021 AAAI/ACM Conference on AI, Ethics, and Society"),
    ("CHI", "Extended Abstracts of the 2021 CHI Conference on Human Factors in Computing Systems"),
    (
        "CVPR",
        "2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition Workshops (CVPRW)",
    ),
    ("J. Neurosci.", "European Journal of Neuroscience"),
    ("Nature", "Nature Communications"),
    ("Nat. Commun.", "Nature"),
    ("Symposium on Neural Scaling Laws", "ICML"),
    ("Conference on Reward Learning and Alignment", "CVPR"),
    ("UAI", "International Conference on Learning Representations"),
    ("International Conference on Machine Vision", "ICML"),
    ("XAIC", "International Conference on Service-Oriented Computing"),
    ("The Lancet Oncology", "The Lancet"),
    ("Cell", "Cell Reports"),
    ("SDM", "IEEE International Conference on Data Mining"),
    ("ICML Workshop on Foo", "International Conference on Machine Learning"),
]
NOT_COMPARED = [
    ("Nature", "bioRxiv"),
    ("ECCV", "Lecture Notes in Computer Science"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_short_and_long_names_of_a_venue_match(one: str, other: str) -> None:
    assert (compare_venues(one, other), compare_venues(other, one)) == ("match", "match")


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_similar_names_of_other_venues_do_not(one: str, other: str) -> None:
    assert (compare_venues(one, other), compare_venues(other, one)) == ("mismatch", "mismatch")


@pytest.mark.parametrize(("one", "other"), [*NOT_COMPARED, ("", "Nature"), ("Nature", "")])
def test_a_preprint_a_book_series_and_no_name_contradict_nothing(one: str, other: str) -> None:
    assert compare_venues(one, other) == "not_checked"


def test_two_preprint_servers_are_two() -> None:
    assert compare_venues("bioRxiv", "arXiv (Cornell University)") == "mismatch"
    assert compare_venues("CoRR", "arXiv") == "match"


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None)
def test_any_names_can_be_compared(one: str, other: str) -> None:
    assert compare_venues(one, other) in ("match", "mismatch", "not_checked")

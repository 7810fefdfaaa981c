"""LaTeX documents are read with the .bib file beside them."""

from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.manuscript.latex_manuscript import read_latex

TEX = r"""\documentclass{article}\title{On Owls}
\begin{document}\maketitle
\section{Sleep} % a comment
Owls \emph{sleep} by day~\cite{stone20,slate_19}.\footnote{See \url{https://owl.example/a}.}
\begin{equation} x = 1 \end{equation}
It is known \citep[p.~3]{nobody}.
\bibliography{owls}
\end{document}"""
BIB = """@article{stone20, author={Stone, Ann and Moss, B.}, title={Sleep of {O}wls}, journal={Owl},
  year=2020, volume=4, pages={1--9}}
@book{slate_19, author={Slate, Carl}, title={Barns}, year={2019}}
@book{unused, title={Unused}, year=2000}
"""


def test_citations_are_linked_to_the_bib_file() -> None:
    manuscript = read_latex(TEX, BIB)

    assert manuscript.title == "On Owls"
    assert [(s.claim, s.section, s.markers) for s in manuscript.sentences] == [
        ("Owls sleep by day.", "Sleep", ("cite-1", "cite-2")),
        ("It is known.", "Sleep", ("cite-3",)),
    ]
    assert [(m.kind, m.entries, m.missing) for m in manuscript.markers] == [
        ("latex", ("ref-1", "ref-2"), ()),
        ("footnote", ("note-1",), ()),
        ("latex", (), ("nobody",)),
    ]
    assert [
        (e.label, e.authors, e.title, e.container, e.year) for e in manuscript.references[:2]
    ] == [
        ("stone20", ("Stone, Ann", "Moss, B."), "Sleep of Owls", "Owl", "2020"),
        ("slate_19", ("Slate, Carl",), "Barns", None, "2019"),
    ]
    assert manuscript.warnings == ()


def test_a_list_in_the_document_is_read() -> None:
    tex = (
        r"\begin{document}Owls \cite{a}.\begin{thebibliography}{9}\bibitem{a} Stone, A. (2020). "
        r"\emph{Owls}. Owl, 1, 2--3.\end{thebibliography}\end{document}"
    )

    (entry,) = read_latex(tex, None).references

    assert (entry.label, entry.authors, entry.title, entry.year) == (
        "a",
        ("Stone, A.",),
        "Owls",
        "2020",
    )


def test_a_missing_bib_file_is_named() -> None:
    assert read_latex(r"Owls \cite{a}.", None).warnings == (
        "The bibliography was not given: pass the .bib file beside the document.",
    )


def test_raised_numbers_are_citations_or_exponents() -> None:
    tex = r"""\begin{document}Owls\textsuperscript{1} of 25 km$^2$ fly.$^{1,2}$
    \begin{thebibliography}{9}\bibitem{a} A. Stone. Owls. Owl, 2019.
    \bibitem{b} C. Slate. Barns. Owl, 2018.\end{thebibliography}\end{document}"""

    manuscript = read_latex(tex, None)

    assert [(marker.kind, marker.text) for marker in manuscript.markers] == [
        ("superscript", "\u00b9"), ("superscript", "\u00b9,\u00b2"),
    ]  # fmt: skip
    assert manuscript.sentences[0].claim == "Owls of 25 km\u00b2 fly."


def test_a_footnote_names_the_works_that_it_cites() -> None:
    manuscript = read_latex(
        r"\begin{document}Owls.\footnote{See \cite{stone20}.}\end{document}", BIB
    )

    assert [marker.entries for marker in manuscript.markers] == [("note-1", "ref-1")]


@given(st.lists(st.sampled_from([
    "\\cite{a,b}", "\\footnote{", "{", "}", "\\section{x}", "\\", "%", "\n", "text", "\\href{u}{t}",
    "\\begin{equation}", "\\end{equation}", "\\begin{thebibliography}", "\\bibitem{a} X 2001",
    "$x$", "\\begin{document}", "\\end{document}", "\ue0010\ue002", "\ue0019\ue002",
]), max_size=20).map("".join))  # fmt: skip
def test_no_latex_raises(tex: str) -> None:
    manuscript = read_latex(tex, BIB)

    parts = (*manuscript.sentences, *manuscript.markers, *manuscript.references)
    assert all(p.text == manuscript.text[p.span.start : p.span.end] for p in parts)

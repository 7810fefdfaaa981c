"""Pages of documentation generators are read whole, from the element that has their content."""

import pytest

from webquarry.content.html.read_html import read_html

_TERMS = "<dl><dt>hover(height)</dt><dd>Stay in one place.</dd></dl>"
_SPHINX = (
    "<div class='documentwrapper'><div class='body' role='main'><h1>birds<a class='headerlink'"
    f" href='#b'>¶</a></h1>{_TERMS}</div></div><div class='sphinxsidebar'>Contents</div>"
)
_MATERIAL = (
    "<main><nav>Contents</nav><article class='md-content__inner'><a class='md-content__button'"
    f" href='/edit'>Edit</a><h1>birds</h1>{_TERMS}</article></main>"
)
_JAVADOC = (
    "<meta name='generator' content='javadoc/ClassWriterImpl'></head><body>"
    "<header>Contents</header>"
    f"<main role='main'><h1>birds</h1>{_TERMS}</main>"
)
_DOCBOOK = (
    "<meta name='generator' content='DocBook XSL Stylesheets'></head><body><div class='navheader'>"
    f"Contents</div><h1>birds</h1>{_TERMS}<div class='navfooter'>Next</div>"
)
_DOXYGEN = (
    "<meta name='generator' content='Doxygen 1.9.4'></head><body><div id='top'>Contents</div>"
    "<div id='doc-content'><div class='header'><div class='summary'>Functions</div>"
    f"<div class='title'>birds</div></div>{_TERMS}</div>"
)
_HADDOCK = (
    "<div id='package-header'>Contents</div><div id='content'><p class='caption'>birds</p>"
    f"{_TERMS}</div>"
)


@pytest.mark.parametrize(
    "page",
    [_SPHINX, _MATERIAL, _JAVADOC, _DOCBOOK, _DOXYGEN, _HADDOCK],
    ids=["Sphinx", "Material", "Javadoc", "DocBook", "Doxygen", "Haddock"],
)
def test_a_manual_has_its_title_and_terms_and_no_navigation(page: str) -> None:
    reading = read_html(f"<html><head>{page}", url="https://birds.example/library/birds.html")

    assert reading.markdown == "# birds\n\nhover(height)\n: Stay in one place."


def test_lines_of_code_of_doxygen_are_a_code_block() -> None:
    lines = "".join(
        f"<div class='line'><span class='lineno'>{n}</span>call({n});</div>" for n in (1, 2)
    )
    page = (
        "<html><head><meta name='generator' content='Doxygen 1.9.4'></head><body>"
        f"<div id='doc-content'><h1>birds</h1><div class='fragment'>{lines}</div></div>"
    )

    markdown = read_html(page, url="https://birds.example/").markdown

    assert markdown == "# birds\n\n```\ncall(1);\ncall(2);\n```"


def test_a_page_whose_content_element_is_missing_is_judged_block_by_block() -> None:
    prose = "<p>It hovers above the meadow until a vole leaves its tunnel, and then it drops.</p>"
    page = f"<html><head><meta name='generator' content='rustdoc'></head><body>{prose * 9}"

    assert "It hovers above" in read_html(page, url="https://birds.example/").markdown

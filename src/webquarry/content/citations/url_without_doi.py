"""DOIs of articles whose URL has only the part of the DOI after its prefix."""

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import SplitResult, unquote

# Domain, DOI, and the pattern of a path, which a view such as `.pdf` or `/figures/2` may follow.
# Only publishers whose DOIs all follow the rule.
_RULES = r"""
nature.com         10.1038/\1            /articles/([sd]\d{5}-\d{3}-\d{4,5}-\w)
nature.com         10.1038/\1            /articles/([a-z]+(?:\.\d{4})?\.?\d+)
nature.com         10.1038/\1            /\w+/journal/v\w+/n\w+/(?:full|abs|pdf)/([a-z]+\.?[\d.]*\d)
elifesciences.org  10.7554/eLife.\1      /(?:articles|reviewed-preprints)/(\d{5,6})(?:v\d+)?
peerj.com          10.7717/peerj.\1      /articles/(\d+)
peerj.com          10.7717/peerj-cs.\1   /articles/cs-(\d+)
pubs.rsc.org       10.1039/\1            /\w\w/content/article\w+/\d{4}/\w\w/([a-z]\d\w\w\d{5}\w)
copernicus.org     10.5194/\1            /articles/\d+/\w+/\d{4}/([a-z]+-\d+-\w+-\d{4})
copernicus.org     10.5194/\1            /preprints/([a-z]+-\d{4}-\d+)
hindawi.com        10.1155/\1            /journals/\w+/((?:19|20)\d\d/\d{6,7})
papers.ssrn.com    10.2139/ssrn.\1       /sol3/\w+\.cfm\?(?:.*&)?abstract_?id=(\d+)(?:&(?s:.*))?
ssrn.com           10.2139/ssrn.\1       /abstract=(\d+)
nber.org           10.3386/\1            /(?:system/files/working_)?papers/(?:w\d+/)?(w\d+)
researchsquare.com 10.21203/rs.3.\1/\2   /article/(rs-\d+)/(v\d+)
preprints.org      10.20944/preprints\1.\2 /manuscript/(\d{6}\.\d{4})/(v\d+)
bmj.com            10.1136/\1            /content/(?:bmj/)?\d+/(bmj\.[a-z]?\d+)
biorxiv.org        10.1101/\1            /content/(?:biorxiv/)?early/\d{4}/\d\d/\d\d/([\d.]*\d{5,8})
medrxiv.org        10.1101/\1            /content/(?:medrxiv/)?early/\d{4}/\d\d/\d\d/([\d.]*\d{5,8})
thelancet.com      10.1016/\1-\2(\3)\4-\5 LANCET(S\d{4})-(\d{3}[\dX])\((\d\d)\)(\d{5})-([\dX])
thelancet.com      10.1016/\1-\2(\3)\4-\5 LANCET(S\d{4})(\d{3}[\dX])(\d\d)(\d{5})([\dX])
"""
# other journals of the Lancet have DOIs without the PII of the article
_LANCET = (
    r"/(?:pdfs/)?journals/(?:lancet|lan(?:onc|inf|psy|hiv|dia|res|eur|pub|plh|glo|gas|hae|chi"
    r"|dig|mic|rhe|hl|child|haematol))/(?:article/)?PII"
)
_VIEW = r"(?:v\d+)?(?:\.(?:e?pdf|html?|xml|full|abstract|short)(?:\+html)*)*(?:/.*)?"


class _Rule(NamedTuple):
    domain: str
    doi: str
    pattern: re.Pattern[str]


def doi_of_article_url(url: SplitResult) -> str | None:
    """Return the DOI that follows from the path of an article on its publisher's site."""
    try:
        host = (url.hostname or "").lower()
    except ValueError:
        return None
    if not host.endswith(_domains()):
        return None
    path = unquote(url.path) + (f"?{url.query}" if url.path.endswith(".cfm") else "")
    for rule in _rules():
        if host == rule.domain or host.endswith(f".{rule.domain}"):
            match = rule.pattern.fullmatch(path)
            if match:
                return match.expand(rule.doi)
    return None


@cache
def _domains() -> tuple[str, ...]:
    return tuple({rule.domain for rule in _rules()})


@cache
def _rules() -> tuple[_Rule, ...]:
    rows = (line.split() for line in _RULES.strip().splitlines())
    return tuple(
        _Rule(domain, doi, re.compile(pattern.replace("LANCET", _LANCET) + _VIEW, re.IGNORECASE))
        for domain, doi, pattern in rows
    )

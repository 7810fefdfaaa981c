"""Parses DOIs and arXiv, PubMed, PMC and preprint identifiers."""

import re
from urllib.parse import unquote

_DOI_PREFIX = re.compile(
    r"^\s*(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:\s*|info:doi/|urn:doi:)+", re.IGNORECASE
)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
# placeholders instead of a DOI: 10.0000/…, 10.1016/xxxx, 10.1038/placeholder
_PLACEHOLDER_PREFIX = re.compile(r"10\.0+(?:\.\d+)*/")
_PLACEHOLDER_SUFFIX = re.compile(
    r"/(?:(?=[x.\-_]*?x{3})[x.\-_]++|(?=[.\-_]*+0{3})[0.\-_]++|placeholder|todo|tbd|tba|unknown|none|null"
    r"|n/?a|nan|pending)$",
    re.IGNORECASE,
)
# hosts that resolve identifiers; they do not disappear
_IDENTIFIER_HOSTS = frozenset({
    "doi.org", "dx.doi.org", "hdl.handle.net", "arxiv.org", "pubmed.ncbi.nlm.nih.gov",
    "ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "europepmc.org", "biorxiv.org", "medrxiv.org",
    "jstor.org", "orcid.org", "ror.org", "n2t.net", "identifiers.org", "purl.org", "w3id.org",
    "ssrn.com", "openalex.org", "semanticscholar.org", "zenodo.org", "osf.io",
})  # fmt: skip
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
_ARXIV = re.compile(
    r"(?:arxiv[:./]\s*|arxiv\.org/(?:abs|pdf|html)/|^)"
    r"(\d{4}\.\d{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?(?![\d/])",
    re.IGNORECASE,
)
_ARXIV_DOI_VERSION = re.compile(r"^(10\.48550/arxiv\..+)v\d+$", re.IGNORECASE)
_OTHER_ID = re.compile(r"(?:PMID|PMCID|CorpusId):\s*\w+|W\d+|[0-9a-f]{40}", re.IGNORECASE)
_PREPRINT = re.compile(r"(?:bio|med)rxiv", re.IGNORECASE)
# of arXiv, bioRxiv, SSRN, Research Square, Preprints.org, PsyArXiv, OSF, ChemRxiv and others
_PREPRINT_PREFIX = re.compile(
    r"10\.(?:48550|1101(?=/\d)|64898|2139|21203|20944|31234|31219|26434|22541|36227)/",
    re.IGNORECASE,
)
_PREPRINT_DOI = re.compile(r"10\.(?:1101|64898)/((?:\d{4}\.\d{2}\.\d{2}\.)?\d{5,8})(?:v\d+)?", re.I)


def clean_doi(text: str | None) -> str | None:
    """Return a DOI without prefix, its case unchanged; None if the text is not a DOI."""
    if not text:
        return None
    bare = _DOI_PREFIX.sub("", text)
    if bare != text and "%" in bare:
        bare = unquote(bare)
    bare = _trimmed(bare.strip())
    if (
        not _DOI.fullmatch(bare)
        or _PLACEHOLDER_PREFIX.match(bare)
        or _PLACEHOLDER_SUFFIX.search(bare)
    ):
        return None
    return bare


def doi_key(doi: str) -> str:
    """Return the DOI in lower case: DOIs are case-insensitive."""
    return doi.lower()


def is_identifier_host(host: str) -> bool:
    """Tell whether a host resolves identifiers: doi.org, arxiv.org, pubmed.ncbi.nlm.nih.gov."""
    return host.removeprefix("www.") in _IDENTIFIER_HOSTS


def doi_url(doi: str) -> str:
    """Return the URL that resolves a DOI."""
    return f"https://doi.org/{doi}"


def arxiv_id(text: str | None) -> str | None:
    """Return the arXiv identifier in a URL, a DOI or a text, without its version."""
    match = _ARXIV.search(text or "")
    return match[1] if match else None


def arxiv_doi(number: str) -> str:
    """Return the DOI of an arXiv work."""
    return f"10.48550/arXiv.{number}"


def without_arxiv_version(doi: str) -> str:
    """Return the DOI of an arXiv work for that of one of its versions."""
    return _ARXIV_DOI_VERSION.sub(r"\1", doi)


def pmc_id(text: str | None) -> str | None:
    """Return a PubMed Central identifier as `PMC123`."""
    match = re.search(r"(?:PMC|articles/|^)(\d+)", text or "", re.IGNORECASE)
    return f"PMC{match[1]}" if match else None


def pubmed_id(text: str | None) -> str | None:
    """Return the digits of a PubMed identifier or URL."""
    match = re.search(r"(?:^|/|:)\s*(\d{1,9})/?$", (text or "").strip())
    return match[1] if match else None


def preprint_id(doi: str | None, *venues: str | None) -> str | None:
    """Return the bioRxiv or medRxiv number of a DOI if one of the venue names is theirs."""
    match = _PREPRINT_DOI.fullmatch(doi or "")
    named = any(_PREPRINT.search(venue or "") for venue in venues)
    return match[1] if match and named else None


def is_preprint_doi(doi: str) -> bool:
    """Tell whether a preprint server registered a DOI."""
    return bool(_PREPRINT_PREFIX.match(doi))


def is_identifier(text: str) -> bool:
    """Tell whether a text identifies a work: DOI, arXiv, PMID:1, W123 or 40 hex digits."""
    return bool(clean_doi(text) or arxiv_id(text) or _OTHER_ID.fullmatch(text.strip()))


def _trimmed(text: str) -> str:
    """Return the text without trailing punctuation and unopened brackets."""
    while text:
        last = text[-1]
        unopened = last in _OPENING and text.count(last) > text.count(_OPENING[last])
        if last not in ".,;:\"'" and not unopened:
            break
        text = text[:-1]
    return text

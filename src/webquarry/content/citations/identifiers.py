"""Identifiers of scholarly works: reading them out of what people and sources write."""

import re
from urllib.parse import unquote

_WRAPPING = re.compile(
    r"^\s*(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:\s*|info:doi/|urn:doi:)+", re.IGNORECASE
)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
# what forms are filled with when there is no DOI: 10.0000/…, 10.1016/xxxx, 10.1038/placeholder
_NOBODY = re.compile(r"10\.0+(?:\.\d+)*/")
_FILLED_IN = re.compile(
    r"/(?:[x.\-_]*x{3,}[x.\-_]*|[.\-_]*0{3,}[0.\-_]*|placeholder|todo|tbd|tba|unknown|none|null|n/?a|nan|pending)$",
    re.IGNORECASE,
)
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_ARXIV = re.compile(
    r"(?:arxiv[:./]\s*|arxiv\.org/(?:abs|pdf|html)/|^)"
    r"(\d{4}\.\d{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?(?![\d/])",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:PMID|PMCID|CorpusId):\s*\w+|W\d+|[0-9a-f]{40}", re.IGNORECASE)
_PREPRINT = re.compile(r"(?:bio|med)rxiv", re.IGNORECASE)
_PREPRINT_DOI = re.compile(r"10\.(?:1101|64898)/((?:\d{4}\.\d{2}\.\d{2}\.)?\d{5,8})(?:v\d+)?", re.I)


def clean_doi(text: str | None) -> str | None:
    """Return the DOI that a text is, bare and in its own case; None for anything else."""
    if not text:
        return None
    bare = _WRAPPING.sub("", text)
    if bare != text and "%" in bare:
        bare = unquote(bare)
    bare = _trimmed(bare.strip())
    if not _DOI.fullmatch(bare) or _NOBODY.match(bare) or _FILLED_IN.search(bare):
        return None
    return bare


def doi_key(doi: str) -> str:
    """Return what two spellings of one DOI share: DOIs have no upper and lower case."""
    return doi.lower()


def doi_url(doi: str) -> str:
    """Return the address that leads to the work."""
    return f"https://doi.org/{doi}"


def arxiv_id(text: str | None) -> str | None:
    """Return the arXiv identifier in an address, a DOI or a text, without its version."""
    found = _ARXIV.search(text or "")
    return found[1] if found else None


def pmc_id(text: str | None) -> str | None:
    """Return an identifier of PubMed Central as `PMC123`."""
    found = re.search(r"(?:PMC|articles/|^)(\d+)", text or "", re.IGNORECASE)
    return f"PMC{found[1]}" if found else None


def pubmed_id(text: str | None) -> str | None:
    """Return the digits of a PubMed identifier or address."""
    found = re.search(r"(?:^|/|:)\s*(\d{1,9})/?$", (text or "").strip())
    return found[1] if found else None


def preprint_id(doi: str | None, *told: str | None) -> str | None:
    """Return the bioRxiv or medRxiv number of a DOI, if the source says that it is theirs."""
    found = _PREPRINT_DOI.fullmatch(doi or "")
    named = any(_PREPRINT.search(text or "") for text in told)
    return found[1] if found and named else None


def is_identifier(text: str) -> bool:
    """Tell whether a text names one work: by DOI, arXiv number, PMID:1, W123 or forty digits."""
    return bool(clean_doi(text) or arxiv_id(text) or _NUMBERED.fullmatch(text.strip()))


def _trimmed(text: str) -> str:
    """Return the text without the punctuation of the sentence it stood in."""
    while text:
        last = text[-1]
        unopened = last in _PAIRS and text.count(last) > text.count(_PAIRS[last])
        if last not in ".,;:\"'" and not unopened:
            break
        text = text[:-1]
    return text

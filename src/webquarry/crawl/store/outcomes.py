"""The outcomes of URLs without a page: which are errors, and what they mean."""

from http import HTTPStatus

from webquarry.crawl.store.crawl_values import RETRY_AFTER

INVALID_URL = "invalid_url"
_ERROR_PREFIXES = (
    "http_", "timeout", "network", "broken", "dns_", "connection_", "unreachable", "tls", "busy",
    "proxy", "crash", "document", "bad_redirect", "redirect_loop", RETRY_AFTER, INVALID_URL,
)  # fmt: skip
_SENTENCES = {
    # errors
    "timeout": "The server did not respond in time.",
    "network": "There was no response.",
    "broken": "The connection broke, or the response was damaged.",
    "dns_no_such_name": "The host does not exist.",
    "dns_failed": "The host name could not be resolved.",
    "connection_refused": "The host refused the connection.",
    "unreachable": "The host does not respond.",
    "tls": "No secure connection could be made, for example because of an invalid certificate.",
    "busy": "Too many connections were open.",
    "proxy": "The proxy did not make the connection.",
    "crash": "The page could not be processed.",
    "document": "The document is damaged, has a password, or takes too long to read.",
    "bad_redirect": "It redirects to an invalid URL.",
    "redirect_loop": "It redirects too often.",
    RETRY_AFTER: "The host asked to wait longer than CRAWL_MAX_RETRY_AFTER.",
    INVALID_URL: "It is not a complete http or https URL.",
    # skipped
    "robots": "robots.txt disallows it, or could not be read.",
    "refused": "It is a private or disallowed address (see ALLOW_PRIVATE_IPS).",
    "content_type": "It is neither a page nor a document that is read.",
    "too_large": "It is larger than MAX_HTML_BYTES; a document, than MAX_DOCUMENT_BYTES.",
    "too_deep": "It is more links away from the start page than the crawl may follow.",
    "page_limit": "The crawl reached its maximum number of pages.",
    "saturated": "The crawl ended before, because new pages added nothing.",
    "cancelled": "The crawl was cancelled before.",
    "out_of_scope": "It redirects to a host that the crawl may not read.",
    "crawl_delay": "The Crawl-delay of robots.txt exceeds CRAWL_MAX_RETRY_AFTER.",
    "excluded": "The include or exclude patterns leave it out.",
    "trap": "It looks like a crawl trap: URLs of this kind brought nothing new, or never end.",
    "duplicate": "Another page of this crawl has the same content.",
    "canonical": "The page names another URL as its canonical one.",
    "redirect": "It redirects to another URL.",
}
# in the error of a crawl without pages, where the code alone does not say enough
_IN_ERROR = {
    "refused": "refused (private or disallowed address; see ALLOW_PRIVATE_IPS)",
    "robots": "robots (robots.txt disallows it, or could not be read)",
    "dns_no_such_name": "dns_no_such_name (the host does not exist)",
    "dns_failed": "dns_failed (the host name could not be resolved)",
    "connection_refused": "connection_refused (the host refused the connection)",
    "unreachable": "unreachable (the host does not respond)",
    "out_of_scope": "out_of_scope (it redirects to a host that the crawl may not read;"
    " start the crawl there)",
    RETRY_AFTER: "retry_after (the host asked to wait longer than CRAWL_MAX_RETRY_AFTER)",
    "crawl_delay": "crawl_delay (the Crawl-delay of robots.txt exceeds CRAWL_MAX_RETRY_AFTER)",
    "content_type": "content_type (neither a page nor a document)",
}


def is_error(outcome: str) -> bool:
    """Whether a URL was to be read and could not be; others were skipped."""
    return outcome.startswith(_ERROR_PREFIXES)


def is_requested(outcome: str) -> bool:
    """Whether the URL itself was requested and failed."""
    return is_error(outcome) and outcome not in (INVALID_URL, RETRY_AFTER)


def explain(outcome: str) -> str:
    """Return an outcome as a sentence."""
    code = outcome.removeprefix("http_")
    if code != outcome and code.isdigit():
        return f"The server responded with HTTP {code}{_status_phrase(int(code))}."
    return _SENTENCES.get(outcome) or f"{outcome.replace('_', ' ').capitalize()}."


def reason_in_error(outcome: str) -> str:
    """Return an outcome as it is listed in the error of a crawl without pages."""
    return _IN_ERROR.get(outcome, outcome)


def _status_phrase(code: int) -> str:
    try:
        return f" ({HTTPStatus(code).phrase})"
    except ValueError:
        return ""

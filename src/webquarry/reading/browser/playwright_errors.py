"""The errors of playwright, which is imported only when a browser is used."""

from functools import cache


@cache
def playwright_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions to catch; none when playwright is not installed."""
    try:
        from playwright.async_api import Error
    except ImportError:
        return ()
    return (Error,)

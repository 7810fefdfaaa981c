"""How much of a page is returned, in bytes."""

DEFAULT_LENGTH = 50_000
MAX_LENGTH = 5_000_000
PREVIEW_LENGTH = 5_000

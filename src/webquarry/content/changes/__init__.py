"""Changes between two versions of a page, of fields or of a set of entries."""

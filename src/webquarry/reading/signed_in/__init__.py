"""Reading pages with a stored login of the caller."""

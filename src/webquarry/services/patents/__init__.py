"""Patent search."""

"""Language models (optional)."""

"""Documents to check: their sentences, citation markers and reference lists."""

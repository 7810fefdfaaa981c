"""Evidence bundles: captured exchanges, written to one file that anyone can verify and replay."""

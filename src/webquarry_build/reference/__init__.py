"""The tools' reference in docs/tools, written from their models."""

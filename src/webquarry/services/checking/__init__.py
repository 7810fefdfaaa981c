"""Checks of whole documents: every reference, and every claim against its source."""

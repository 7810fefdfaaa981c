"""Checks citations, bibliographies and recommendations."""

"""Structured data from pages."""

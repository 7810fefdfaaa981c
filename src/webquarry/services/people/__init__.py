"""Consent, workspace members and the rights of people over what is stored about them."""

"""Finds patents in whichever registry knows them."""

"""Distances on the globe."""

from math import asin, cos, radians, sin, sqrt

_EARTH = 6_371_008.8  # mean radius in metres


def distance(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Return the metres between two points of latitude and longitude (haversine)."""
    half_height = sin(radians(lat2 - lat1) / 2)
    half_width = sin(radians(lon2 - lon1) / 2)
    chord = half_height**2 + cos(radians(lat1)) * cos(radians(lat2)) * half_width**2
    return 2 * _EARTH * asin(min(1.0, sqrt(chord)))

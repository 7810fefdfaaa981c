"""Distance between two points on Earth."""

from math import asin, cos, radians, sin, sqrt

_EARTH_RADIUS = 6_371_008.8  # metres, mean


def haversine_distance(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Return the metres between two points of latitude and longitude (haversine)."""
    half_height = sin(radians(lat2 - lat1) / 2)
    half_width = sin(radians(lon2 - lon1) / 2)
    chord = half_height**2 + cos(radians(lat1)) * cos(radians(lat2)) * half_width**2
    return 2 * _EARTH_RADIUS * asin(min(1.0, sqrt(chord)))

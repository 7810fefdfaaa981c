"""Generated files for packages and registries."""

"""util - helpers."""

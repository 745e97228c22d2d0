"""core - values and fields of properties."""

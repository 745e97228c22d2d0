"""chart - charts: their data, axes, legends and labels."""

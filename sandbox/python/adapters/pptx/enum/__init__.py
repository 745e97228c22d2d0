"""enum - the names of the format's values."""

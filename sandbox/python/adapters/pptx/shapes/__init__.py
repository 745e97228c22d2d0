"""shapes - what is on slides, layouts and notes."""

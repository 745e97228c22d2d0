"""text - frames of text, paragraphs and runs."""

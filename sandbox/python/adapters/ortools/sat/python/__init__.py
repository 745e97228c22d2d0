"""python - cp_model, the constraint programs."""

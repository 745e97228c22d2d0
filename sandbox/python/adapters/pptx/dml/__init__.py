"""dml - colours, fills and lines."""

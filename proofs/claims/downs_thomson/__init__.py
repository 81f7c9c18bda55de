"""Claims about probabilistic routing (slides 35-46, 61, 69, 84-87)."""

"""State-dependent routing next to a batch queue (slides 47-77): selfish, heuristic and social policies, and their delays."""

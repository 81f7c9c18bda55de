"""Claims about state-dependent routing (slides 47-77), the values that the slides print, and their misprints."""

"""State-dependent routing next to a batch queue (slides 47-77): selfish, heuristic and social policies, and their delays.

Blocks here are at most a few hundred wide, where threads of the linear algebra library cost more than they give (on a busy
machine by a factor of 20).  So one thread is the default, unless the environment says otherwise or numpy is loaded already.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

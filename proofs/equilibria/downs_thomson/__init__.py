"""Parallel queues under probabilistic routing: user equilibria, social optimum, the Downs-Thomson paradox."""

"""All user equilibria of parallel queues under probabilistic routing, in exact numbers (slides 38-40, 84)."""

from __future__ import annotations

from proofs.equilibria.downs_thomson.many_queues import solve_many
from proofs.equilibria.downs_thomson.model import Model, Solution
from proofs.equilibria.downs_thomson.two_queues import solve_two


def solve(model: Model) -> Solution:
    """All user equilibria: shares at which the used queues have the same finite delay and no unused one a smaller.

    Raises ``NotSupported`` for three queues or more with more than two different kinds of several servers, or with a
    continuum of equilibria.

    >>> from fractions import Fraction
    >>> from proofs.equilibria.downs_thomson.queues import Kind, Queue
    >>> taxi = Queue(Kind.MM1, Fraction(1))
    >>> shuttle = Queue(Kind.BATCH, Fraction(1), Fraction(1, 10), batch_size=3)
    >>> [(str(e.shares[0]), str(e.delay), e.stable) for e in solve(Model(Fraction(1), (taxi, shuttle))).equilibria]
    [('21/20 - sqrt(41)/20', '1/2 + sqrt(41)/2', True)]
    """
    return solve_two(model) if len(model.queues) == 2 else solve_many(model)

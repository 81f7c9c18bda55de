"""GLP[dm] of Down and Meyn (1997) in floats: a second opinion on the Dai-Vande Vate criterion, which it decides as well.

Maximise γ over 0 ≤ L ≤ 1 and V ≥ 0; for each station j and each class k at j
    Σ_types λ L^j(first) + μ_k (L^j(next k) − L^j(k)) + Σ_{j'≠j} V_{jj'} ≤ −γ,
    μ_k (L^j(next k) − L^j(k)) ≤ V_{jj'} for k at j' ≠ j,     Σ_{j'≠j} L^{j'}(k)/(J−1) ≥ L^j(k) for k not at j.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog

from verify.network.model import RouteNetwork

Form = dict[tuple[object, ...], float]


@dataclass
class _Program:
    """Rows a·z ≤ 0 in named variables."""

    columns: dict[tuple[object, ...], int] = field(default_factory=dict)
    rows: list[Form] = field(default_factory=list)

    def require(self, *terms: tuple[float, tuple[object, ...] | None]) -> None:
        row: Form = {}
        for factor, name in terms:
            if name is not None:
                self.columns.setdefault(name, len(self.columns))
                row[name] = row.get(name, 0.0) + factor
        self.rows.append(row)

    def maximum(self, name: tuple[object, ...]) -> float:
        matrix = np.zeros((len(self.rows), len(self.columns)))
        for i, row in enumerate(self.rows):
            for variable, factor in row.items():
                matrix[i, self.columns[variable]] = factor
        objective = np.zeros(len(self.columns))
        objective[self.columns[name]] = -1
        bounds = [(0, 1) if variable[0] == "L" else (0, None) for variable in self.columns]
        found = linprog(objective, matrix, np.zeros(len(self.rows)), bounds=bounds, method="highs")
        return float(-found.fun)


def down_meyn(network: RouteNetwork) -> float:
    """The optimal γ with the rates divided by their sum."""
    types = [(c.arrival_rate, c.routes[0].visits) for c in network.classes]
    total = float(sum(rate for rate, _ in types) + sum(v.rate for _, visits in types for v in visits))
    stations = sorted({visit.server for _, visits in types for visit in visits})
    program = _Program()
    for j in stations:
        others = [s for s in stations if s != j]
        arrivals = [(float(rate) / total, ("L", j, t, 0)) for t, (rate, _) in enumerate(types)]
        for t, (_, visits) in enumerate(types):
            for i, visit in enumerate(visits):
                here, after = ("L", j, t, i), ("L", j, t, i + 1) if i + 1 < len(visits) else None
                step = [(float(visit.rate) / total, after), (-float(visit.rate) / total, here)]
                if visit.server == j:
                    spill = [(1.0, ("V", j, s)) for s in others]
                    program.require(*arrivals, *step, *spill, (1.0, ("gamma",)))
                else:
                    program.require(*step, (-1.0, ("V", j, visit.server)))
                    program.require((1.0, here), *((-1.0 / len(others), ("L", s, t, i)) for s in others))
    return program.maximum(("gamma",))

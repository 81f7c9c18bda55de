"""Is x'Qx >= 0 for all x >= 0?  Decided from the definition: exactly for blocks of up to twelve coordinates, by search beyond."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd

import numpy as np

Matrix = Sequence[Sequence[Fraction]]
Point = list[int]
#: Principal minors of a block of this size: 4095.
LARGEST_BLOCK = 12


def negative_point(matrix: Matrix, seed: int = 1) -> Point | None:
    """Some integer x >= 0 with x'Qx < 0; None if there is none (or none was found, in a block that is larger and not semidefinite).

    Coordinates fall into blocks, connected by negative entries: entries between blocks are >= 0, so Q is copositive if and only
    if each block is.
    """
    for block in blocks(matrix):
        found = _in_block([[matrix[i][j] for j in block] for i in block], seed)
        if found is not None:
            point = [0] * len(matrix)
            for i, value in zip(block, found, strict=True):
                point[i] = value
            return point
    return None


def blocks(matrix: Matrix) -> list[list[int]]:
    """Coordinates that are connected by negative entries."""
    left, found = set(range(len(matrix))), []
    while left:
        block, new = set(), {min(left)}
        while new:
            block |= new
            new = {j for i in new for j in left if j != i and matrix[i][j] < 0} - block
        left -= block
        found.append(sorted(block))
    return found


def at(matrix: Matrix, x: Sequence[int]) -> Fraction:
    """x'Qx."""
    size = range(len(x))
    return sum((matrix[i][j] * x[i] * x[j] for i in size for j in size if x[i] and x[j]), Fraction(0))


def _in_block(matrix: Matrix, seed: int) -> Point | None:
    if semidefinite(matrix):
        return None
    return _by_minors(matrix) if len(matrix) <= LARGEST_BLOCK else _by_search(matrix, seed)


def semidefinite(matrix: Matrix) -> bool:
    """Positive semidefinite, by elimination; where a pivot is 0 the rest of its row has to be 0."""
    rest = [list(row) for row in matrix]
    for k in range(len(rest)):
        pivot = rest[k][k]
        if pivot < 0 or (pivot == 0 and any(rest[k][j] for j in range(k + 1, len(rest)))):
            return False
        for i in range(k + 1, len(rest)):
            factor = rest[i][k] / pivot if pivot else Fraction(0)
            if factor:
                for j in range(k + 1, len(rest)):
                    rest[i][j] -= factor * rest[k][j]
    return True


def _by_minors(matrix: Matrix) -> Point | None:
    """Subsets of coordinates, the small ones first: B, whose smaller principal submatrices are copositive, is not if and only if it
    has an inverse and B⁻¹e < 0 in every coordinate, e = (1, …, 1).

    If so, x = −B⁻¹e > 0 has x'Bx = −e·x < 0.  If B is not copositive, x'Bx is least on the simplex at some x > 0 (else a smaller
    one would not be), so Bx = λe with λ = x'Bx < 0.  Bz = 0 would give λ z·e = z'Bx = 0 and (x + tz)'B(x + tz) = λ up to the
    boundary of the simplex, where there is a smaller one; so B has an inverse, and B⁻¹e = x/λ.
    """
    for size in range(1, len(matrix) + 1):
        for chosen in combinations(range(len(matrix)), size):
            _, inverse = inverted([[matrix[i][j] for j in chosen] for i in chosen])
            sums = [sum(row, Fraction(0)) for row in inverse]
            if sums and max(sums) < 0:
                x = [Fraction(0)] * len(matrix)
                for i, value in zip(chosen, sums, strict=True):
                    x[i] = -value
                return _whole(x)
    return None


def inverted(matrix: Matrix) -> tuple[Fraction, list[list[Fraction]]]:
    """Determinant and inverse (empty where the determinant is 0)."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    determinant = Fraction(1)
    for k in range(size):
        swap = next((i for i in range(k, size) if rows[i][k]), None)
        if swap is None:
            return Fraction(0), []
        if swap != k:
            rows[k], rows[swap] = rows[swap], rows[k]
            determinant = -determinant
        pivot = rows[k][k]
        determinant *= pivot
        rows[k] = [a / pivot for a in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return determinant, [row[size:] for row in rows]


def _by_search(matrix: Matrix, seed: int) -> Point | None:
    """Descent on the simplex from many starts, in floats; what it finds is tried in whole numbers."""
    source = random.Random(seed)
    size = len(matrix)
    largest = max(abs(a) for row in matrix for a in row)
    floats = np.array([[float(a / largest) for a in row] for row in matrix])
    for _ in range(40):
        x = np.array([source.random() * source.choice((0, 1, 1)) + 1e-3 for _ in range(size)])
        for step in range(300):
            x = np.maximum(x - 0.5 / (1 + step / 30) * floats @ x, 0)
            x /= x.sum() or 1.0
        candidate = [round(float(value) * 10**6) for value in x]
        if at(matrix, candidate) < 0:
            return candidate
    return None


def _whole(x: Sequence[Fraction]) -> Point:
    scale = 1
    for value in x:
        scale = scale * value.denominator // gcd(scale, value.denominator)
    return [int(value * scale) for value in x]

"""Condition U (FORMAT.md section 18): V = max w_i.x + h grows at rate epsilon wherever it is above v_0."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.checker.cells.cell_walk import CellWalk, Rises, as_fraction, common
from verify.checker.cells.cells import Cells, Closure, Measure
from verify.checker.cells.features import Cell, cell_name, read_features, read_h
from verify.checker.cells.path import check_path
from verify.checker.core.conditions import check_epsilon
from verify.checker.core.data import Claim, GrowthProof
from verify.checker.core.errors import require, show
from verify.checker.core.forms import combine
from verify.checker.core.model import Model
from verify.checker.core.policy import Policy
from verify.checker.core.state import State
from verify.checker.core.work import bits_of, product
from verify.checker.policies.by_words import WordPolicy
from verify.checker.policies.priority import check_priority
from verify.checker.policies.sharing import check_server_order

MOST_REACHABLE = 20000


def witness_policy(state: State, policy: Policy, proof: GrowthProof) -> Policy:
    """**U-witness**: a priority order for all servers with buffers, if sequencing is non-idling; a server order at buffers
    where the policy leaves it free. Returns the witness's policy.

    Sound because serving by priority is one of the non-idling policies (it is none of those called fifo), and what is
    free may be done by an order.
    """
    if not isinstance(policy, WordPolicy):
        return policy
    word = policy.sequencing
    if proof.witness is not None:
        require(word.priority_witness, "U-witness", "sequencing", word.name, "non-idling")
        check_priority("U-witness", "witness", proof.witness, state)
        policy = policy.with_priority(proof.witness)
    if proof.witness_server_order is not None:
        given = policy.server_order or {}
        check_server_order("U-witness", "witness_server_order", proof.witness_server_order, state)
        for buffer in proof.witness_server_order:
            require(buffer not in given, "U-witness", "witness_server_order", buffer, "a buffer without a server order")
        require(word.order_witness, "U-witness", "sequencing", word.name, "another one")
        policy = policy.with_server_order(proof.witness_server_order)
    return policy


def check_growth(model: Model, claim: Claim, proof: GrowthProof) -> None:
    """Condition U: V grows in the cells that are reached from 0, and a sure path leads above v_0 and V(0)."""
    growth = Growth(model, proof)
    growth.reach()
    growth.choose_pieces()
    margins = growth.check_cells(claim.value)
    check_path(model, proof.path, growth.value, proof.v0)
    check_epsilon(claim, margins)


class Growth:
    """V in the cells that are reached.

    cells: the reached ones with the least h(m') - h(m) of each jump; chosen: those that are not skipped, with T.
    """

    def __init__(self, model: Model, proof: GrowthProof) -> None:
        features = read_features(model, proof.corrector)
        self.pieces, h = common(model.pieces, read_h(features, proof.corrector))
        self.v0 = proof.v0
        self.limit = proof.v0 * h.denominator
        self.limit_steps = product(bits_of(self.limit), h.denominator.bit_length())
        self.size = len(model.state.names)
        self.work = model.work
        self.cells = Cells(features, MOST_REACHABLE, "U-cells", model.work)
        self.walk = CellWalk(model, model.components, self.cells, h, min)
        self.work.spend(len(self.pieces) * (self.size + len(self.walk.moves)), "slopes of pieces")
        self.slopes = [self.walk.slopes(piece) for piece in self.pieces]
        self.levels = [self.cells.measure(piece.entries) for piece in self.pieces]
        self.differences: dict[tuple[int, int], Measure] = {}
        self.reached: dict[Cell, Rises] = {}
        self.chosen: dict[Cell, tuple[int, ...]] = {}

    def value(self, x: Sequence[int]) -> Fraction:
        """V in a state."""
        level = max(sum(value * x[k] for k, value in piece.entries.items()) for piece in self.pieces)
        return Fraction(level, self.walk.h.denominator) + self.walk.h.at(self.cells.of(x))

    # ---- rules
    def reach(self) -> None:
        """**U-cells**: at most 20000 cells are reached from that of 0.

        Sound because every state that the chain can reach from 0 is then in one of these cells.
        """
        start = self.cells.of([0] * self.size)
        self.reached = {start: {}}
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            targets, rises = self._after(cell)
            self.reached[cell] = rises
            for target in targets:
                if target not in self.reached:
                    self.reached[target] = {}
                    waiting.append(target)
            number = len(self.reached)
            require(number <= MOST_REACHABLE, "U-cells", "cells", f"at least {number}", f"<= {MOST_REACHABLE}")

    def _after(self, cell: Cell) -> tuple[set[Cell], Rises]:
        """All target cells of whatever may occur in a cell, and the least h(m') - h(m) of each jump."""
        closure, values = self.cells.closure(cell), self.walk.h.values
        self.work.spend(self.walk.cost, "reached cells")
        found: dict[int, list[Cell]] = {}
        reached: set[Cell] = set()
        for part in (part for branches in self.walk.components for branch in branches for part in branch):
            for option in () if closure is None else self.walk.occurring(cell, closure, part):
                for move, _ in option.jumps:
                    if move not in found:
                        found[move] = self.cells.targets(cell, self.walk.prepared[move])
                if all(found[move] for move, _ in option.jumps):
                    self.work.spend(sum(len(found[move]) for move, _ in option.jumps), "target cells")
                    reached.update(target for move, _ in option.jumps for target in found[move])
        here = values.get(cell, 0)
        rises = {
            move: min(values.get(target, 0) for target in targets) - here if targets else None
            for move, targets in found.items()
        }
        return reached, rises

    def choose_pieces(self) -> None:
        """**U-pieces**: in each cell that is not skipped some piece is the largest all over the cell.

        Sound because V is then w_i.x + h for these pieces, and after a jump it is at least w_i.(x + e) + h.
        """
        for cell in self.reached:
            closure = self.cells.closure(cell)
            if closure is None or self._may_skip(cell, closure):
                continue
            largest = self._largest(cell, closure)
            require(bool(largest), "U-pieces", f"cell {cell_name(cell)}", "no piece", "one that is largest all over it")
            self.chosen[cell] = largest

    def _largest(self, cell: Cell, closure: Closure) -> tuple[int, ...]:
        """T: the pieces that beat every other one.

        Only those that beat the highest one at the corner of least coordinates are compared with all. The corner satisfies
        the closure: a piece that is lower there does not beat the highest one, unless a feature outside the closure says so.
        """
        self.work.spend(sum(level.cost // 2 for level in self.levels), "pieces in cells")
        corner = [0 if bound is None else -bound for bound in closure[-1]]
        heights = [sum(value * corner[at] for at, value in level.terms if at >= 0) for level in self.levels]
        numbers, best = range(len(heights)), max(range(len(heights)), key=heights.__getitem__)
        near = [i for i in numbers if self.cells.loose or heights[i] == heights[best]]
        left = [i for i in near if i == best or self._beats(i, best, cell, closure)]
        return tuple(i for i in left if all(self._beats(i, j, cell, closure) for j in numbers if j != i))

    def _may_skip(self, cell: Cell, closure: Closure) -> bool:
        """Whether V <= v_0 all over the cell: the upper end of every w_i.x + h is at most v_0.

        Sound because V is the largest of these in every state.
        """
        limit = self.limit - self.walk.h.values.get(cell, 0)
        self.work.spend(len(self.levels) * self.limit_steps, "levels of pieces")
        ends = (self.cells.interval(level, cell, closure)[1] for level in self.levels)
        return all(end is not None and end <= limit for end in ends)

    def _beats(self, i: int, j: int, cell: Cell, closure: Closure) -> bool:
        """Whether w_i.x >= w_j.x all over the cell."""
        first, second = min(i, j), max(i, j)
        if (first, second) not in self.differences:
            self.work.spend(100, "differences of pieces")
            terms = [(Fraction(1), self.pieces[first]), (Fraction(-1), self.pieces[second])]
            self.differences[first, second] = self.cells.measure(combine(terms, self.work).entries)
        low, high = self.cells.interval(self.differences[first, second], cell, closure)
        return (low is not None and low >= 0) if i < j else (high is not None and high <= 0)

    def check_cells(self, epsilon: Fraction) -> list[Fraction]:
        """**U-cell**: V grows at rate epsilon at least, whatever is chosen. Returns the rates, for rule **epsilon**.

        Sound because each component does something that may occur there, and V rises by no less with each jump.
        """
        margins: list[Fraction] = []
        steepest: dict[tuple[int, ...], list[int]] = {}
        for cell, largest in self.chosen.items():
            if largest not in steepest:
                self.work.spend(len(largest) * len(self.slopes[0]), "slopes of pieces")
                steepest[largest] = [max(values) for values in zip(*(self.slopes[i] for i in largest), strict=True)]
            total = self.walk.total(cell, steepest[largest], self.reached[cell])
            if total is None:
                continue
            margin = as_fraction(total, self.walk)
            require(margin >= epsilon, "U-cell", f"cell {cell_name(cell)}", margin, f">= {show(epsilon)}")
            margins.append(margin)
        return margins

"""The path of condition U (FORMAT.md section 7, rule U-path): jumps that are sure to be possible, whatever is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from verify.checker.components import Alternative, Part
from verify.checker.data import Numbers, Step
from verify.checker.errors import Rejected, require, show
from verify.checker.forms import EQUAL, GREATER, LESS, Fact
from verify.checker.model import Model

LONGEST_PATH = 100000

Change = frozenset[tuple[int, int]]


def check_path(model: Model, path: Sequence[Step], value: Callable[[Sequence[int]], Fraction], v0: Fraction) -> None:
    """**U-path**: each step is sure to be possible, and at the end V is above v_0 and V(0).

    Sound because the chain then follows the path with positive probability, under every policy spoken of.
    """
    start = [0] * len(model.state.names)
    for number, step in enumerate(path):
        right = step.times >= 1 and step.times.denominator == 1
        require(right, "U-path", f"step {number}, times", step.times, "1, 2, ...")
    length = sum(step.times for step in path)
    require(length <= LONGEST_PATH, "U-path", "number of steps", length, f"<= {LONGEST_PATH}")
    x = list(start)
    steps = Steps(model)
    for number, step in enumerate(path):
        change = steps.change(step.change, f"step {number}")
        for _ in range(int(step.times)):
            if not steps.is_sure(x, change):
                raise Rejected("U-path", f"step {number}", step.change, f"a jump sure to be possible in {show(x)}")
            for k, amount in change:
                x[k] += amount
            require(min(x) >= 0, "U-path", f"step {number}", min(x), ">= 0")
    least = max(v0, value(start))
    require(value(x) > least, "U-path", f"V at the end, in {show(x)}", value(x), f"> {show(least)}")


class Steps:
    """What is sure to be possible in a state."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.changes = [{_net(i, j) for i, j, _ in jumps} for jumps in model.jumps]
        branches = [branch for component in model.components for branch in component.branches]
        self.parts = [part for branch in branches for part in branch.parts]

    def change(self, written: Numbers, where: str) -> Change:
        """The change of a step by coordinates."""
        names = self.model.state.names
        for name, amount in written.items():
            require(name in names, "U-path", where, name, "a buffer")
            require(amount.denominator == 1, "U-path", f"{where}, {name}", amount, "an integer")
        return frozenset((names.index(name), int(amount)) for name, amount in written.items())

    def is_sure(self, x: Sequence[int], change: Change) -> bool:
        """Whether some component can in this state not avoid having a jump with this change.

        Sound because the component serves one of the buffers listed here, and for each of them some destination that has
        positive probability makes this change: of one buffer, all that is listed at a tie can happen.
        """
        return any(self._part_is_sure(part, x, change) for part in self.parts if self._has(part, change))

    def _has(self, part: Part, change: Change) -> bool:
        return any(change in self.changes[option.drift] for option in part.alternatives)

    def _part_is_sure(self, part: Part, x: Sequence[int], change: Change) -> bool:
        groups: dict[int | None, bool] = {}
        for option in part.alternatives:
            if self._holds(option, x):
                groups[option.serves] = groups.get(option.serves, False) or change in self.changes[option.drift]
        return bool(groups) and all(groups.values())

    def _holds(self, option: Alternative, x: Sequence[int]) -> bool:
        if option.serves is not None and x[option.serves] < option.least:
            return False
        return all(self._is_true(fact, x) for fact in option.guard)

    def _is_true(self, fact: Fact, x: Sequence[int]) -> bool:
        total = sum(value * x[k] for k, value in self.model.normals.get(fact.normal).entries.items())
        if fact.spare:
            return total <= fact.spare
        return bool((LESS if total < 0 else GREATER if total > 0 else EQUAL) & fact.signs)


def _net(source: int | None, target: int | None) -> Change:
    """The change of a jump; none if a job comes back to where it was."""
    ends: Mapping[int | None, int] = {} if source == target else {source: -1, target: 1}
    return frozenset((k, amount) for k, amount in ends.items() if k is not None)

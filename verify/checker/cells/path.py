"""The path of condition U (FORMAT.md section 18, rule U-path): jumps that are sure to be possible, whatever is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from verify.checker.core.components import Alternative, Part
from verify.checker.core.data import Numbers, Step
from verify.checker.core.errors import Rejected, require, show
from verify.checker.core.forms import EQUAL, GREATER, LESS, Fact
from verify.checker.core.model import Model

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
        change, left = steps.change(step.change, f"step {number}"), int(step.times)
        while left:
            if not steps.is_sure(x, change):
                raise Rejected("U-path", f"step {number}", step.change, f"a jump sure to be possible in {show(x)}")
            alike = min(left, steps.alike(x, change))
            for k, amount in change:
                x[k] += alike * amount
                require(x[k] >= 0, "U-path", f"step {number}", x[k], ">= 0")
            left -= alike
    least = max(v0, value(start))
    require(value(x) > least, "U-path", f"V at the end, in {show(x)}", value(x), f"> {show(least)}")


class Steps:
    """What is sure to be possible in a state."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.changes = [{_net(i, j) for i, j, _ in jumps} for jumps in model.jumps]
        self.parts: dict[Change, list[Part]] = {}
        for part in (part for component in model.components for branch in component.branches for part in branch.parts):
            for change in {change for option in part.alternatives for change in self.changes[option.drift]}:
                self.parts.setdefault(change, []).append(part)
        self.costs: dict[Change, int] = {}

    def change(self, written: Numbers, where: str) -> Change:
        """The change of a step by coordinates."""
        index = self.model.state.index
        for name, amount in written.items():
            require(name in index, "U-path", where, name, "a buffer")
            require(amount.denominator == 1, "U-path", f"{where}, {name}", amount, "an integer")
        return frozenset((index[name], int(amount)) for name, amount in written.items())

    def is_sure(self, x: Sequence[int], change: Change) -> bool:
        """Whether some component can in this state not avoid having a jump with this change.

        Sound because the component serves one of the buffers listed here, and for each of them some destination that has
        positive probability makes this change: of one buffer, all that is listed at a tie can happen.
        """
        if change not in self.parts:
            return False
        if change not in self.costs:
            facts = [fact for part in self.parts[change] for option in part.alternatives for fact in option.guard]
            forms = [self.model.normals.get(fact.normal) for fact in facts]
            options = sum(len(part.alternatives) for part in self.parts[change])
            cost = sum(10 + len(form.entries) * (10 + form.bits // 700) for form in forms)
            self.costs[change] = 50 + 20 * options + 2 * cost
        self.model.work.spend(self.costs[change], "path")
        return any(self._part_is_sure(part, x, change) for part in self.parts[change])

    def alike(self, x: Sequence[int], change: Change) -> int:
        """A number of steps with this change, one at least, before each of which the same facts hold as in x.

        Sound because a form that changes by the same amount with each step keeps its sign until it would reach 0.
        """
        result, served = LONGEST_PATH, {option.serves for part in self.parts[change] for option in part.alternatives}
        normals = {fact.normal for part in self.parts[change] for option in part.alternatives for fact in option.guard}
        forms = [self.model.normals.get(normal).entries for normal in normals]
        for entries in (*forms, *({k: 1} for k in served if k is not None)):
            slope = sum(entries.get(k, 0) * amount for k, amount in change)
            value = sum(coefficient * x[k] for k, coefficient in entries.items()) if slope else 0
            if slope and value * slope <= 0:
                result = min(result, -(-abs(value) // abs(slope)) or 1)
        return result

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

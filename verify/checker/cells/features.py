"""Features: linear forms cut off at two ends, whose values make the pattern cells (FORMAT.md section 15)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.data import Corrector, FeatureText
from verify.checker.core.errors import Rejected, require, show
from verify.checker.core.model import Model
from verify.checker.core.work import common_denominator

MOST_FEATURES = 12
FARTHEST_END = 50
COEFFICIENT = re.compile(r"[1-9][0-9]{0,8}")

Cell = tuple[int, ...]
Entries = Mapping[int, int]


@dataclass(frozen=True)
class Feature:
    """The form sum entries[k] x_k, cut off: `high` stands for all values from there on, `low` for all down from there.

    coordinate: the buffer, if the feature is called x(K); then `low` is the value 0 and stands for itself alone.
    """

    normal: str
    entries: Entries
    low: int
    high: int
    coordinate: int | None = None

    def value(self, x: Sequence[int]) -> int:
        """The value in a state."""
        return self.cut(sum(c * x[k] for k, c in self.entries.items()))

    def cut(self, value: int) -> int:
        """A value of the form, cut off."""
        return max(self.low, min(self.high, value))

    def ends(self, value: int) -> tuple[int | None, int | None]:
        """The least and the greatest value of the form that a value of the feature stands for; None: unbounded.

        Sound for a coordinate at 0 because it cannot be less.
        """
        least = None if value == self.low and self.coordinate is None else value
        return least, None if value == self.high else value

    def after(self, value: int, step: int) -> tuple[int, ...]:
        """The values that are possible after the form has changed by `step`.

        Sound: below `high` and above `low` the form is known; at `high` it may be anything from there on, so a fall may
        leave every value from high + step to high; and the same at the `low` of a difference.
        """
        after = self.cut(value + step)
        least, greatest = self.ends(value)
        if (greatest is None and step < 0) or (least is None and step > 0):
            return tuple(range(min(value, after), max(value, after) + 1))
        return (after,)

    def pair(self) -> tuple[int, int] | None:
        """(i, j) if the form is x_i - x_j, (i, -1) if it is x_i; else None."""
        plus = [k for k, c in self.entries.items() if c == 1]
        minus = [k for k, c in self.entries.items() if c == -1]
        if len(plus) != 1 or len(minus) > 1 or len(self.entries) != 1 + len(minus):
            return None
        return plus[0], minus[0] if minus else -1


# ---- reading the names ---------------------------------------------------------------------------------------------
def read_features(model: Model, corrector: Corrector) -> tuple[Feature, ...]:
    """**features**: at most 12, distinct, of integer coefficients, with ends around 0.

    Sound because then each state has exactly one value of each feature, so it lies in exactly one cell.
    """
    listed = corrector.features
    require(len(listed) <= MOST_FEATURES, "features", "number of features", len(listed), f"<= {MOST_FEATURES}")
    found: list[Feature] = []
    coordinates = {f"x({name})": k for k, name in enumerate(model.state.names)}
    for text in listed:
        twice = text.normal in {feature.normal for feature in found}
        require(not twice, "features", "normals", f"{show(text.normal)} twice", "distinct")
        found.append(_feature(model, text, coordinates.get(text.normal)))
    return tuple(found)


def _feature(model: Model, text: FeatureText, coordinate: int | None) -> Feature:
    """One feature: what its name means, and its ends; `coordinate`: if its normal is one."""
    where = f"feature {show(text.normal)}"
    entries: Entries | None = None
    if coordinate is not None:
        entries = {coordinate: 1}
    elif text.normal in model.rows:
        form = model.normals.get(text.normal)
        entries = {k: value // form.denominator for k, value in form.entries.items() if value}
        whole = all(value % form.denominator == 0 for value in form.entries.values())
        require(whole, "features", where, "a fraction", "integer coefficients")
    else:
        entries = _named_form(text.normal, model.state.index)
    if not entries:
        raise Rejected(
            "features", where, text.normal, "a coordinate, a row of a guard, difference(...), combination(...)"
        )
    for end in (text.low, text.high):
        require(
            end.denominator == 1 and abs(end) <= FARTHEST_END, "features", where, end, f"integer, <= {FARTHEST_END}"
        )
    right = text.low == 0 if coordinate is not None else text.low < 0
    require(right and text.high > 0, "features", f"{where}, ends", (text.low, text.high), "ends around 0")
    return Feature(text.normal, entries, int(text.low), int(text.high), coordinate)


def _named_form(normal: str, rank: Mapping[str, int]) -> Entries | None:
    """`difference(K - L)`, or `combination(a K + b L - c M)` with buffers in coordinate order; else None."""
    word, _, rest = normal.partition("(")
    tokens = rest[:-1].split(" ")
    if rest[-1:] != ")" or len(tokens) % 3 == 1:
        return None
    if word == "difference" and len(tokens) == 3:
        first, second = rank.get(tokens[0], -1), rank.get(tokens[2], -1)
        return {first: 1, second: -1} if tokens[1] == "-" and 0 <= first < second else None
    if word != "combination" or len(tokens) % 3 != 2:
        return None
    negative = tokens[0].startswith("-")
    signed = ["-" if negative else "+", tokens[0][negative:], *tokens[1:]]
    entries: dict[int, int] = {}
    last = -1
    for sign, digits, name in zip(signed[::3], signed[1::3], signed[2::3], strict=True):
        k = rank.get(name, -1)
        if sign not in ("+", "-") or COEFFICIENT.fullmatch(digits) is None or k <= last:
            return None
        last = k
        entries[k] = int(digits) if sign == "+" else -int(digits)
    return entries


# ---- the function h ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class CellFunction:
    """h = values[cell] / denominator, 0 in cells that are not listed."""

    values: Mapping[Cell, int]
    denominator: int

    def at(self, cell: Cell) -> Fraction:
        """The value in a cell."""
        return Fraction(self.values.get(cell, 0), self.denominator)


def read_h(features: Sequence[Feature], corrector: Corrector) -> CellFunction:
    """**features** for h: every key is a cell, one value of each feature.

    Sound because h is then bounded, and constant on each cell.
    """
    denominator = common_denominator((value.denominator for value in corrector.h.values()), "h")
    spelled = [{str(value): value for value in range(f.low, f.high + 1)} for f in features]
    values: dict[Cell, int] = {}
    for key, value in corrector.h.items():
        parts = key.split(",") if key else []
        if len(parts) != len(spelled) or any(part not in known for part, known in zip(parts, spelled, strict=True)):
            raise Rejected("features", "h", key, "a cell: one value of each feature")
        cell = tuple(known[part] for part, known in zip(parts, spelled, strict=True))
        values[cell] = value.numerator * (denominator // value.denominator)
    return CellFunction(values, denominator)


def cell_name(cell: Cell) -> str:
    """A cell as it is written."""
    return ",".join(map(str, cell))

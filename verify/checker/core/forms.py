"""Linear forms, the pieces of functions, and the named normals (FORMAT.md sections 4 and 8)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import prod

from verify.checker.core.data import Explicit, Function
from verify.checker.core.errors import Rejected, require
from verify.checker.core.state import State
from verify.checker.core.work import Work, common_denominator, product

LESS, EQUAL, GREATER = 1, 2, 4  # signs; a set of signs is their sum
AT_MOST, AT_LEAST, ANY = LESS + EQUAL, EQUAL + GREATER, LESS + EQUAL + GREATER
MOST_PIECES = 1000
NORMAL_STEPS = 30  # of writing the name of a normal into a guard
INDEX = re.compile(r"0|[1-9][0-9]{0,5}")
DIFFERENCE = re.compile(r"([a-z]+)\((0|[1-9][0-9]{0,5}) - (0|[1-9][0-9]{0,5})\)")


# ---- forms ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Form:
    """The linear form sum_k entries[k] / denominator * x_k, k the number of a coordinate; integers only.

    (With Fractions as coefficients checking takes 1.5 to 2.4 times as long: trees, and faces of 24 buffers.)
    """

    denominator: int
    entries: Mapping[int, int]

    @cached_property
    def bits(self) -> int:
        """The length of its longest number."""
        return max((value.bit_length() for value in (self.denominator, *self.entries.values())), default=0)

    def dot(self, other: Form) -> Fraction:
        """The scalar product."""
        total = sum(value * self.entries.get(k, 0) for k, value in other.entries.items())
        return Fraction(total, self.denominator * other.denominator)


def form(weights: Mapping[int, Fraction]) -> Form:
    """The form with these coefficients."""
    scale = common_denominator(value.denominator for value in weights.values())
    return Form(scale, {k: value.numerator * (scale // value.denominator) for k, value in weights.items()})


def count(coordinates: Iterable[int]) -> Form:
    """The number of jobs at these coordinates."""
    return Form(1, dict.fromkeys(coordinates, 1))


def combine(terms: Sequence[tuple[Fraction, Form]], work: Work | None = None) -> Form:
    """The sum of factor * form over the terms; the steps are counted in `work`."""
    scale = common_denominator(factor.denominator * inner.denominator for factor, inner in terms)
    total: dict[int, int] = {}
    for factor, inner in terms:
        unit = factor.numerator * (scale // (factor.denominator * inner.denominator))
        if work is not None:
            work.spend(5 + len(inner.entries) * product(unit.bit_length(), inner.bits), "sums of forms")
        for k, value in inner.entries.items():
            total[k] = total.get(k, 0) + unit * value
    return Form(scale, total)


def minus(left: Form, right: Form) -> Form:
    """left - right."""
    return combine([(Fraction(1), left), (Fraction(-1), right)])


# ---- functions -----------------------------------------------------------------------------------------------------
def function_pieces(function: Function, state: State, which: str, signed: bool = False) -> tuple[Form, ...]:
    """**function**: the pieces, by number; `which` function is for messages; `signed`: weights may be negative.

    Sound because the conditions speak of V = max of exactly these forms; distinct, so that no normal is zero.
    """
    weights = _template(function, state, which) if isinstance(function, Explicit) else []
    if not isinstance(function, Explicit):
        index = {name: k for k, name in enumerate(state.names)}
        for number, piece in enumerate(function.pieces):
            for name, weight in piece.items():
                require(name in index, "function", f"{which}, piece {number}", name, "a buffer")
                right = weight > 0 or (signed and weight < 0)
                require(right, "function", f"{which}, piece {number}, weight of {name}", weight, "> 0")
            weights.append({index[name]: weight for name, weight in piece.items()})
    require(1 <= len(weights) <= MOST_PIECES, "function", f"{which}, pieces", len(weights), f"1..{MOST_PIECES}")
    seen: dict[frozenset[tuple[int, Fraction]], int] = {}
    for number, found in enumerate(weights):
        require(bool(found), "function", f"{which}, piece {number}", "no weight", "one at least")
        earlier = seen.setdefault(frozenset(found.items()), number)
        require(earlier == number, "function", f"{which}, piece {number}", f"equal to piece {earlier}", "distinct")
    return tuple(form(found) for found in weights)


def _template(function: Explicit, state: State, which: str) -> list[dict[int, Fraction]]:
    """The explicit template: a piece for every choice of a depth on each route, not all 0 (theory 3.2).

    No two of them are equal: all parameters are positive, so a piece's support shows its depths.
    """
    require(bool(state.routes), "function", which, "the explicit template", "pieces (no route expansion)")
    spans = [span for routes in state.routes for span in routes]
    lengths = {
        "alpha": max(len(span) for span in spans),
        "beta": max(len(routes) for routes in state.routes),
        "gamma": len(state.routes),
    }
    for parameter, values in (("alpha", function.alpha), ("beta", function.beta), ("gamma", function.gamma)):
        require(len(values) == lengths[parameter], "function", f"{which}, {parameter}", values, lengths[parameter])
        require(all(value > 0 for value in values), "function", f"{which}, {parameter}", values, "> 0")
    number = prod(len(span) + 1 for span in spans) - 1
    require(number <= MOST_PIECES, "function", f"{which}, pieces", number, f"1..{MOST_PIECES}")
    choices = itertools.product(*(range(len(span) + 1) for span in spans))
    return [_template_piece(function, state, depths) for depths in choices if any(depths)]


def _template_piece(function: Explicit, state: State, depths: Sequence[int]) -> dict[int, Fraction]:
    """gamma_m * beta_n * alpha_d on the first d positions of each route with depth d > 0."""
    depth = iter(depths)
    chosen = [[(span, next(depth)) for span in routes] for routes in state.routes]
    used = [[(span, d) for span, d in routes if d > 0] for routes in chosen]
    gamma = function.gamma[sum(1 for routes in used if routes) - 1]
    piece: dict[int, Fraction] = {}
    for routes in used:
        for span, d in routes:
            piece.update(dict.fromkeys(span[:d], gamma * function.beta[len(routes) - 1] * function.alpha[d - 1]))
    return piece


def dominance_pieces(function: Function, state: State) -> tuple[Form, ...]:
    """**function** for a dominance function: its pieces are moreover positive on an initial segment of each route.

    Sound because only then the bottlenecks (section 8.6) are what the policy serves.
    """
    pieces = function_pieces(function, state, "dominance function")
    for number, piece in enumerate(pieces):
        for span in (span for routes in state.routes for span in routes):
            for before, after in itertools.pairwise(span):
                gap = after in piece.entries and before not in piece.entries
                require(not gap, "function", f"dominance function, piece {number}", state.names[after], "a prefix")
    return pieces


# ---- normals and facts ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Fact:
    """The named normal has one of these signs.

    spare: on integer points x_k = 0 is read as x_k <= spare (section 6); its closed cone is the same. slack: by so much
    another fact may fail on integer points, for the same reason (section 20.3). uniform: the normal compares options of a
    routing decision, whose ties are split uniformly (section 7).
    """

    normal: str
    signs: int
    spare: int = 0
    slack: Fraction = Fraction(0)
    uniform: bool = field(default=False, compare=False)


@dataclass
class Normals:
    """All normals that occur, by name: coordinates, rows of guards, differences of pieces (section 8: no name has two).

    work: what listing and subtracting them costs is counted there. word, pieces: V, whose differences are normals of this
    word; they are listed when they are asked for.
    """

    work: Work = field(default_factory=Work)
    named: dict[str, tuple[Form, Form]] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)
    word: str = ""
    pieces: Sequence[Form] = ()

    def add(self, name: str, first: Form, second: Form) -> None:
        """The normal first - second."""
        self.work.spend(NORMAL_STEPS, "rows of guards, differences of pieces")
        self.named.setdefault(name, (first, second))

    def occurs(self, name: str) -> bool:
        """Whether there is a normal of this name."""
        match = DIFFERENCE.fullmatch(name)
        if name not in self.named and match is not None and match[1] == self.word:
            i, j = int(match[2]), int(match[3])
            if i < j < len(self.pieces):
                self.add(name, self.pieces[i], self.pieces[j])
        return name in self.named

    def get(self, name: str) -> Form:
        """The form of a normal that occurs."""
        if name not in self.forms:
            first, second = self.named[name]
            self.forms[name] = combine([(Fraction(1), first), (Fraction(-1), second)], self.work)
        return self.forms[name]


@dataclass(frozen=True)
class Family:
    """Normals that compare members of one list: `prefix` + label + ` - ` + label + `)`, the earlier member first.

    uniform: the members are options of a routing decision.
    """

    prefix: str
    labels: Sequence[str]
    members: Sequence[Form]
    normals: Normals
    uniform: bool = False

    def at_least(self, i: int, j: int, slack: Fraction = Fraction(0)) -> Fact:
        """The closed fact: member i >= member j; on integer points member i >= member j - slack."""
        first, second = min(i, j), max(i, j)
        name = f"{self.prefix}{self.labels[first]} - {self.labels[second]})"
        self.normals.add(name, self.members[first], self.members[second])
        return Fact(name, AT_LEAST if i < j else AT_MOST, slack=slack, uniform=self.uniform)


def piece_family(word: str, pieces: Sequence[Form], normals: Normals) -> Family:
    """The normals w_i x - w_j x, called by `word`."""
    return Family(f"{word}(", [str(i) for i in range(len(pieces))], pieces, normals)


def piece_number(key: str, pieces: int, rule: str, where: str) -> int:
    """The number of a piece written as a key."""
    if INDEX.fullmatch(key) is None or int(key) >= pieces:
        raise Rejected(rule, where, key, f"a piece, 0..{pieces - 1}")
    return int(key)

"""Exclusions, bounds, case trees and faces (FORMAT.md sections 10 to 12): the rules on the evidence of F and S.

A situation is a set of points x >= 0, x != 0: the signs each normal may have, and the names of the branches and
alternatives whose closed guards are known to miss it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Protocol

from verify.checker.core.components import Alternative, Branch, Component, Part
from verify.checker.core.data import Corrector, DriftProof, Empty, Exclusion, Face, Leaf, Node, Numbers, Split
from verify.checker.core.errors import Rejected, require, show
from verify.checker.core.forms import ANY, AT_LEAST, AT_MOST, EQUAL, GREATER, LESS, Fact, Form, combine, count
from verify.checker.core.model import Model
from verify.checker.core.policy import Groups
from verify.checker.core.work import Work, product, reduction

FLUID_SIGNS = {"<": LESS, "=": EQUAL, ">": GREATER}
STRICT_SIGNS = {"<=": AT_MOST, ">=": AT_LEAST}


@dataclass(frozen=True)
class Situation:
    """Where we are in a piece's evidence; `signs` of a normal without a fact are ANY."""

    where: str
    piece: int
    signs: Mapping[str, int]
    excluded: frozenset[str] = frozenset()

    def contradicts(self, guard: Iterable[Fact]) -> bool:
        """Whether a guard allows a normal no sign that the situation allows: then no evidence is needed."""
        known = self.signs.get
        for fact in guard:  # noqa: SIM110 (the inner loop of the checker, twice as fast as any())
            if not known(fact.normal, ANY) & fact.signs:
                return True
        return False

    def misses(self, item: Branch | Alternative) -> bool:
        """Whether a branch or alternative is excluded here."""
        return item.name in self.excluded or self.contradicts(item.guard)

    def with_guard(self, guard: Iterable[Fact]) -> dict[str, int]:
        """The signs together with those of a guard."""
        signs = dict(self.signs)
        for fact in guard:
            signs[fact.normal] = signs.get(fact.normal, ANY) & fact.signs
        return signs


CellBound = Callable[[Model, Situation, Form, Corrector], Fraction]


# ---- section 10: exclusion -----------------------------------------------------------------------------------------
def check_exclusion(model: Model, signs: Mapping[str, int], evidence: Exclusion, where: str) -> None:
    """The evidence shows that no x >= 0, x != 0, has these signs.

    Sound: for such an x every y_g g(x) >= 0, so 0 >= kappa |x| + sum y_g g(x) >= 0 by **exclusion**, all terms are 0;
    but kappa > 0 or a strict term > 0 by **exclusion-strict**.
    """
    _check_multipliers(signs, evidence, where)
    everything = count(range(len(model.state.names)))
    terms = [(y, model.normals.get(name)) for name, y in evidence.multipliers.items()]
    total = combine([(evidence.kappa, everything), *terms], model.work)
    for k, value in total.entries.items():
        if value > 0:
            at = f"{where}, coordinate {model.state.names[k]}"
            raise Rejected("exclusion", at, Fraction(value, total.denominator), "<= 0")
    strict = any(signs[name] in (LESS, GREATER) for name, y in evidence.multipliers.items() if y)
    require(evidence.kappa > 0 or strict, "exclusion-strict", where, "kappa = 0, no y on < or >", "> 0 in all")


def _check_multipliers(signs: Mapping[str, int], evidence: Exclusion, where: str) -> None:
    """**exclusion-multiplier**: kappa >= 0; y only on normals with a fact, of the sign that makes y g(x) >= 0.

    Sound because a normal that may be negative cannot be used as if it were not.
    """
    require(evidence.kappa >= 0, "exclusion-multiplier", f"{where}, kappa", evidence.kappa, ">= 0")
    for name, y in evidence.multipliers.items():
        allowed = signs.get(name, ANY)
        if allowed & (LESS if y > 0 else GREATER):
            raise Rejected("exclusion-multiplier", f"{where}, {show(name)}", y, f"its signs {show_signs(allowed)}")


def show_signs(signs: int) -> str:
    """A set of signs in words."""
    return "{" + ", ".join(sign for sign, bit in FLUID_SIGNS.items() if signs & bit) + "}"


# ---- section 11: leaves --------------------------------------------------------------------------------------------
def corrected_gradient(model: Model, here: Situation, eta: Numbers) -> Form:
    """**eta**: w = w_i + sum eta_g g, g only normals whose sign here is exactly {=}.

    Sound because a fluid path has g(x') = 0 for almost every time at which g(x) = 0 (theory 5.2).
    """
    terms = [(Fraction(1), model.pieces[here.piece])]
    for name, value in eta.items():
        signs = here.signs.get(name, ANY)
        if signs != EQUAL:
            raise Rejected("eta", f"{here.where}, {show(name)}", show_signs(signs), "{=}")
        terms.append((value, model.normals.get(name)))
    return combine(terms, model.work)


def drift_bound(model: Model, here: Situation, gradient: Form) -> Fraction:
    """The sum over components of the largest w.d of what the component may do here.

    Sound because x' is a sum of convex combinations, over each component, of the drifts of alternatives whose closed
    guards contain x; under `dominant` all parts follow one branch.
    """
    total, values = 0, drift_values(model, gradient)
    for component in model.components:
        branches = possible_branches(model, here, component)
        total += max(sum(part_bound(model, here, part, branch, values) for part in branch.parts) for branch in branches)
    return Fraction(total, gradient.denominator * model.denominator)


def drift_values(model: Model, gradient: Form) -> list[int]:
    """w.d for each of the model's drifts, times the denominators of gradient and model."""
    bits = gradient.bits
    numbers = sum(len(drift.entries) + 1 for drift in model.drifts)
    model.work.spend(numbers * product(bits, model.rate_bits) + reduction(bits, model.rate_bits), "bounds of leaves")
    return [_integer_dot(gradient, drift) for drift in model.drifts]


def possible_branches(model: Model, here: Situation, component: Component) -> list[Branch]:
    """The branches of a component that are not excluded: one at least (**no-alternative**)."""
    model.work.spend(sum(len(branch.guard) + 2 for branch in component.branches), "branches at leaves")
    branches = [branch for branch in component.branches if not here.misses(branch)]
    require(bool(branches), "no-alternative", f"{here.where}, {component.name}", "all excluded", "one left")
    return branches


def part_bound(model: Model, here: Situation, part: Part, branch: Branch, values: Sequence[int]) -> int:
    """The largest of the `values` of what a part may do here: one alternative at least (**no-alternative**)."""
    found: list[int] = []
    steps = 0
    for option in part.alternatives:
        steps += len(option.guard) + 3
        if not here.misses(option):
            found.append(values[option.drift])
    model.work.spend(steps, "alternatives at leaves")
    if not found:
        name = f"{branch.name} {part.alternatives[0].name}".strip()
        raise Rejected("no-alternative", f"{here.where}, part of {name}", "all excluded", "one left")
    return max(found)


def _integer_dot(gradient: Form, drift: Form) -> int:
    """w.d up to the common denominator of gradient and model, which is the same for all alternatives.

    (With a Fraction for each drift checking takes 1.2 to 1.4 times as long.)
    """
    entries = gradient.entries
    return sum(entries.get(k, 0) * rate for k, rate in drift.entries.items())


class LeafJudge(Protocol):
    """Judges the leaves of trees."""

    @property
    def model(self) -> Model:
        """Of which the trees speak."""

    def check_leaf(self, here: Situation, leaf: Leaf) -> Fraction:
        """The rules of a leaf at the end of its path. Returns its margin."""


@dataclass(frozen=True)
class Judge:
    """What all leaves of F and S are judged by: the model, the claimed epsilon, and the bound of a leaf with a corrector.

    in_cells: the largest drift of gradient.x + h over all cells, by what is not excluded in the situation (section 16).
    """

    model: Model
    epsilon: Fraction
    in_cells: CellBound

    def check_leaf(self, here: Situation, leaf: Leaf) -> Fraction:
        """**bound**: minus the bound of a leaf is at least the claimed epsilon. Returns it, for rule **epsilon**.

        Sound because V then falls at rate epsilon at every point of the leaf.
        """
        gradient = corrected_gradient(self.model, here, leaf.eta)
        bound = drift_bound(self.model, here, gradient)
        if leaf.corrector is not None:
            bound = self.in_cells(self.model, here, gradient, leaf.corrector)
        require(-bound >= self.epsilon, "bound", here.where, -bound, f">= {show(self.epsilon)}")
        return -bound


def has_corrector(proof: DriftProof) -> bool:
    """Whether some leaf of the trees has a corrector, so that the proof looks at single jobs and not only at a fluid."""
    stack = list(proof.trees or ())
    while stack:
        node = stack.pop()
        if isinstance(node, Leaf) and node.corrector is not None:
            return True
        if isinstance(node, Split):
            stack += node.children.values()
    return False


# ---- section 11: trees ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Named:
    """A branch, or an alternative with its branch, that a node may exclude by name."""

    branch: Branch
    option: Alternative | None = None

    def guard(self) -> tuple[Fact, ...]:
        """The full guard: an alternative's is taken together with its branch's."""
        return self.branch.guard if self.option is None else self.branch.guard + self.option.guard

    def missed(self, here: Situation, also: Mapping[str, object]) -> bool:
        """Whether it is excluded here, itself or with its branch; `also` names more excluded branches."""
        if self.option is None:
            return here.misses(self.branch)
        return self.branch.name in also or here.misses(self.branch) or here.misses(self.option)


def named_items(model: Model) -> dict[str, Named]:
    """Branches and alternatives by name."""
    found: dict[str, Named] = {}
    for branch in (branch for component in model.components for branch in component.branches):
        if branch.name:
            found[branch.name] = Named(branch)
        found |= {option.name: Named(branch, option) for part in branch.parts for option in part.alternatives}
    return found


def check_tree(
    judge: LeafJudge, names: Mapping[str, Named], piece: int, root: Node, signs: Mapping[str, int]
) -> list[Fraction]:
    """One tree: every point where the piece is active is in an empty node or a leaf. Returns the margins of the leaves.

    Parameters: `names` from `named_items`; `signs` is FLUID_SIGNS or STRICT_SIGNS, which also says the condition.
    """
    model, margins = judge.model, list[Fraction]()
    start = Situation(f"tree {piece}", piece, model.root_signs(piece))
    stack = [Child(root, start, start.where)]
    while stack:
        child = stack.pop()
        node, here = child.node, _apply_exclusions(model, names, child.node, child.situation(model.work))
        if isinstance(node, Empty):
            check_exclusion(model, here.signs, node.evidence, f"{here.where}, empty")
        elif isinstance(node, Leaf):
            if signs is STRICT_SIGNS:
                require(not node.eta, "eta", here.where, node.eta, "no eta under condition S")
            margins.append(judge.check_leaf(here, node))
        else:
            stack += _children(model, node, here, signs)
    return margins


@dataclass(frozen=True)
class Child:
    """A node that waits: its place, and what it adds to its parent's situation (`normal` is empty for a root)."""

    node: Node
    parent: Situation
    where: str
    normal: str = ""
    sign: int = 0

    def situation(self, work: Work) -> Situation:
        """The situation at the node, before its exclusions."""
        above = self.parent
        work.spend(20 + len(above.signs) // 4, "nodes")
        if not self.normal:
            return above
        return Situation(self.where, above.piece, {**above.signs, self.normal: self.sign}, above.excluded)


def _children(model: Model, node: Split, here: Situation, signs: Mapping[str, int]) -> list[Child]:
    """**normal**: a split is on a coordinate, a row of a guard or a piece difference that has two signs at least.
    **children**: one child for each sign that is possible here.

    Sound because then every point of the node is in some child.
    """
    require(model.normals.occurs(node.normal), "normal", here.where, node.normal, "a coordinate, guard row or piece")
    possible = here.signs.get(node.normal, ANY)
    several = possible not in (LESS, EQUAL, GREATER)
    require(several, "normal", f"{here.where}, {node.normal}", show_signs(possible), "two signs at least")
    wanted = {sign: possible & bits for sign, bits in signs.items() if possible & bits}
    require(set(node.children) == set(wanted), "children", here.where, set(node.children), set(wanted))
    where = f"{here.where} {node.normal}"
    return [Child(node.children[sign], here, f"{where}{sign}", node.normal, bits) for sign, bits in wanted.items()]


def _apply_exclusions(model: Model, names: Mapping[str, Named], node: Node, here: Situation) -> Situation:
    """**exclude-name**: the node excludes branches and alternatives that exist and are not excluded yet.

    Sound because the guards of an excluded alternative, with the facts here, hold nowhere; below there are more facts.
    """
    if not node.exclude:
        return here
    model.work.spend(len(here.excluded), "exclusions")
    for name, evidence in node.exclude.items():
        where = f"{here.where}, exclude {show(name)}"
        if name not in names or names[name].missed(here, node.exclude):
            raise Rejected("exclude-name", where, name, "a branch or alternative not excluded yet")
        guard = names[name].guard()
        model.work.spend(20 + len(here.signs) // 4 + 2 * len(guard), "exclusions")
        check_exclusion(model, here.with_guard(guard), evidence, where)
    return Situation(here.where, here.piece, here.signs, here.excluded | set(node.exclude))


# ---- section 12: faces ---------------------------------------------------------------------------------------------
def check_faces(judge: Judge, groups: Groups, piece: int, faces: Sequence[Face]) -> list[Fraction]:
    """**faces-complete**: every choice of a highest busy group, or idle, for each server, except all idle, once.

    Sound by the reduction of theory 5.9: any x has the alternatives, and more zeros, of the point near it in
    which all lower groups are busy too. A face is a leaf (or an empty node) whose facts are its busy and empty buffers.
    """
    model = judge.model
    active = model.root_signs(piece)
    number = prod(len(levels) + 1 for levels in groups.values()) - 1
    require(len(faces) == number, "faces-complete", f"faces of piece {piece}", len(faces), number)
    missing = set(itertools.product(*(range(len(levels) + 1) for levels in groups.values())))
    missing.discard(tuple(len(levels) for levels in groups.values()))
    margins: list[Fraction] = []
    first = {s: {model.state.names[level[0]]: i for i, level in enumerate(levels)} for s, levels in groups.items()}
    for number, face in enumerate(faces):
        where = f"piece {piece}, face {number}"
        model.work.spend(20 + len(groups) + 3 * len(model.state.names) + len(active) // 4, "faces")
        choice = _face_choice(first, face, where)
        require(choice in missing, "faces-complete", where, dict(face.busy), "a face not all idle, not listed before")
        missing.discard(choice)
        here = Situation(where, piece, active | _face_signs(model, groups, choice))
        if isinstance(face.evidence, Empty):
            check_exclusion(model, here.signs, face.evidence.evidence, f"{where}, empty")
        else:
            margins.append(judge.check_leaf(here, _leaf_of_face(face.evidence)))
    return margins


def _face_choice(first: Mapping[str, Mapping[str, int]], face: Face, where: str) -> tuple[int, ...]:
    """The number of the highest busy group of each server; the number of groups where it is idle.

    Parameters: `first` has for each server the number of each group by the group's first buffer.
    """
    for server, buffer in face.busy.items():
        require(server in first, "faces-complete", where, server, "a server with buffers")
        right = buffer in first[server]
        require(right, "faces-complete", f"{where}, server {server}", buffer, "the first buffer of a group")
    return tuple(groups[face.busy[server]] if server in face.busy else len(groups) for server, groups in first.items())


def _face_signs(model: Model, groups: Groups, choice: tuple[int, ...]) -> dict[str, int]:
    """x_k > 0 in the highest busy group and all lower ones, x_k = 0 elsewhere."""
    signs: dict[str, int] = {}
    for levels, highest in zip(groups.values(), choice, strict=True):
        for number, level in enumerate(levels):
            for k in level:
                signs[f"x({model.state.names[k]})"] = GREATER if number >= highest else EQUAL
    return signs


def _leaf_of_face(leaf: Leaf) -> Leaf:
    """A face names empty buffers; the normals are the coordinates. (Unknown ones fail rule **eta**.)"""
    return Leaf({f"x({name})": value for name, value in leaf.eta.items()})

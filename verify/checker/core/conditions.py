"""Conditions N, F and S (FORMAT.md sections 9 and 13): the rules that a proof must satisfy, one function each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from verify.checker.core.data import CapacityProof, Claim, DriftProof, Emptying, Numbers
from verify.checker.core.errors import Rejected, require
from verify.checker.core.evidence import (
    FLUID_SIGNS,
    STRICT_SIGNS,
    CellBound,
    Judge,
    LeafJudge,
    check_faces,
    check_tree,
    has_corrector,
    named_items,
)
from verify.checker.core.forms import GREATER, LESS, Fact, Form, combine, count, form, piece_number
from verify.checker.core.model import Model
from verify.checker.core.policy import Policy
from verify.checker.core.state import State
from verify.checker.core.work import Work, bits_of, common_denominator, exact_sum, product, reduction


# ---- N -------------------------------------------------------------------------------------------------------------
def check_capacity(state: State, policy: Policy, claim: Claim, proof: CapacityProof, work: Work) -> None:
    """Condition N: the workload sum v_k x_k has drift >= load - sum y_n >= 0 in every state, whatever is served."""
    check_prices(state, proof)
    workload = workload_of(state, proof.potentials, "N-activity", "potentials")
    check_activities(state, proof.prices, workload, "N-activity", "", work)
    check_load(state, policy, claim, workload, work)


def check_prices(state: State, proof: CapacityProof) -> None:
    """**N-prices**: y >= 0, sum 1, listed servers.

    Sound because the servers then take off at most sum y_n = 1 of the workload's drift.
    """
    for server, price in proof.prices.items():
        require(server in state.server_rank, "N-prices", "prices", server, state.servers)
        require(price > 0, "N-prices", f"price of server {server}", price, ">= 0")
    total = exact_sum(proof.prices.values(), "prices")
    require(total == 1, "N-prices", "sum of prices", total, 1)


def workload_of(state: State, potentials: Numbers, rule: str, where: str) -> Form:
    """The workload sum v_k x_k; the potentials are of buffers (**N-activity**, or the `rule` that is named)."""
    for name in potentials:
        require(name in state.index, rule, where, name, "a buffer")
    return form({state.index[name]: value for name, value in potentials.items()})


def check_activities(state: State, prices: Numbers, workload: Form, rule: str, where: str, work: Work) -> None:
    """**N-activity**, or the `rule` that is named: rate (v_k - v_next) <= y_n for every activity and possible destination.

    Sound because server n then lowers the workload at rate y_n at most, serving what it likes. `where` begins the place.
    """
    for service in state.services:
        price = prices.get(service.server, Fraction(0))
        for destination in service.destinations:
            reached = [(o.probability, o.target) for o in destination.outcomes if o.target is not None]
            leaving = combine([(Fraction(1), count([service.buffer])), *((-p, count([k])) for p, k in reached)])
            steps = 50 + len(leaving.entries) * product(workload.bits, leaving.bits)
            work.spend(steps + reduction(workload.bits, leaving.bits + bits_of(service.rate)), "activities")
            fall = service.rate * workload.dot(leaving)
            targets = [state.names[o.target] if o.target is not None else "exit" for o in destination.outcomes]
            at = f"{where}server {service.server}, {state.names[service.buffer]} to {' or '.join(targets)}"
            require(fall <= price, rule, at, fall, price)


def check_load(state: State, policy: Policy, claim: Claim, workload: Form, work: Work) -> None:
    """**N-load**: the claimed load is the least rate at which arrivals raise the workload, and at least 1.

    Sound because the workload then never falls in mean and rises when all is idle: no stationary law.
    """
    work.spend(sum(len(s.entries) + reduction(workload.bits, workload.bits) for s in state.streams), "arrivals")
    arrivals = [(stream.rate, policy.entry_value(stream, workload)) for stream in state.streams]
    common_denominator(rate.denominator for rate, _ in arrivals)
    common_denominator(value.denominator for _, value in arrivals)
    load = sum((rate * value for rate, value in arrivals), Fraction(0))
    require(claim.value == load, "N-load", "claim.load", claim.value, load)
    require(load >= 1, "N-load", "load", load, ">= 1")


# ---- F and S -------------------------------------------------------------------------------------------------------
def check_drift(model: Model, policy: Policy, claim: Claim, proof: DriftProof, in_cells: CellBound) -> None:
    """Conditions F and S: V >= c|x|, the walk can reach 0, and V falls at rate epsilon (theory 5).

    Parameters: `in_cells` bounds leaves with a corrector.
    """
    if has_corrector(proof):
        policy.check_cells(model.state, "a leaf with a corrector")
    check_zero(model, proof)
    check_emptying(model, proof.emptying)
    judge, by_faces = Judge(model, claim.value, in_cells), proof.faces is not None
    signs = FLUID_SIGNS if claim.condition == "fluid" else STRICT_SIGNS
    margins = _check_all_faces(judge, policy, proof) if by_faces else check_trees(judge, proof, signs)
    check_epsilon(claim, margins)


def check_zero(model: Model, proof: DriftProof) -> None:
    """**zero**: a convex combination of the pieces has every coefficient >= c > 0, c its least.

    Sound because then V(x) >= c|x|: V falling means that the number of jobs falls.
    """
    terms = []
    for key, weight in proof.theta.items():
        piece = model.pieces[piece_number(key, len(model.pieces), "zero", "theta")]
        require(weight >= 0, "zero", f"theta {key}", weight, ">= 0")
        terms.append((weight, piece))
    total = exact_sum(proof.theta.values(), "theta")
    require(total == 1, "zero", "sum of theta", total, 1)
    mean = combine(terms, model.work)
    least = Fraction(min(mean.entries.get(k, 0) for k in range(len(model.state.names))), mean.denominator)
    require(proof.c == least, "zero", "c", proof.c, least)
    require(least > 0, "zero", "c", least, "> 0")


def check_emptying(model: Model, emptying: Emptying) -> None:
    """(R): **R-potential**, **R-work**."""
    check_potential(model, emptying.potential)
    if emptying.heights is None:
        phi = [emptying.potential[name] for name in model.state.names]
        check_work(model, lambda k, entries, sign: positive_at_lowest(k, entries, sign, phi))
    else:
        heights = check_heights(model, emptying.heights)
        check_work(model, lambda k, entries, sign: positive_at_highest(k, entries, sign, heights))


def check_heights(model: Model, heights: Mapping[str, Fraction]) -> list[Fraction]:
    """**R-work**, where heights are given: u > 0 for every buffer."""
    require(set(heights) == set(model.state.names), "R-work", "heights", set(heights), set(model.state.names))
    for name, value in heights.items():
        require(value > 0, "R-work", f"height of {name}", value, "> 0")
    common_denominator(value.denominator for value in heights.values())
    model.work.spend(sum(product(bits_of(value), 64) for value in heights.values()), "heights")
    return [heights[name] for name in model.state.names]


def check_potential(model: Model, potential: Mapping[str, Fraction]) -> None:
    """**R-potential**: phi > 0, and whatever is served may next be where phi is smaller, or outside.

    Sound because finitely many services of positive probability then bring a state to 0, if work is always done.
    """
    require(set(potential) == set(model.state.names), "R-potential", "buffers", set(potential), set(model.state.names))
    for name, value in potential.items():
        require(value > 0, "R-potential", name, value, "> 0")
    phi = [potential[name] for name in model.state.names]
    for option in (option for option in model.alternatives() if option.serves is not None):
        lowest = min(Fraction(0) if target is None else phi[target] for target in option.targets)
        own = phi[option.serves or 0]
        require(lowest < own, "R-potential", option.name, lowest, f"< {own}")


Positive = Callable[[int, Mapping[int, int], int], bool]
"""Whether sign * (form with these entries) is positive wherever buffer k is singled out."""


def check_work(model: Model, positive: Positive) -> None:
    """**R-work**: for every buffer k some server of k works on something in the states in which k is singled out: x_k >= 1, and
    all lower buffers are empty, or no other one is higher.

    Sound because in a non-empty state some k is singled out: there work is being done (also if its server passes over it, as
    then its jobs are with other servers).
    """
    idling = _idling(model)
    for k, name in enumerate(model.state.names):
        servers = {service.server for service in model.state.services_at(k)}
        working = any(
            all(_fails(model, facts.get(k, []), k, positive) for facts in idling[server]) for server in servers
        )
        require(working, "R-work", f"buffer {name}", "every server may idle", "one that works")


Facts = dict[int, list[Fact]]  # for each buffer the facts about normals that have it


def _idling(model: Model) -> dict[str, list[Facts]]:
    """For each server its alternatives that serve nothing, by their guards. (Where one serves, x >= 1: work is done.)"""
    found: dict[str, list[Facts]] = {server: [] for server in model.state.busy_servers()}
    for part in (part for component in model.components for branch in component.branches for part in branch.parts):
        for option in (option for option in part.alternatives if part.server and option.serves is None):
            facts: Facts = {}
            for fact in option.guard:
                entries = model.normals.get(fact.normal).entries
                model.work.spend(5 + len(entries), "rule R-work")
                for k in entries:
                    facts.setdefault(k, []).append(fact)
            found[part.server].append(facts)
    return found


def _fails(model: Model, facts: Iterable[Fact], k: int, positive: Positive) -> bool:
    """Whether one of the facts, g <= 0 or -g <= 0, is false where k is singled out."""
    for fact in facts:
        entries = model.normals.get(fact.normal).entries
        model.work.spend(10 + 5 * len(entries), "rule R-work")
        for forbidden, sign in ((GREATER, 1), (LESS, -1)):
            if not fact.signs & forbidden and positive(k, entries, sign):
                return True
    return False


def positive_at_lowest(k: int, entries: Mapping[int, int], sign: int, phi: Sequence[Fraction]) -> bool:
    """Whether the form is positive wherever x_k >= 1 and x_j = 0 for the j with phi_j < phi_k.

    Sound because no term is negative there and that of k is positive.
    """
    rest = (value for j, value in entries.items() if phi[j] >= phi[k])
    return sign * entries[k] > 0 and all(sign * value >= 0 for value in rest)


def positive_at_highest(k: int, entries: Mapping[int, int], sign: int, heights: Sequence[Fraction]) -> bool:
    """Whether the form is positive wherever x_k >= 1 and x_j / u_j <= x_k / u_k for all j.

    Sound because negative terms are then at least g_j u_j (x_k / u_k), others of j != k at least 0.
    """
    own = sign * entries[k] * heights[k]
    return own + sum(sign * value * heights[j] for j, value in entries.items() if j != k and sign * value < 0) > 0


def check_trees(judge: LeafJudge, proof: DriftProof, signs: Mapping[str, int]) -> list[Fraction]:
    """**trees**: one tree for each piece.

    Sound because at every x some piece is active, and its tree covers all points where it is.
    """
    names, trees, pieces = named_items(judge.model), proof.trees or (), len(judge.model.pieces)
    require(len(trees) == pieces, "trees", "evidence", len(trees), pieces)
    return [m for i, root in enumerate(trees) for m in check_tree(judge, names, i, root, signs)]


def _check_all_faces(judge: Judge, policy: Policy, proof: DriftProof) -> list[Fraction]:
    """**faces-policy**, and **trees** for faces: one list of faces for each piece."""
    groups = policy.check_faces(judge.model.state)
    lists, pieces = proof.faces or (), len(judge.model.pieces)
    require(len(lists) == pieces, "trees", "evidence", len(lists), pieces)
    return [m for i, faces in enumerate(lists) for m in check_faces(judge, groups, i, faces)]


def check_epsilon(claim: Claim, margins: list[Fraction]) -> None:
    """**epsilon**: the claimed epsilon is the least margin of all leaves (faces), and positive.

    Sound because every non-empty node has that margin; the claim says neither more nor less than was proved.
    """
    if not margins:
        raise Rejected("epsilon", "evidence", "no leaf", "one at least")
    require(claim.value == min(margins), "epsilon", "claim.epsilon", claim.value, min(margins))
    require(claim.value > 0, "epsilon", "claim.epsilon", claim.value, "> 0")

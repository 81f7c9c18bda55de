"""Conditions N, F and S (FORMAT.md section 7): the rules that a proof must satisfy, one function each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from verify.checker.components import Alternative
from verify.checker.data import CapacityProof, Claim, DriftProof, Policy
from verify.checker.errors import Rejected, require
from verify.checker.evidence import FLUID_SIGNS, STRICT_SIGNS, check_faces, check_tree, has_corrector, named_items
from verify.checker.forms import GREATER, LESS, Fact, combine, piece_number
from verify.checker.model import Model
from verify.checker.sharing import require_cells_admit
from verify.checker.state import State, Stream


# ---- N -------------------------------------------------------------------------------------------------------------
def check_capacity(state: State, policy: Policy, claim: Claim, proof: CapacityProof) -> None:
    """Condition N: the workload sum v_k x_k has drift >= load - sum y_n >= 0 in every state, whatever is served."""
    check_prices(state, proof)
    check_activities(state, proof)
    check_load(state, policy, claim, proof)


def check_prices(state: State, proof: CapacityProof) -> None:
    """**N-prices**: y >= 0, sum 1, listed servers.

    Sound because the servers then take off at most sum y_n = 1 of the workload's drift.
    """
    for server, price in proof.prices.items():
        require(server in state.servers, "N-prices", "prices", server, state.servers)
        require(price > 0, "N-prices", f"price of server {server}", price, ">= 0")
    total = sum(proof.prices.values(), Fraction(0))
    require(total == 1, "N-prices", "sum of prices", total, 1)


def check_activities(state: State, proof: CapacityProof) -> None:
    """**N-activity**: rate (v_k - v_next) <= y_n for every activity and every possible destination.

    Sound because server n then lowers the workload at rate y_n at most, serving what it likes.
    """
    for name in proof.potentials:
        require(name in state.names, "N-activity", "potentials", name, "a buffer")
    v = [proof.potentials.get(name, Fraction(0)) for name in state.names]
    for service in state.services:
        price = proof.prices.get(service.server, Fraction(0))
        for destination in service.destinations:
            reached = [(o.probability, o.target) for o in destination.outcomes if o.target is not None]
            after = sum((probability * v[target] for probability, target in reached), Fraction(0))
            fall = service.rate * (v[service.buffer] - after)
            targets = [state.names[o.target] if o.target is not None else "exit" for o in destination.outcomes]
            where = f"server {service.server}, {state.names[service.buffer]} to {' or '.join(targets)}"
            require(fall <= price, "N-activity", where, fall, price)


def check_load(state: State, policy: Policy, claim: Claim, proof: CapacityProof) -> None:
    """**N-load**: the claimed load is the least rate at which arrivals raise the workload, and at least 1.

    Sound because the workload then never falls in mean and rises when all is idle: no stationary law.
    """
    load = sum((stream.rate * _entry_value(state, policy, stream, proof) for stream in state.streams), Fraction(0))
    require(claim.value == load, "N-load", "claim.load", claim.value, load)
    require(load >= 1, "N-load", "load", load, ">= 1")


def _entry_value(state: State, policy: Policy, stream: Stream, proof: CapacityProof) -> Fraction:
    values = [proof.potentials.get(state.names[entry.buffer], Fraction(0)) for entry in stream.entries]
    if policy.routing == "bernoulli":
        pairs = zip(stream.entries, values, strict=True)
        return sum(((entry.probability or 0) * value for entry, value in pairs), Fraction(0))
    return min(values)


# ---- F and S -------------------------------------------------------------------------------------------------------
def check_drift(model: Model, policy: Policy, claim: Claim, proof: DriftProof) -> None:
    """Conditions F and S: V >= c|x|, the walk can reach 0, and V falls at rate epsilon (theory 5)."""
    if has_corrector(proof):
        require_cells_admit(model.state, policy, "a leaf with a corrector")
    check_zero(model, proof)
    check_potential(model, proof.potential)
    check_work(model, proof.potential)
    by_faces = proof.faces is not None
    margins = _check_all_faces(model, policy, claim, proof) if by_faces else _check_all_trees(model, claim, proof)
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
    total = sum(proof.theta.values(), Fraction(0))
    require(total == 1, "zero", "sum of theta", total, 1)
    mean = combine(terms)
    least = Fraction(min(mean.entries.get(k, 0) for k in range(len(model.state.names))), mean.denominator)
    require(proof.c == least, "zero", "c", proof.c, least)
    require(least > 0, "zero", "c", least, "> 0")


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


def check_work(model: Model, potential: Mapping[str, Fraction]) -> None:
    """**R-work**: for every buffer k some server of k works on something while x_k >= 1 and all lower ones are empty.

    Sound because in a non-empty state some k is not empty and has the least phi of those: there work is being done (also
    if its server passes over it, as then its jobs are with other servers).
    """
    phi = [potential[name] for name in model.state.names]
    for k, name in enumerate(model.state.names):
        lower = {j for j in range(len(phi)) if phi[j] < phi[k]}
        servers = {service.server for service in model.state.services if service.buffer == k}
        working = any(all(_works(model, option, k, lower) for option in _options_of(model, n)) for n in servers)
        require(working, "R-work", f"buffer {name}", "every server may idle", "one that works")


def _options_of(model: Model, server: str) -> list[Alternative]:
    branches = [branch for component in model.components for branch in component.branches]
    parts = [part for branch in branches for part in branch.parts if part.server == server]
    return [option for part in parts for option in part.alternatives]


def _works(model: Model, option: Alternative, k: int, lower: set[int]) -> bool:
    """Whether an alternative serves (then x >= 1 there), or cannot be taken where x_k >= 1 and the lower ones are empty."""
    return option.serves is not None or any(_fails(model, fact, k, lower) for fact in option.guard)


def _fails(model: Model, fact: Fact, k: int, lower: set[int]) -> bool:
    """Whether a fact is false wherever x_k >= 1 and x_j = 0 for the lower j.

    Sound because g <= 0 (or -g <= 0) is then false: no term of g (of -g) is negative there and that of k is positive.
    """
    entries = model.normals.get(fact.normal).entries
    for forbidden, sign in ((GREATER, 1), (LESS, -1)):
        rest = [sign * value for j, value in entries.items() if j not in lower]
        if not fact.signs & forbidden and min(rest, default=0) >= 0 and sign * entries.get(k, 0) > 0:
            return True
    return False


def _check_all_trees(model: Model, claim: Claim, proof: DriftProof) -> list[Fraction]:
    """**trees**: one tree for each piece.

    Sound because at every x some piece is active, and its tree covers all points where it is.
    """
    names = named_items(model)
    trees = proof.trees or ()
    require(len(trees) == len(model.pieces), "trees", "evidence", len(trees), len(model.pieces))
    signs = FLUID_SIGNS if claim.condition == "fluid" else STRICT_SIGNS
    return [m for i, root in enumerate(trees) for m in check_tree(model, names, i, root, signs, claim.value)]


def _check_all_faces(model: Model, policy: Policy, claim: Claim, proof: DriftProof) -> list[Fraction]:
    """**faces-policy**: fixed or bernoulli routing, one server for each buffer, no holding, sequencing by groups.

    Sound because only then the alternatives at x depend on nothing but each server's highest busy group.
    """
    require(policy.routing in ("fixed", "bernoulli"), "faces-policy", "routing", policy.routing, "fixed or bernoulli")
    for k, name in enumerate(model.state.names):
        servers = [service.server for service in model.state.services if service.buffer == k]
        require(len(servers) == 1, "faces-policy", f"servers of {name}", servers, "one")
    require(policy.holding == "none", "faces-policy", "holding", policy.holding, "none")
    if model.groups is None:
        raise Rejected("faces-policy", "sequencing", policy.sequencing, "priority, fbfs, lbfs or non-idling")
    lists = proof.faces or ()
    require(len(lists) == len(model.pieces), "trees", "evidence", len(lists), len(model.pieces))
    pairs = enumerate(lists)
    return [m for i, faces in pairs for m in check_faces(model, model.groups, i, faces, claim.value)]


def check_epsilon(claim: Claim, margins: list[Fraction]) -> None:
    """**epsilon**: the claimed epsilon is the least margin of all leaves (faces), and positive.

    Sound because every non-empty node has that margin; the claim says neither more nor less than was proved.
    """
    if not margins:
        raise Rejected("epsilon", "evidence", "no leaf", "one at least")
    require(claim.value == min(margins), "epsilon", "claim.epsilon", claim.value, min(margins))
    require(claim.value > 0, "epsilon", "claim.epsilon", claim.value, "> 0")

"""Condition F for all rates (FORMAT.md section 24, theory 14): one tree, whose leaves fall at every vector of rates of the claim.

t is what a part of the walk adds to the drift at speed (arrival rate) 1; a leaf's bound at rates lambda, sigma is the
largest, over its branches, of sum lambda_C t_C + sum sigma_N t_N.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.conditions import check_activities, check_emptying, check_trees, check_zero, workload_of
from verify.checker.core.data import AllRatesProof, BranchPrices, Claim, Leaf, Numbers
from verify.checker.core.errors import require, show
from verify.checker.core.evidence import (
    FLUID_SIGNS,
    Situation,
    corrected_gradient,
    drift_values,
    part_bound,
    possible_branches,
)
from verify.checker.core.forms import Form, combine, form
from verify.checker.core.model import Model
from verify.checker.core.policy import Policy
from verify.checker.core.state import ONE, State, speed_symbol
from verify.checker.core.work import bits_of, exact_sum, reduction

ZERO = Fraction(0)
ALL = "all"  # the branch of a leaf whose servers follow none


def check_all_rates(model: Model, graph: State, policy: Policy, claim: Claim, proof: AllRatesProof) -> None:
    """Condition F at all rates that satisfy the rows and have a load as claimed.

    Parameters: `graph` is the state of condition N, whose buffers the potentials are of.
    """
    policy.check_rates()
    check_load_at_most(claim)
    rows = check_rows(model.state, proof)
    check_zero(model, proof.drift)
    check_emptying(model, proof.drift.emptying)
    check_trees(RatesJudge(model, graph, policy, claim.value, rows), proof.drift, FLUID_SIGNS)


def check_load_at_most(claim: Claim) -> None:
    """**rates-load**: 0 < delta' <= 1.

    Sound because at load 1 and above nothing is stable (condition N): the claim says no more than can be.
    """
    require(0 < claim.value <= 1, "rates-load", "claim.load_at_most", claim.value, "> 0 and <= 1")


def check_rows(state: State, proof: AllRatesProof) -> dict[str, Form]:
    """**rates-row**: rows are of symbols. Returns them by name, as forms in the numbers of the symbols.

    Sound because the words then say each of them: all that is used of the rates.
    """
    number = {symbol: i for i, symbol in enumerate(state.symbols)}
    found: dict[str, Form] = {}
    for name, row in proof.rows().items():
        for symbol in row:
            require(symbol in number, "rates-row", f"rates.{name}", symbol, "a symbol of a rate")
        found[name] = form({number[symbol]: value for symbol, value in row.items()})
    return found


@dataclass(frozen=True)
class Tops:
    """What each stream (by its name) and each server adds to the drift at most, at rate and speed 1."""

    streams: dict[str, Fraction]
    servers: dict[str, Fraction]


@dataclass(frozen=True)
class RatesJudge:
    """What all leaves are judged by; `rows` are those of `check_rows`."""

    model: Model
    graph: State
    policy: Policy
    load: Fraction
    rows: Mapping[str, Form]

    def check_leaf(self, here: Situation, leaf: Leaf) -> Fraction:
        """**rates-branches**: exactly the branches that are not excluded here; then their rules.

        Sound because the servers follow one of these at a time, or a mixture of them. Returns the least left side of
        **rates-strict**.
        """
        gradient = corrected_gradient(self.model, here, leaf.eta)
        tops = self.tops(here, gradient)
        require(set(leaf.branches) == set(tops), "rates-branches", here.where, set(leaf.branches), set(tops))
        return min(self.check_branch(f"{here.where}, {name}", tops[name], leaf.branches[name]) for name in tops)

    def tops(self, here: Situation, gradient: Form) -> dict[str, Tops]:
        """For each branch that is not excluded here the largest w.d at rate 1 of what its parts may do."""
        model = self.model
        values, unit = drift_values(model, gradient), gradient.denominator * model.denominator
        rates = {stream.name: stream.rate for stream in model.state.streams}
        common, by_branch = Tops({}, {}), dict[str, Tops]()
        for component in model.components:
            for branch in possible_branches(model, here, component):
                found = by_branch.setdefault(branch.name, Tops({}, {})) if branch.name else common
                for part in branch.parts:
                    model.work.spend(reduction(gradient.bits, model.rate_bits), "bounds of leaves")
                    top = Fraction(part_bound(model, here, part, branch, values), unit)
                    if part.server:
                        found.servers[part.server] = top
                    else:
                        found.streams[component.name] = top / rates[component.name]
        return {name: Tops(common.streams, found.servers) for name, found in by_branch.items()} or {ALL: common}

    # ---- one branch
    def check_branch(self, where: str, tops: Tops, evidence: BranchPrices) -> Fraction:
        """The rules of a branch of a leaf. Returns the left side of **rates-strict**."""
        sums = self.check_multipliers(where, evidence.multipliers)
        self.check_prices(where, evidence.prices)
        self.check_arrivals(where, tops, self.check_potentials(where, evidence), sums)
        return self.check_servers(where, tops, evidence.prices, sums)

    def check_multipliers(self, where: str, multipliers: Numbers) -> Numbers:
        """**rates-multiplier**: multipliers of rows, >= 0 but for equalities. Returns A'y by symbol.

        Sound because sum_s (A'y)_s s = sum over rows of y row >= 0 at all rates of the claim.
        """
        terms = []
        for name, y in multipliers.items():
            at = f"{where}, {show(name)}"
            require(name in self.rows, "rates-multiplier", at, name, "a row")
            require(y >= 0 or name.startswith("zero["), "rates-multiplier", at, y, ">= 0")
            terms.append((y, self.rows[name]))
        total = combine(terms, self.model.work)
        self.model.work.spend(len(self.model.state.symbols) * reduction(total.bits, total.bits), "rows of rates")
        return {s: Fraction(total.entries.get(i, 0), total.denominator) for i, s in enumerate(self.model.state.symbols)}

    def check_prices(self, where: str, prices: Numbers) -> None:
        """**rates-price**: prices of servers that have buffers, >= 0.

        Sound because a server that is used for at most the share rho of its time then earns at most rho sigma_N pi_N.
        """
        busy = self.graph.busy_servers()
        for server, price in prices.items():
            at = f"{where}, price of {show(server)}"
            require(server in busy, "rates-price", at, server, busy)
            require(price >= 0, "rates-price", at, price, ">= 0")

    def check_potentials(self, where: str, evidence: BranchPrices) -> Form:
        """**rates-activity**: r_k (v_k - v_next) <= pi_N for every activity and possible destination. Returns v.

        Sound because along a flow that serves what arrives sum lambda_C v_e is then at most what the servers earn.
        """
        rule, at = "rates-activity", f"{where}, "
        workload = workload_of(self.graph, evidence.potentials, rule, f"{where}, potentials")
        check_activities(self.graph, evidence.prices, workload, rule, at, self.model.work)
        return workload

    def check_arrivals(self, where: str, tops: Tops, workload: Form, sums: Numbers) -> None:
        """**rates-arrival**: t_C <= v - (A'y)_arrival(C), v the least of a first buffer, or the mean if arrivals are split.

        Sound because the flow enters where it likes, at rate lambda_C >= 0.
        """
        for stream in self.graph.streams:
            steps = len(stream.entries) + 2 * reduction(workload.bits, workload.bits)
            self.model.work.spend(steps, "arrivals")
            most = exact_sum([self.policy.entry_value(stream, workload), -sums[stream.symbol]])
            top = tops.streams[stream.name]
            require(top <= most, "rates-arrival", f"{where}, {stream.name}", top, f"<= {show(most)}")

    def check_servers(self, where: str, tops: Tops, prices: Numbers, sums: Numbers) -> Fraction:
        """**rates-server**: t_N + delta' pi_N + (A'y)_speed(N) <= 0. **rates-one**: (A'y)_1 <= 0. **rates-strict**: not all
        are 0, at load below 1 without prices. Returns how far below 0 they are together.

        Sound because the leaf's bound is at most the sum over N of sigma_N (t_N + rho pi_N + (A'y)_speed(N)), plus (A'y)_1:
        no term is positive, and one is negative, as sigma_N > 0.
        """
        margins = []
        for server in self.graph.busy_servers():
            terms = tops.servers[server], prices.get(server, ZERO), sums[speed_symbol(server)]
            bits = max(map(bits_of, (*terms, self.load)))
            self.model.work.spend(6 * reduction(bits, bits), "servers at leaves")
            top, price, added = terms
            left = exact_sum([top, self.load * price, added])
            require(left <= 0, "rates-server", f"{where}, server {server}", left, "<= 0")
            margins += [-left, price if self.load == 1 else ZERO]
        require(sums[ONE] <= 0, "rates-one", f"{where}, numbers of 1", sums[ONE], "<= 0")
        margin = exact_sum([*margins, -sums[ONE]])
        require(margin > 0, "rates-strict", where, margin, "> 0")
        return margin

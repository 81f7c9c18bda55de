"""Claims about state-dependent routing: tables of slide 76, statements of slides 51-77, misprints of slides 56, 57, 65."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

from proofs.claims.claim import Claim, Outcome, Verdict, checked, proved, refuted, require
from proofs.claims.state_dependent.coupling import order_survives_in_examples
from proofs.claims.state_dependent.known import (
    JUMPS,
    SOCIAL_TABLES,
    SOCIAL_TIME,
    UPWARD_STEPS,
    USER_TABLE,
    USER_TIME,
    exceeds_probabilistic,
)
from proofs.claims.state_dependent.printed import Misprint, printed_selfish
from proofs.equilibria.state_dependent.arithmetic import Arithmetic
from proofs.equilibria.state_dependent.heuristic import Counted, heuristic_policy, thresholds
from proofs.equilibria.state_dependent.jumps import jumps
from proofs.equilibria.state_dependent.model import Parallel, Policy
from proofs.equilibria.state_dependent.selfish import Ties, selfish_policy
from proofs.equilibria.state_dependent.service import Service, balanced, exponential, gamma
from proofs.equilibria.state_dependent.social import social_optimum
from proofs.equilibria.state_dependent.standard import RATES, coxian, selfish_in_balls, selfish_time
from proofs.equilibria.state_dependent.stationary import performance, transit_time
from proofs.equilibria.state_dependent.sweep import Step, falling, grid, rising, social_sweep, steps, sweep
from proofs.equilibria.state_dependent.tail import transit_time_bracket

_ONE, _EXAMPLE = Fraction(1), "λ=1, λ1=0, λ2=1/10, μ2=1, N=3"


def _user_table() -> Outcome:
    model = Parallel.standard(_ONE)
    found = selfish_policy(model, 20)
    result = performance(model, found.policy)
    rows = found.policy.table(model, 21)
    require(rows == USER_TABLE + ["222"] * 16, "slide 76, user optimum, every entry")
    require(not found.cut and found.ties == ((0, 0, 2),), "M = 20 changes nothing; the only tie is (0, 2)")
    require(result.little.gap == 0 and result.transit_time == USER_TIME, "W, and Little's law in both queues")
    return proved(f"rows 112 122 122 222 ...; W = {result.transit_time} exactly, Little's law exact")


def _ties() -> Outcome:
    model = Parallel.standard(_ONE)
    other = selfish_policy(model, 20, ties=Ties.QUEUE_1)
    require(other.policy.table(model, 4) == ["111", "112", "122", "222"], "the table with ties to queue 1")
    return proved(
        "the exact tie (0, 2) at μ1 = 1 goes to queue 1 in 111 112 122 222, the slides' table has it the other way"
    )


def _jumps() -> Outcome:
    shown = []
    for servers, table in JUMPS.items():
        found = jumps(servers, Fraction(1, 50), Fraction(3))
        large = [jump for jump in found if abs(jump.right - jump.left) > Fraction(2, 10**4)]
        known = [(round(j.root.midpoint, 7), round(j.left, 6), round(j.right, 6)) for j in large]
        require(known == [tuple(map(Fraction, row)) for row in table], f"c = {servers}: {known}")
        down = [jump for jump in found if jump.sign < 0]
        require(all(jump.sign for jump in found), "every sign is certain")
        require([jump.root.lower for jump in down] == [1] * (servers == 3), "downwards only at μ1 = 1 for c = 3")
        shown.append(f"c={servers}: {len(found)} changes of policy, {len(found) - len(down)} upward")
    return proved("all roots of z - y in (0.02, 3) isolated; " + "; ".join(shown) + " (the other: μ1 = 1)")


def _social_table() -> Outcome:
    model = Parallel.standard(_ONE)
    best = social_optimum(model, 20)
    for dedicated, table in enumerate(SOCIAL_TABLES):
        rows = best.policy.table(model, dedicated, 21)
        require(rows == table + table[-1:] * 18, f"slide 76, social optimum, n3 = {dedicated}, every entry")
    require(best.transit_time == SOCIAL_TIME and best.least_margin > 0, "W, and Bellman's inequalities, strictly")
    return proved(
        f"queue 1 only at (0,0,0), (0,0,1), (0,0,2); W = {best.transit_time}; least margin {float(best.least_margin):.4f} > 0"
    )


def _no_social_paradox() -> Outcome:
    require(order_survives_in_examples(), "i <= i' survives every joint departure")
    for servers in (1, 2, 3):
        points = social_sweep(RATES[::6], lambda rate, c=servers: Parallel.standard(rate, c), 20)  # type: ignore[misc]
        require(not rising(points), f"no rise on the grid, c = {servers}")
    return proved(
        "coupling with a fictitious slower system (coupling.py); no rise on 50 values of μ1, c = 1, 2, 3, exactly"
    )


def _fewer_paradoxes() -> Outcome:
    counts, policy = [], True
    for servers in range(1, 6):
        model = lambda rate, c=servers: Parallel.standard(rate, c)  # noqa: E731
        up = rising(sweep(RATES, model, arithmetic=Arithmetic.BALLS))
        counts.append(len(up))
        policy = policy and all(step.changes_policy for step in up)
    require(tuple(counts) == UPWARD_STEPS, f"upward steps {counts}")
    require(policy, "every upward step is a change of policy")
    return checked(f"μ1 = 0.02(0.01)3, W in balls: {counts} upward steps for c = 1..5, each with a change of policy")


def _policy_change_in_variation() -> Outcome:
    for fit in (balanced, gamma):
        points = sweep([Fraction(2), Fraction(41, 20), Fraction(21, 10)], coxian(Fraction(4, 5), 1, fit))
        require(
            all(step.rise < 0 and not step.changes_policy for step in steps(points)),
            f"W falls under one policy, {fit.__name__}",
        )
    values = ", ".join(f"{float(point.transit_time):.6f}" for point in points)
    for servers, falls, unchanged in ((1, 163, 161), (2, 102, 94)):
        found = _falls(servers, "4/5")
        require((len(found), sum(not step.changes_policy for step in found)) == (falls, unchanged), "falls")
    return refuted(
        f"c=1, μ1=4/5, c² = 2, 2.05, 2.1: W = {values} (gamma fit) with one and the same policy; on 0.5(0.05)10 161 of 163 "
        "falls (c=2: 94 of 102) have one policy"
    )


def _servers_at_036() -> Outcome:
    servers = (1, 2, 3, 4, 5, 8)
    times = [selfish_time(Fraction(9, 25), c) for c in servers]
    require(times == sorted(times), "W grows with c")
    later = [selfish_time(Fraction(4, 5), c) for c in (1, 2, 3)]
    require(later == sorted(later, reverse=True), "W falls with c at μ1 = 4/5")
    shown = ", ".join(f"{float(time):.4f}" for time in times)
    return checked(f"μ1 = 0.36, c = 1, 2, 3, 4, 5, 8, exact: W = {shown}; falling at μ1 = 4/5")


def _coxian_is_exponential() -> Outcome:
    for servers, rate in ((1, "4/5"), (2, "4/5"), (2, "2")):
        for fit in (balanced, gamma):
            model = coxian(Fraction(rate), servers, fit)(_ONE)
            result = performance(model, selfish_policy(model).policy)
            require(result.little.gap == 0, "Little's law")
            require(
                result.transit_time == selfish_time(Fraction(rate), servers),
                f"c = {servers}, μ1 = {rate}, {fit.__name__}",
            )
    return checked("W equal as fractions for c = 1, 2, μ1 = 4/5, 2, both fits at c² = 1 (hazard 1/m in both phases)")


def _total_rate() -> Outcome:
    shown = []
    for servers, variation in ((1, 1), (2, 2)):
        model = coxian(Fraction(4, 5), servers)(Fraction(variation))
        printed = printed_selfish(model, 20, Misprint.TOTAL_RATE)
        right = performance(model, selfish_policy(model, 20).policy)
        require(
            right.little.gap == 0 and printed.by_formula != printed.by_little,
            "only the corrected recursion obeys Little's law",
        )
        shown.append(
            f"c={servers}, c²={variation}: {float(printed.by_formula):.6f} against {float(printed.by_little):.6f}"
        )
    return refuted("μ1=4/5, printed W by (3) and by Little's law: " + "; ".join(shown))


def _dedicated_recursion() -> Outcome:
    rates = (_ONE, Fraction(3, 10), Fraction(1, 10))
    coxian_two = Parallel(*rates, gamma(Fraction(5, 4), _ONE), 1, 3, _ONE)
    exact = Parallel(*rates, exponential(Fraction(4, 5)), 1, 3, _ONE)
    printed = printed_selfish(coxian_two, 20, Misprint.DEDICATED)
    bracket = transit_time_bracket(exact, selfish_policy(exact, 40).policy)
    require(bracket.high - bracket.low < Fraction(1, 10**15), "the proved bracket is narrow")
    require(printed.by_formula > bracket.high, "the printed W misses the exponential model at c² = 1")
    return refuted(
        f"λ1=0.3, μ1=0.8, c²=1: printed W {float(printed.by_formula):.6f}, true in {float(bracket.low):.12f} + [0, 1e-15]"
    )


def _heuristic_misprint() -> Outcome:
    model, shown = Parallel.standard(_ONE), []
    for weight, right, wrong in ((1, (20, 10, 0), (2, 2, 2)), (0, (2, 1, 0), (1, 1, 1))):
        policies = [heuristic_policy(model, Fraction(weight), None, counted) for counted in Counted]
        require([thresholds(model, policy) for policy in policies] == [right, wrong], f"thresholds, w1 = {weight}")
        shown.append(", ".join(f"{float(transit_time(model, policy)):.6f}" for policy in policies))
    return refuted(
        "with N-i-1 the choice ignores the batch; W (right, printed): w1=1: " + shown[0] + "; w1=0: " + shown[1]
    )


def _heuristic_variation() -> Outcome:
    points = sweep([Fraction(n) for n in ("1/2", "1", "2", "5", "10")], coxian(Fraction(4, 5), 1), _heuristic)
    require(
        all(step.rise < 0 and _same_thresholds(step.left.joins, step.right.joins) for step in steps(points)),
        "W falls in c²",
    )
    shown = ", ".join(f"{float(point.transit_time):.4f}" for point in points)
    return refuted(f"c=1, μ1=4/5, w1=1, c² = 1/2, 1, 2, 5, 10: W = {shown}, one policy on (i, j)")


def _heuristic(model: Parallel) -> Policy:
    return heuristic_policy(model, _ONE)


def _same_thresholds(left: frozenset[tuple[int, ...]], right: frozenset[tuple[int, ...]]) -> bool:
    return {(s[0], s[2]) for s in left} == {(s[0], s[2]) for s in right}


def _heuristic_two_servers() -> Outcome:
    for rate, weight in itertools.product(("4/5", "12/5"), (0, 1)):
        policy = lambda model, w=weight: heuristic_policy(model, Fraction(w))  # noqa: E731
        points = sweep(grid("0.5", "0.5", "10"), coxian(Fraction(rate), 2, balanced), policy, Arithmetic.BALLS)
        require(len(rising(points)) == len(points) - 1, f"W rises in c², μ1 = {rate}, w1 = {weight}")
    return checked("c = 2, w1 = 0, 1, μ1 = 4/5, 12/5, c² = 0.5(0.5)10, balanced fit, W in balls: W rises at every step")


def _heuristic_dramatic() -> Outcome:
    worst = [(1, "18/25"), (2, "9/25"), (3, "6/25")]
    times = [Fraction(transit_time(m, _heuristic(m))) for m in (Parallel.standard(Fraction(r), c) for c, r in worst)]
    require(all(Fraction(10) < time for time in times), "W above 10")
    shown = ", ".join(f"{float(time):.4f}" for time in times)
    return checked(
        f"w1 = 1, exact: W = {shown} at (c, μ1) = (1, 18/25), (2, 9/25), (3, 6/25); selfish stays below 2.35"
    )


def _falls(servers: int, rate: str, fit: Callable[[Fraction, Fraction], Service] = gamma) -> list[Step]:
    """Steps of c² = 0.5(0.05)10 on which the selfish W falls for sure."""
    return falling(
        sweep(
            grid("0.5", "0.05", "10"),
            coxian(Fraction(rate), servers, fit),
            selfish_in_balls,
            Arithmetic.BALLS,
        )
    )


def _variation_paradox() -> Outcome:
    at_08, fitted, spread = _falls(2, "4/5"), _falls(2, "12/5"), _falls(2, "12/5", balanced)
    require([len(at_08), len(fitted), len(spread)] == [102, 1, 4], "numbers of falling steps")
    largest = [min(float(step.rise) for step in found) for found in (at_08, fitted, spread)]
    return checked(
        f"c² = 0.5(0.05)10, W in balls: μ1 = 4/5 (gamma fit) 102 falling steps, largest {largest[0]:.4f}; μ1 = 12/5: "
        f"1 of {largest[1]:.0e} (gamma), 4, largest {largest[2]:.0e} (balanced)"
    )


def _knowledge() -> Outcome:
    shown = []
    for servers, count, most in ((1, 21, "0.65"), (2, 15, "0.51"), (3, 17, "0.53")):
        worse = [r for r in RATES if exceeds_probabilistic(r, selfish_time(r, servers), servers)]
        require(len(worse) == count, f"{len(worse)} exceptions")
        require(Fraction("0.355") < worse[0] and worse[-1] < Fraction(most), "where the exceptions are")
        shown.append(f"c = {servers}: worse at {count}, all in (0.355, {most})")
    return checked("299 values of μ1, exact: " + "; ".join(shown) + "; better or equal elsewhere")


def _dedicated() -> Outcome:
    model = Parallel(_ONE, Fraction(3, 10), Fraction(1, 10), exponential(Fraction(4, 5)), 1, 3, _ONE)
    bracket = transit_time_bracket(model, selfish_policy(model, 40).policy)
    require(bracket.high - bracket.low < Fraction(1, 10**15), "width")
    return proved(
        f"W in {float(bracket.low):.14f} + [0, 6e-16]; P(more than 40 in queue 1) <= {float(bracket.beyond):.1e}"
    )


def claims() -> tuple[Claim, ...]:
    """The claims about state-dependent routing, in the order of the slides."""
    refutes, checks = Verdict.REFUTED, Verdict.CHECKED
    return (
        Claim("state-dependent.fewer-paradoxes", "more servers, fewer upward jumps of selfish W in μ1; each a change of policy",
              _EXAMPLE + ", grid", "slides 51-52, 60, 77", _fewer_paradoxes, checks),
        Claim("state-dependent.jumps", "where the selfish policy changes with μ1, W jumps upwards, but once (c = 3, μ1 = 1)",
              _EXAMPLE + ", c=1, 2, 3, 0.02 < μ1 < 3", "slides 51-52", _jumps),
        Claim("state-dependent.ties", "the tie rule matters", _EXAMPLE + ", c=1, μ1=1", "slide 76", _ties),
        Claim("state-dependent.total-rate", "(5), (6) with the printed total rate (iμa) give delays", "as printed", "slide 56",
              _total_rate, refutes),
        Claim("state-dependent.dedicated-recursion", "(6), i > c, with λ1 z(i+I{n1<c},j,k)", "as printed, λ1 > 0", "slide 57",
              _dedicated_recursion, refutes),
        Claim("state-dependent.coxian-exponential", "at c² = 1 Coxian-2 and exponential service give the same W",
              _EXAMPLE, "slides 53-58", _coxian_is_exponential, checks),
        Claim("state-dependent.no-social-paradox", "the social optimum never rises in μ1 or c", "λ1 = 0, exponential service",
              "slides 61, 69, 77", _no_social_paradox),
        Claim("state-dependent.variation-paradox", "a paradox in c²: the selfish W falls in c² somewhere",
              _EXAMPLE + ", c=2, μ1=0.8 and 2.4", "slide 62", _variation_paradox, checks),
        Claim("state-dependent.dedicated", "W with dedicated customers of queue 1, with a proved bound of the cut tail",
              "λ1=3/10, μ1=4/5, c=1, else " + _EXAMPLE, "slide 63", _dedicated),
        Claim("state-dependent.heuristic-misprint", "z^H with N-i-1", "as printed", "slide 65", _heuristic_misprint, refutes),
        Claim("state-dependent.heuristic-two-servers", "heuristic, two servers: no paradox in c²", _EXAMPLE + ", c=2", "slide 68",
              _heuristic_two_servers, checks),
        Claim("state-dependent.heuristic-unchanged-policy", "no paradox in c² as the heuristic policy does not depend on c²",
              _EXAMPLE, "slide 68, the reason given", _heuristic_variation, refutes),
        Claim("state-dependent.heuristic-dramatic", "heuristics can be dramatically worse", _EXAMPLE, "slide 69",
              _heuristic_dramatic, checks),
        Claim("state-dependent.knowledge", "full knowledge mitigates the paradox for almost all μ1", _EXAMPLE + ", c=1..3, grid",
              "slide 69", _knowledge, checks),
        Claim("state-dependent.policy-change", "the paradox in c² shows up only with a change of policy", _EXAMPLE, "slide 69",
              _policy_change_in_variation, refutes),
        Claim("state-dependent.user-table", "the selfish policy and W at μ1 = 1", _EXAMPLE + ", μ1=1, M=20", "slide 76",
              _user_table),
        Claim("state-dependent.social-table", "the socially best policy and W at μ1 = 1", _EXAMPLE + ", μ1=1, M=20", "slide 76",
              _social_table),
        Claim("state-dependent.servers", "at μ1 = 0.36 the selfish W grows with c", _EXAMPLE, "slide 77",
              _servers_at_036, checks),
    )  # fmt: skip

"""What the slides say about their figures of probabilistic routing, decided in exact numbers (slides 42-45, 85-87)."""

from __future__ import annotations

from fractions import Fraction

from proofs.claims.claim import Claim, Outcome, Verdict, proved, refuted, require
from proofs.equilibria.algebraic import Number, polynomial, real_roots
from proofs.equilibria.downs_thomson.cells import Kinds, Line, Stretch, stretches
from proofs.equilibria.downs_thomson.intervals import (
    retrial_interval,
    retrial_service_rate_interval,
    scv_interval,
    service_rate_interval,
)
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import (
    ONE,
    RETRIAL_ROAD,
    ROAD,
    retrial_line,
    retrials,
    scv_line,
    taxi_line,
    taxis,
)

ZERO: Kinds = (("p=0", True),)
FULL: Kinds = (("p=1", True),)
MIXED: Kinds = (("mixed", True),)
LATE: Kinds = (("p=0", True), ("mixed", False), ("mixed", True))
EARLY: Kinds = (("mixed", True), ("mixed", False), ("p=1", True))
JUMP: Kinds = (("p=0", True), ("mixed", False), ("p=1", True))


def stable_mixed(found: list[Stretch]) -> tuple[Number, Number] | None:
    """The ends of the parameters with a stable mixed equilibrium (consecutive stretches)."""
    own = [stretch for stretch in found if ("mixed", True) in stretch.kinds]
    if not own:
        return None
    end = own[-1].end
    if end is None:
        raise ValueError("no end of the stable mixed equilibria")
    return own[0].start, end


def shape(line: Line) -> list[Kinds]:
    """The kinds along a line."""
    return [stretch.kinds for stretch in stretches(line)]


def _one_server() -> Outcome:
    found = stretches(taxi_line())
    require([s.kinds for s in found] == [ZERO, MIXED, FULL], "p = 0, stable mixed, p = 1")
    interval = service_rate_interval(ROAD, ONE)
    require(interval.lower == Fraction(11, 21) and interval.upper == Fraction(12, 11), "(11/21, 12/11)")
    require(found[1].start == Fraction(11, 21) and found[1].end == Fraction(12, 11), "the same from the discriminant")
    first, last = ROAD.batch_delay(Fraction(0)), ROAD.batch_delay(ONE)
    require((first, last) == (Fraction(21, 11), Fraction(11)), "the transit time rises from 21/11 to 11")
    return proved(
        "mu1 in (11/21, 12/11): the transit time rises from 21/11 to 11 with the capacity; p = 0 below, p = 1 above"
    )


def _one_server_scv() -> Outcome:
    ends = []
    for scv, expected in (
        (Fraction(0), [ZERO, MIXED, FULL]),
        (Fraction(1, 2), [ZERO, MIXED, FULL]),
        (Fraction(2), [ZERO, MIXED, EARLY, FULL]),
    ):
        found = stretches(taxi_line(1, scv))
        require([s.kinds for s in found] == expected, f"c^2 = {scv}")
        forced = service_rate_interval(ROAD, (1 + scv) / 2).upper
        require(forced is not None and found[1].end == forced, f"c^2 = {scv}: p = 1 becomes an equilibrium at m(1)")
        ends.append(f"c^2 = {scv}: m(1) = {forced}")
    fold, forced = stretches(taxi_line(1, Fraction(2)))[2].end, service_rate_interval(ROAD, Fraction(3, 2)).upper
    require(fold is not None and forced is not None and fold > forced, "c^2 = 2: a fold beyond m(1)")
    return proved(
        "; ".join(ends)
        + f"; for c^2 = 2 the stable mixed equilibrium goes on, beside p = 1, up to {float(fold or 0):.7f}"
    )


def _many_servers() -> Outcome:
    two = stretches(taxi_line(2))
    require([s.kinds for s in two] == [ZERO, LATE, MIXED, FULL], "c = 2")
    fold = polynomial([9261, -12951, -4420, -19600, 8000])
    require(two[1].start == Number.of(real_roots(fold)[0][0]), "c = 2: the fold is a root of the printed quartic")
    require(two[2].end == Number.of(real_roots(polynomial([-11, -4, 44]))[-1][0]), "c = 2: upper end (1 + sqrt 122)/22")
    for servers in (3, 4, 5):
        require(shape(taxi_line(servers)) == [ZERO, JUMP, FULL], f"c = {servers}: no stable mixed equilibrium")
    return proved("c = 2: stable mixed on (0.4903267, 0.5475164), with p = 0 beside it below 11/21; c = 3, 4, 5: none")


def _mixed_interval_shrinks() -> Outcome:
    lengths = []
    for servers in (1, 2):
        ends = stable_mixed(stretches(taxi_line(servers)))
        require(ends is not None, f"c = {servers}: a stable mixed equilibrium")
        if ends is not None:
            lengths.append((ends[0].own_root, ends[1].own_root))
    require(stable_mixed(stretches(taxi_line(3))) is None, "c = 3: none")
    (low1, high1), (low2, high2) = lengths
    for root in (low1, high1, low2, high2):
        for _ in range(40):
            root.halve()
    require(high1.lower - low1.upper > high2.upper - low2.lower, "the interval of c = 2 is shorter")
    return proved("lengths 131/231 = 0.567 (c = 1), 0.0572 (c = 2), 0 (c = 3, 4, 5)")


def _size_decreases() -> Outcome:
    ends = [stable_mixed(stretches(taxi_line(servers))) for servers in (1, 2)]
    tops = [None if pair is None else pair[1] for pair in ends]
    require(tops[0] == Fraction(12, 11) and tops[1] is not None, "both have stable mixed equilibria")
    for servers, top in zip((1, 2), tops, strict=True):
        line = [s for s in stretches(taxi_line(servers)) if ("mixed", True) in s.kinds]
        require(line[-1].kinds == MIXED and line[-1].end == top, f"c = {servers}: alone up to the end, where p = 1")
    return refuted(
        "c = 1 and c = 2 both rise to W2(1) = 11: at the upper end of the mixed equilibria p = 1 and W1 = W2 = 11"
    )


def _more_servers() -> Outcome:
    delays = []
    for servers in (1, 2, 3):
        found = solve(taxis(Fraction(11, 20), servers)).equilibria
        require(len(found) == 1, f"c = {servers}: one equilibrium")
        delays.append(found[0].delay)
    require(str(delays[0]) == "1/2 + sqrt(1001)/22" and delays[1] == Fraction(220, 21), "W = 1.9381, 220/21")
    require(delays[0] < delays[1] and delays[2] < delays[1], "up, then down")
    return refuted(
        f"mu1 = 11/20: W = {float(delays[0]):.4f}, {float(delays[1]):.4f}, {float(delays[2]):.4f} for c = 1, 2, 3: it rises "
        "from 1 to 2 and falls from 2 to 3"
    )


def _scv_paradox() -> Outcome:
    for mu1, lower in ((Fraction(4, 5), None), (Fraction(11, 10), Fraction(61, 50)), (Fraction(3, 2), Fraction(29, 2))):
        interval = scv_interval(ROAD, mu1)
        require(interval.upper is None, f"mu1 = {mu1}: no upper end")
        require((interval.lower is None) if lower is None else interval.lower == lower, f"mu1 = {mu1}: s(1) = {lower}")
        require(_scv_curve_falls(mu1) == (mu1 < Fraction(3, 2)), f"mu1 = {mu1}: s(x) falls on the whole range of flows")
    require(shape(scv_line(Fraction(4, 5))) == [MIXED], "mu1 = 4/5: every c^2")
    require(shape(scv_line(Fraction(11, 10))) == [FULL, MIXED], "mu1 = 11/10: p = 1, then mixed")
    late = stretches(scv_line(Fraction(3, 2)))
    require([s.kinds for s in late] == [FULL, EARLY, MIXED], "mu1 = 3/2: p = 1 goes on beside the mixed one")
    require(str(late[1].start) == "493/121 + 60*sqrt(82)/121" and late[1].end == Fraction(29, 2), "mu1 = 3/2: fold")
    return proved(
        "mu1 = 4/5: every c^2; 11/10: c^2 > 61/50 (p = 1 below); 3/2: c^2 > (493 + 60 sqrt 82)/121 = 8.5647, beside p = 1 "
        "up to 29/2, alone beyond"
    )


def _scv_curve_falls(mu1: Fraction) -> bool:
    """s(x) = 2(w mu1 - 1)(mu1 - x)/x - 1 with w = 1 + 1/(11/10 - x): is s' < 0 for 0 < x < min(1, mu1)?"""
    v = polynomial([Fraction(11, 10), -1])
    top = (v * polynomial([mu1 - 1]) + polynomial([mu1])) * polynomial([mu1, -1])
    below = v * polynomial([0, 1])
    slope = top.derivative() * below - top * below.derivative()
    middle = min(ONE, mu1) / 2
    inside = [r for r, _ in real_roots(slope) if Number.of(r).sign() > 0 and Number.of(r) < min(ONE, mu1)]
    return not inside and Number.element(Number.of(middle).root, slope(Number.of(middle).value)).sign() < 0


def _retrial_rate() -> Outcome:
    found = stretches(retrial_line(nu=Fraction(2)))
    interval = retrial_service_rate_interval(RETRIAL_ROAD, Fraction(2))
    require(interval.lower == Fraction(137, 164) and interval.upper == Fraction(193, 124), "(137/164, 193/124)")
    require([s.kinds for s in found] == [ZERO, MIXED, FULL], "p = 0, stable mixed, p = 1")
    require(found[1].start == interval.lower and found[1].end == interval.upper, "the same from the discriminant")
    half = solve(retrials(Fraction(5, 4), Fraction(2))).equilibria
    require(len(half) == 1 and half[0].shares[0] == Fraction(1, 2), "mu1 = 5/4: p = 1/2")
    return proved("nu = 2: stable mixed iff 137/164 < mu1 < 193/124; p = 1/2 at mu1 = 5/4")


def _retrial_nu() -> Outcome:
    slow, fast = retrial_interval(RETRIAL_ROAD, Fraction(5, 4)), retrial_interval(RETRIAL_ROAD, Fraction(2))
    require(slow.lower == Fraction(22, 79) and slow.upper is None, "mu1 = 5/4: nu > 22/79")
    require(fast.lower == Fraction(11, 101) and fast.upper == Fraction(3, 29), "mu1 = 2: ends 11/101 > 3/29")
    require(shape(retrial_line(mu1=Fraction(5, 4))) == [ZERO, MIXED], "mu1 = 5/4: p = 0, then stable mixed")
    found = stretches(retrial_line(mu1=Fraction(2)))
    require(
        [s.kinds for s in found] == [ZERO, JUMP, EARLY, FULL],
        "mu1 = 2: p = 0, {0, unstable, 1}, {stable, unstable, 1}, p = 1",
    )
    require(found[1].start == Fraction(3, 29) and found[1].end == Fraction(11, 101), "between 3/29 and 11/101")
    require(str(found[2].end) == "13/2 - 5*sqrt(57)/6", "mu1 = 2: the fold")
    return proved(
        "mu1 = 5/4: stable mixed iff nu > 22/79; mu1 = 2: {0, unstable, 1} for 3/29 < nu < 11/101, {stable mixed, unstable, 1} "
        "for 11/101 < nu < 13/2 - 5 sqrt(57)/6 = 0.20847, p = 1 beyond"
    )


def slide_claims() -> tuple[Claim, ...]:
    """The claims of this module, in order."""
    one = "lambda = 1, lambda1 = 0, lambda2 = 1/10, mu2 = 1, N = 3"
    retrial = "lambda = 1, lambda1 = 1/2, lambda2 = 1/10, mu2 = 1, N = 7"
    return (
        Claim(
            "downs-thomson.slide-42",
            "one server: the paradox interval in mu1 is (11/21, 12/11)",
            one,
            "slide 42",
            _one_server,
        ),
        Claim(
            "downs-thomson.slide-42-scv",
            "the interval for c^2 = 0, 1/2, 2",
            one,
            "slides 42-43; docs/equilibria.md",
            _one_server_scv,
        ),
        Claim(
            "downs-thomson.slide-43",
            "the c^2 with a stable mixed equilibrium, hence a paradox, for mu1 = 4/5, 11/10, 3/2",
            one,
            "slide 43",
            _scv_paradox,
        ),
        Claim(
            "downs-thomson.slide-44-servers",
            "M/M/c: number and kind of equilibria over mu1, c = 2, ..., 5",
            one,
            "slide 44",
            _many_servers,
        ),
        Claim(
            "downs-thomson.slide-44-interval",
            "the interval with a stable mixed equilibrium shrinks with the number of servers",
            one + "; c = 1, 2, 3",
            "slide 44",
            _mixed_interval_shrinks,
        ),
        Claim(
            "downs-thomson.slide-44-size",
            "the size of the paradox decreases in the number of servers",
            one,
            "slide 44",
            _size_decreases,
            Verdict.REFUTED,
        ),
        Claim(
            "downs-thomson.slide-45",
            "at mu1 = 11/20 the transit time increases in the number of servers",
            one,
            "slide 45",
            _more_servers,
            Verdict.REFUTED,
        ),
        Claim(
            "downs-thomson.slide-85",
            "retrials: stable mixed iff 137/164 < mu1 < 193/124",
            retrial + "; nu = 2",
            "slide 85",
            _retrial_rate,
        ),
        Claim(
            "downs-thomson.slides-86-87",
            "retrials: the paradox interval in nu",
            retrial + "; mu1 = 5/4 and 2",
            "slides 86-87",
            _retrial_nu,
        ),
    )

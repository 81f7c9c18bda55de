"""Known values of the slides' example (λ=1, λ1=0, λ2=1/10, μ2=1, N=3, M=20), for claims and figures."""

from __future__ import annotations

from fractions import Fraction

from proofs.equilibria.algebraic import Number, compare
from proofs.equilibria.downs_thomson.solve import solve
from proofs.equilibria.downs_thomson.standard import taxis

#: Slide 76, rows n1 = 0..4 (all later rows are those of n1 = 4).
USER_TABLE = ["112", "122", "122", "222", "222"]
SOCIAL_TABLES = (["122", "222", "222"], ["12-", "22-", "22-"], ["1--", "2--", "2--"])
USER_TIME, SOCIAL_TIME = Fraction(824153170149, 462888754009), Fraction(3973508204, 2596147609)
#: Upward steps of the selfish W on that grid for c = 1..5.
UPWARD_STEPS = (10, 6, 4, 3, 1)

#: Jumps of the selfish W above 2·10^-4 for 0.02 < μ1 < 3: c -> μ1 (7 digits), W just left and just right of it (6 digits).
JUMPS = {
    1: [
        ("0.3548387", "1.909091", "2.080772"), ("0.5238095", "1.887696", "1.976687"), ("0.6140197", "1.88691", "2.120626"),
        ("0.9587687", "1.643271", "1.846436"), ("1.0", "1.780456", "1.871274"), ("1.0659065", "1.768516", "1.934378"),
        ("1.2659302", "1.586343", "1.738976"), ("1.5146181", "1.339797", "1.383812"), ("1.7174893", "1.131993", "1.171373"),
        ("1.9358215", "0.958346", "0.963098"), ("2.0", "0.912381", "0.926317"), ("2.1840574", "0.798544", "0.803317"),
        ("2.574735", "0.616892", "0.61776"),
    ],
    2: [
        ("0.3548387", "1.909091", "2.234556"), ("0.5238095", "1.869501", "2.070684"), ("0.5877673", "1.902635", "2.037135"),
        ("0.7532448", "1.598936", "1.665114"), ("0.7857143", "1.585703", "1.604317"), ("0.8112881", "1.544155", "1.581194"),
        ("0.9685092", "1.261014", "1.271199"), ("1.0", "1.219829", "1.25006"), ("1.1372733", "1.047888", "1.048351"),
        ("1.1394524", "1.045686", "1.049816"), ("1.3394813", "0.851192", "0.852077"), ("1.5", "0.741862", "0.742745"),
        ("2.0", "0.532104", "0.532614"),
    ],
    3: [
        ("0.3548387", "1.909091", "2.364162"), ("0.4731183", "1.984947", "2.079996"), ("0.5238095", "1.916335", "2.005588"),
        ("0.5580902", "1.883438", "1.921448"), ("0.6641715", "1.591897", "1.603169"), ("0.6984127", "1.516493", "1.530062"),
        ("0.7971934", "1.319049", "1.319969"), ("0.8730159", "1.195748", "1.200503"), ("1.0", "1.037743", "1.036254"),
        ("1.3333333", "0.763248", "0.763616"),
    ],
}  # fmt: skip


def exceeds_probabilistic(rate: Fraction, time: Fraction, servers: int) -> bool:
    """Whether ``time`` is above the delay of the best stable probabilistic user equilibrium of exponential servers, exactly."""
    delays = [found.delay for found in solve(taxis(rate, servers)).equilibria if found.stable]
    return any(compare(Number.of(time), delay) > 0 for delay in delays)

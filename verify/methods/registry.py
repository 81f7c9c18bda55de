"""All methods, and the orders in which they are offered, tried and compared; light, for the command line lists them at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.methods.method import Method
    from verify.policies.policy import Policy

#: What stands for a method where all are tried in turn.
AUTO = "auto"
#: What ``certify --method`` offers beside "auto", in the order of its help.
OFFERED = ("linear", "explicit", "lp", "down-meyn", "corrected")
#: The rows of ``compare``, cheapest first.
COMPARED = ("linear", "down-meyn", "down-meyn cycles", "down-meyn fitted", "explicit", "lp", "corrected")


def methods() -> Mapping[str, Method]:
    """All methods by name; "plain", the first part of "linear", has one only here."""
    from verify.methods.corrected import CORRECTED
    from verify.methods.down_meyn import CYCLES, DOWN_MEYN, FITTED
    from verify.methods.explicit import EXPLICIT
    from verify.methods.growth import GROWTH
    from verify.methods.linear import LINEAR, PLAIN
    from verify.methods.lp import SEVERAL_PIECES

    listed = (LINEAR, DOWN_MEYN, CYCLES, FITTED, EXPLICIT, SEVERAL_PIECES, CORRECTED, GROWTH)
    return {"plain": PLAIN, **{method.name: method for method in listed}}


def method(name: str) -> Method:
    """The method of this name."""
    return methods()[name]


def order_of_attack(policy: Policy) -> tuple[str, ...]:
    """What is tried in turn where no method is asked for, the cheapest and likeliest first."""
    if policy.follows_pieces:
        return ("explicit", "lp")
    # Guards that compare: a proof for all non-idling policies is cheaper than one for these, which are among them.
    generic = policy.compares and policy.work_conserving
    first = ("down-meyn", "linear") if generic else ("linear", "down-meyn")
    return ("plain", *first, "lp", "growth", "corrected", "explicit")

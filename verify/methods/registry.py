"""All methods, and the orders in which they are offered, tried and compared; light: a method is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from verify.network.model import Policy, Sequencing

if TYPE_CHECKING:
    from verify.methods.method import Method

#: What stands for a method where all are tried in turn.
AUTO = "auto"
#: What ``certify --method`` offers beside "auto", in the order of its help.
OFFERED = ("linear", "explicit", "lp", "down-meyn", "corrected")
#: The rows of ``compare``, cheapest first.
COMPARED = ("linear", "down-meyn", "down-meyn cycles", "down-meyn fitted", "explicit", "lp", "corrected")
#: Work-conserving words with guards that compare: a proof for all non-idling policies is cheaper than one for them.
_ONE_OF_NON_IDLING = (Sequencing.LONGEST_QUEUE, Sequencing.LONGEST_DUPLICATE, Sequencing.MAX_WEIGHT)


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
    if policy.sequencing is Sequencing.DOMINANT:
        return ("explicit", "lp")
    generic = policy.sequencing in _ONE_OF_NON_IDLING
    first = ("down-meyn", "linear") if generic else ("linear", "down-meyn")
    return ("plain", *first, "lp", "growth", "corrected", "explicit")

"""All methods, and the orders in which they are offered, tried and compared; light: a method is imported when it is asked for."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from typing import TYPE_CHECKING

from verify.network.model import Policy, Sequencing

if TYPE_CHECKING:
    from verify.methods.method import Method

#: Name -> module and constant.
_PLACES: Mapping[str, str] = {
    "plain": "verify.methods.linear:PLAIN",
    "linear": "verify.methods.linear:LINEAR",
    "down-meyn": "verify.methods.down_meyn:DOWN_MEYN",
    "down-meyn cycles": "verify.methods.down_meyn:CYCLES",
    "down-meyn fitted": "verify.methods.down_meyn:FITTED",
    "explicit": "verify.methods.explicit:EXPLICIT",
    "lp": "verify.methods.lp:SEVERAL_PIECES",
    "corrected": "verify.methods.corrected:CORRECTED",
    "growth": "verify.methods.growth:GROWTH",
}
#: What stands for a method where all are tried in turn.
AUTO = "auto"
#: What ``certify --method`` offers beside "auto", in the order of its help.
OFFERED = ("linear", "explicit", "lp", "down-meyn", "corrected")
#: The rows of ``compare``, cheapest first.
COMPARED = ("linear", "down-meyn", "down-meyn cycles", "down-meyn fitted", "explicit", "lp", "corrected")
#: Work-conserving words with guards that compare: a proof for all non-idling policies is cheaper than one for them.
_ONE_OF_NON_IDLING = (Sequencing.LONGEST_QUEUE, Sequencing.LONGEST_DUPLICATE, Sequencing.MAX_WEIGHT)


def method(name: str) -> Method:
    """The method of this name."""
    found: Method = pkgutil.resolve_name(_PLACES[name])
    return found


def order_of_attack(policy: Policy) -> tuple[str, ...]:
    """What is tried in turn where no method is asked for, the cheapest and likeliest first."""
    if policy.sequencing is Sequencing.DOMINANT:
        return ("explicit", "lp")
    generic = policy.sequencing in _ONE_OF_NON_IDLING
    first = ("down-meyn", "linear") if generic else ("linear", "down-meyn")
    return ("plain", *first, "lp", "growth", "corrected", "explicit")

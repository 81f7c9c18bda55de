"""All methods, and the orders in which they are offered, tried and compared; light, for the command line lists them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.methods.method import Method
    from verify.policies.policy import Policy

#: What stands for a method where all are tried in turn.
AUTO = "auto"
#: What ``certify --method`` offers beside "auto", in the order of its help.
OFFERED = ("linear", "quadratic", "explicit", "lp", "down-meyn", "corrected")
#: The rows of ``compare``, cheapest first.
COMPARED = ("linear", "quadratic", "down-meyn", "down-meyn cycles", "down-meyn fitted", "explicit", "lp", "corrected")


def method(name: str) -> Method:
    """The method of this name; no other is loaded."""
    return METHODS[name]()


def _linear() -> Method:
    from verify.methods.linear import LINEAR

    return LINEAR


def _plain() -> Method:
    from verify.methods.linear import PLAIN

    return PLAIN


def _quadratic() -> Method:
    from verify.methods.quadratic import QUADRATIC

    return QUADRATIC


def _down_meyn() -> Method:
    from verify.methods.down_meyn import DOWN_MEYN

    return DOWN_MEYN


def _cycles() -> Method:
    from verify.methods.down_meyn import CYCLES

    return CYCLES


def _fitted() -> Method:
    from verify.methods.down_meyn import FITTED

    return FITTED


def _explicit() -> Method:
    from verify.methods.explicit import EXPLICIT

    return EXPLICIT


def _several_pieces() -> Method:
    from verify.methods.lp import SEVERAL_PIECES

    return SEVERAL_PIECES


def _corrected() -> Method:
    from verify.methods.corrected import CORRECTED

    return CORRECTED


def _growth() -> Method:
    from verify.methods.growth import GROWTH

    return GROWTH


#: All methods by name; "plain", the first part of "linear", has one only here.
METHODS: Mapping[str, Callable[[], Method]] = MappingProxyType(
    {
        "plain": _plain,
        "linear": _linear,
        "quadratic": _quadratic,
        "down-meyn": _down_meyn,
        "down-meyn cycles": _cycles,
        "down-meyn fitted": _fitted,
        "explicit": _explicit,
        "lp": _several_pieces,
        "corrected": _corrected,
        "growth": _growth,
    }
)


def order_of_attack(policy: Policy) -> tuple[str, ...]:
    """What is tried in turn where no method is asked for, the cheapest and likeliest first."""
    if policy.follows_pieces:
        return ("explicit", "quadratic", "lp")
    # Guards that compare: a proof for all non-idling policies is cheaper than one for these, which are among them.
    generic = policy.compares and policy.work_conserving
    first = ("down-meyn", "linear") if generic else ("linear", "down-meyn")
    return ("quadratic", "plain", *first, "lp", "growth", "corrected", "explicit")

"""All words a policy may be put together from, in the order in which messages list them.  A new word is one line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from verify.policies.back_pressure import BackPressure
from verify.policies.bernoulli import Bernoulli
from verify.policies.by_position import FirstBufferFirstServed, LastBufferFirstServed
from verify.policies.dominant import Dominant
from verify.policies.fifo import FirstInFirstOut
from verify.policies.fixed import Fixed
from verify.policies.jsq import JoinShortestQueue
from verify.policies.jsq_as import JsqAs
from verify.policies.jsr import JoinShortestRoute
from verify.policies.longest_queue import LongestDuplicate, LongestQueue
from verify.policies.max_weight import MaxWeight
from verify.policies.no_holding import NoHolding
from verify.policies.non_idling import NonIdling
from verify.policies.policy import Preset
from verify.policies.priority import Priority
from verify.policies.rules import HoldingRule, RoutingRule, Rule, SequencingRule
from verify.policies.spillback import Spillback
from verify.policies.weighted_route import WeightedRoute

_Words = TypeVar("_Words", bound="Rule | Preset")


def _by_word(rules: Sequence[type[_Words]]) -> Mapping[str, type[_Words]]:
    return MappingProxyType({rule.word: rule for rule in rules})


ROUTINGS: Mapping[str, type[RoutingRule]] = _by_word(
    (Fixed, Bernoulli, JoinShortestRoute, JoinShortestQueue, WeightedRoute)
)
SEQUENCINGS: Mapping[str, type[SequencingRule]] = _by_word(
    (
        Dominant, Priority, FirstBufferFirstServed, LastBufferFirstServed, NonIdling, LongestQueue, LongestDuplicate, MaxWeight,
        BackPressure, FirstInFirstOut,
    )
)  # fmt: skip
HOLDINGS: Mapping[str, type[HoldingRule]] = _by_word((NoHolding, Spillback))
PRESETS: Mapping[str, type[Preset]] = _by_word((JsqAs,))
#: Key of a choice -> its words.
RULES: Mapping[str, Mapping[str, type[Rule]]] = MappingProxyType(
    {"routing": ROUTINGS, "sequencing": SEQUENCINGS, "holding": HOLDINGS}
)

"""Two policies side by side: that of a certificate and that of a network file (FORMAT.md section 26)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from verify.checker.core.data import Network
from verify.checker.core.policy import Policy
from verify.checker.policies.by_words import WordPolicy
from verify.checker.policies.jsq_as import Preset
from verify.checker.policies.registry import KEYS


def written(policy: Policy) -> Mapping[str, object]:
    """All that a policy says, by key; None (of a word: nothing) where one is left out."""
    routing = sequencing = holding = preset = ""
    details: Mapping[str, object] = {}
    server_order = None
    if isinstance(policy, Preset):
        preset = policy.name
    elif isinstance(policy, WordPolicy):
        routing, sequencing, holding = policy.routing.name, policy.sequencing.name, policy.holding.name
        details, server_order = policy.details, policy.server_order
    words = {"routing": routing, "sequencing": sequencing, "holding": holding, "preset": preset}
    return {**words, **{key.name: details.get(key.name) for key in KEYS}, "server_order": server_order}


def completed(asked: Policy, claimed: Policy) -> Policy:
    """The file's policy, with what it leaves open taken from the certificate's."""
    if not isinstance(asked, WordPolicy) or not isinstance(claimed, WordPolicy):
        return asked
    return dataclasses.replace(asked, details=asked.sequencing.completed(asked.details, claimed.details))


def addition(network: Network, claimed: Policy) -> str:
    """What may have been taken from the certificate, in words."""
    if not isinstance(claimed, WordPolicy):
        return ""
    return claimed.sequencing.addition(claimed.details, claimed.state(network, "fluid"))

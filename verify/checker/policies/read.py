"""Reads the policy of a certificate (FORMAT.md section 3): whatever the words are, all keys; the rules judge them."""

from __future__ import annotations

from verify.checker.core.policy import Policy
from verify.checker.core.values import fields, orders, table, text
from verify.checker.policies.by_words import WordPolicy
from verify.checker.policies.jsq_as import Preset
from verify.checker.policies.registry import KEYS, holding, routing, sequencing


def read_policy(value: object, place: str) -> Policy:
    """Three words with their keys, or a preset."""
    if "preset" in table(value, place):
        return Preset(text(fields(value, place, ("preset",))["preset"], f"{place}.preset"))
    optional = (*(key.name for key in KEYS), "server_order")
    found = fields(value, place, ("routing", "sequencing", "holding"), optional)
    return WordPolicy(
        routing=routing(text(found["routing"], f"{place}.routing")),
        sequencing=sequencing(text(found["sequencing"], f"{place}.sequencing")),
        holding=holding(text(found["holding"], f"{place}.holding")),
        details={key.name: key.read(found[key.name], f"{place}.{key.name}") for key in KEYS if key.name in found},
        server_order=orders(found["server_order"], f"{place}.server_order") if "server_order" in found else None,
    )

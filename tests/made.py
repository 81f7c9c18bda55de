"""Policies of the prover from words and details."""

from __future__ import annotations

from typing import Any

from verify.policies.composed import ComposedPolicy
from verify.policies.policy import Policy
from verify.policies.registry import HOLDINGS, PRESETS, ROUTINGS, SEQUENCINGS


def made(
    routing: str | None = None,
    sequencing: str | None = None,
    holding: str | None = None,
    preset: str | None = None,
    server_order: Any = None,
    **details: Any,
) -> Policy:
    """The policy with these words (by default fixed, non-idling, none) and details by their keys; empty ones may be left out."""
    if preset is not None:
        return PRESETS[preset]()
    classes: tuple[Any, ...] = (
        ROUTINGS[routing or "fixed"],
        SEQUENCINGS[sequencing or "non-idling"],
        HOLDINGS[holding or "none"],
    )
    rules = [chosen(**{key: details[key] for key in chosen.keys if key in details}) for chosen in classes]
    return ComposedPolicy(*rules, **({"server_order": server_order} if server_order else {}))

"""Bounds on stationary means: placeholder until the prover is merged."""

from __future__ import annotations

from verify.conditions.mean import MeanProof
from verify.conditions.product_form import ProductForm
from verify.conditions.proof import Proof
from verify.linear_form import LinearForm
from verify.methods.method import Settings


def bound_means(stability: Proof, of: LinearForm, *, settings: Settings) -> MeanProof | ProductForm | str:
    """Placeholder."""
    return "the search for bounds is not there yet"

"""Functions in the words of claims (``verify/checker/FORMAT.md``, section 25)."""

from __future__ import annotations

from collections.abc import Sequence

from verify.network.model import ExplicitTemplate, FunctionSpec


def function_words(function: FunctionSpec, names: Sequence[str]) -> str:
    """A function by its parameters, or by all its pieces.  ``names``: the buffers it weighs, in their order."""
    if isinstance(function, ExplicitTemplate):
        scales = ((name, getattr(function, name)) for name in ("alpha", "beta", "gamma"))
        return "explicit " + " ".join(f"{name}=({', '.join(map(str, values))})" for name, values in scales)
    pieces = (" + ".join(f"{piece[name]} {name}" for name in names if piece.get(name)) for piece in function.pieces)
    return f"max({', '.join(pieces)})"

"""`jsr`: each arrival joins the route with the fewest jobs (FORMAT.md sections 3.2 and 8.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.checker.core.components import Guard
from verify.checker.core.forms import Family, count
from verify.checker.policies.key import Details
from verify.checker.policies.routing import Routing, ties_phrase
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class Jsr(Routing):
    """X_R <= X_S for every other route S."""

    name: str = "jsr"

    def entry_guards(self, walk: Walk, number: int) -> Iterator[Guard]:
        """Sound because a uniform split at a tie is a mixture of the alternatives whose guards hold there."""
        stream, jobs = walk.state.streams[number], [count(span) for span in walk.state.routes[number]]
        labels = [entry.label for entry in stream.entries]
        family = Family(f"route({stream.job_class}:", labels, jobs, walk.guards.normals, uniform=True)
        routes = range(len(labels))
        return (tuple(family.at_least(other, own) for other in routes if other != own) for own in routes)

    def phrase(self, details: Details, uniform: bool) -> str:
        """With how ties are split."""
        return ties_phrase(self.name, uniform)


JSR = Jsr()

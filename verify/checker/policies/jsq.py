"""`jsq`: at arrival and after each service the next server is one with the fewest jobs (FORMAT.md sections 3.2, 8.4, 8.5).

The choice after a service is in `walk`: a service has a destination for each possible next server.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.checker.core.components import Guard
from verify.checker.core.data import RouteNetwork
from verify.checker.policies.graphs import check_jsq
from verify.checker.policies.key import Details
from verify.checker.policies.routing import Routing, ties_phrase
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class Jsq(Routing):
    """Q_N <= Q_M for every other possible server M."""

    name: str = "jsq"
    by_queues: ClassVar[bool] = True

    def check_network(self, network: RouteNetwork) -> None:
        """The routes of each class are the paths of a graph without cycles."""
        for job_class in network.classes:
            check_jsq(job_class)

    def entry_guards(self, walk: Walk, number: int) -> Iterator[Guard]:
        """Sound because a uniform split at a tie is a mixture of the alternatives whose guards hold there."""
        servers = [entry.label for entry in walk.state.streams[number].entries]
        return (walk.guards.shortest_queue(server, servers) for server in servers)

    def phrase(self, details: Details, uniform: bool) -> str:
        """With how ties are split."""
        return ties_phrase(self.name, uniform)


JSQ = Jsq()

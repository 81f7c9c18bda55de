"""`fixed`: each class has one route (FORMAT.md section 3.2); the routing of all buffer networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from verify.checker.core.data import RouteNetwork
from verify.checker.core.errors import require
from verify.checker.policies.routing import Routing


@dataclass(frozen=True)
class Fixed(Routing):
    """One way in for each stream."""

    name: str = "fixed"
    static: ClassVar[bool] = True
    for_buffers: ClassVar[bool] = True

    def check_network(self, network: RouteNetwork) -> None:
        """One route."""
        for job_class in network.classes:
            found = len(job_class.routes)
            require(found == 1, "policy", f"class {job_class.name}, fixed routing", f"{found} routes", "1 route")


FIXED = Fixed()

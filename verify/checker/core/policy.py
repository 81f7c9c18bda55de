"""What the conditions ask of a policy; how each policy word answers is in `policies`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction

from verify.checker.core.components import Component, Drifts
from verify.checker.core.data import Network
from verify.checker.core.forms import Form
from verify.checker.core.guards import Guards
from verify.checker.core.state import State, Stream

Groups = Mapping[str, tuple[tuple[int, ...], ...]]  # for each server its buffers in groups, the highest first


class Policy(ABC):
    """A policy as it is written; the methods below hold for policies that satisfy the rules above them.

    Each rule says which policies pass, and why that is enough.
    """

    # ---- rules
    @abstractmethod
    def check_network(self, network: Network) -> None:
        """**policy**, first part: the policy is defined on a network that satisfies **network**."""

    @abstractmethod
    def check_state(self, state: State, condition: str) -> None:
        """**policy**, second part: what depends on the coordinates, and on the claim's condition."""

    @abstractmethod
    def check_cells(self, state: State, where: str) -> None:
        """**shared-buffer**: the policy may be looked at in pattern cells."""

    @abstractmethod
    def check_faces(self, state: State) -> Groups:
        """**faces-policy**: faces may stand in place of trees. Returns the groups of each server."""

    @abstractmethod
    def check_product(self, state: State) -> None:
        """**product-form**: the policy serves every buffer by itself."""

    # ---- the walk
    @abstractmethod
    def state(self, network: Network, condition: str) -> State:
        """The state of the network (section 4.1)."""

    @abstractmethod
    def pieces(self, state: State) -> tuple[Form, ...]:
        """**function** for the policy's own function: its pieces; () if it has none."""

    @abstractmethod
    def components(self, state: State, guards: Guards, drifts: Drifts, pieces: tuple[Form, ...]) -> list[Component]:
        """The components (section 8); `pieces` are those of the policy's own function."""

    @abstractmethod
    def entry_value(self, stream: Stream, workload: Form) -> Fraction:
        """What an arrival of this stream adds to a workload, at least and in mean (section 9)."""

    # ---- words
    @abstractmethod
    def scope(self, network: Network) -> str:
        """What condition N speaks of, in words (section 25.2)."""

    @abstractmethod
    def phrase(self, state: State, uniform: bool) -> str:
        """The policy in words; `uniform`: the proof needs ties of routing to be split uniformly."""

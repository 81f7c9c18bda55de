"""Policies: a routing, a sequencing and a holding, each chosen separately, or a whole policy with a name (theory 1.3 to 1.6).

A policy states what the rest of the house needs to know of it; nobody else asks for words by their names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from verify.chain.components import Alternative, Component
from verify.chain.guards import Normals
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion, Split
from verify.network.model import FunctionSpec, Network, RouteNetwork
from verify.network.names import Coordinates
from verify.policies.rules import NO_ORDERS, Orders


@dataclass(frozen=True)
class AtIntegers:
    """What the closed guard of an alternative leaves out at points of Z^K (theory 2).

    ``positive``: forms that must all be positive there; ``one_positive``: one of these must, if there are any; ``group``:
    alternatives of one group are the options of one decision whose ties are split uniformly in a simulation.
    """

    positive: tuple[LinearForm, ...]
    one_positive: tuple[LinearForm, ...]
    group: Hashable


class Policy(ABC):
    """A whole policy: what the rest of the house may ask of it."""

    # What it is called -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def choices(self) -> Mapping[str, str]:
        """Key -> word, as in a file."""

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """The form of the certificate (FORMAT.md, section 3); details only where the policy has them."""

    @abstractmethod
    def claim(self, network: Network, ties: str) -> str:
        """Its words in a claim about stability or growth.  ``ties``: how ties of routing are split."""

    @abstractmethod
    def scope(self, network: Network, ties: str) -> str:
        """What condition N speaks of: its routing, with any sequencing and holding."""

    @abstractmethod
    def choice_words(self, options: Mapping[str, str]) -> str:
        """Which of several places a job takes, in words.  ``options``: label -> buffer."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Lines that explain its moves below a table of services."""
        return ()

    # Where it lives and what it does ---------------------------------------------------------------

    @abstractmethod
    def coordinates(self, network: Network) -> Coordinates:
        """What its state counts, and a test function weighs."""

    def meeting(self, network: Network) -> Coordinates:
        """The same, but pairs where jobs of a class that meet at a server may go on along any route."""
        return self.coordinates(network)

    @abstractmethod
    def expansion(self, network: Network) -> Expansion:
        """The graph on which it walks."""

    def capacity_graph(self, network: Network) -> Expansion:
        """The graph of condition N (theory 7): as :meth:`expansion`, but the union graph where jobs recombine routes."""
        return self.expansion(network)

    @abstractmethod
    def components(
        self, expansion: Expansion, normals: Normals, dominance: PiecewiseLinear | None
    ) -> tuple[Component, ...]:
        """What streams and servers do.  Raises ``NotWalked``."""

    @abstractmethod
    def at_integers(self, expansion: Expansion, normals: Normals) -> Callable[[Alternative], AtIntegers]:
        """How its alternatives are read at integer states."""

    def places(self, following: int, expansion: Expansion) -> tuple[int, ...]:
        """The buffers that a served job may come to instead of the following one."""
        return (following,)

    # Traits ----------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def is_preset(self) -> bool:
        """Is it a whole policy with a name, without routing, sequencing and holding of its own?"""

    @property
    @abstractmethod
    def by_state(self) -> bool:
        """Do jobs choose by looking at numbers of jobs?"""

    @property
    @abstractmethod
    def holds(self) -> bool:
        """May a buffer with jobs be kept back?"""

    @property
    def work_conserving(self) -> bool:
        """Does its sequencing work whenever a buffer is ready?"""
        return False

    @property
    def static(self) -> bool:
        """Do servers ask only which buffers are ready?  Then they have :meth:`groups`."""
        return False

    @property
    def compares(self) -> bool:
        """Do servers compare their buffers?"""
        return False

    @property
    def follows_pieces(self) -> bool:
        """Do all servers follow one piece of a dominance function?"""
        return False

    @property
    def free(self) -> bool:
        """May a server take any ready buffer, so that every priority is one of its policies?"""
        return False

    @property
    def remembers(self) -> bool:
        """Is its state more than numbers of jobs?"""
        return False

    @property
    def rate_free(self) -> bool:
        """Do its choices depend on numbers of jobs alone, and not on rates?"""
        return True

    # Details ---------------------------------------------------------------------------------------

    @property
    def split(self) -> Split | None:
        """The probabilities with which routes are drawn; None: they are not drawn."""
        return None

    @property
    def orders(self) -> Orders:
        """The priorities that a file states."""
        return NO_ORDERS

    @property
    def dominance_function(self) -> FunctionSpec | None:
        """The function whose pieces are followed; None: there is none, or it is left to the tool."""
        return None

    @property
    def tie_order(self) -> Orders:
        """Which of several bottlenecks of a piece comes first."""
        return NO_ORDERS

    @property
    def lacks_function(self) -> bool:
        """Is a dominance function left to the tool, so that there is no chain yet?"""
        return self.follows_pieces and self.dominance_function is None

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """Static policies: buffers of the server, highest priority group first; free choice inside a group."""
        raise ValueError("no priority groups")


class Preset(Policy):
    """A whole policy with a name, for some route networks.  ``word``: the name, as files and certificates write it."""

    word: ClassVar[str]

    @classmethod
    @abstractmethod
    def check(cls, network: RouteNetwork) -> None:
        """Is it defined on this network?  Raises ``InputError``."""

    @property
    def choices(self) -> Mapping[str, str]:
        """The word alone."""
        return {"preset": self.word}

    def to_json(self) -> dict[str, object]:
        """The word alone."""
        return dict(self.choices)

    def claim(self, network: Network, ties: str) -> str:
        """Whatever the ties."""
        return f"preset {self.word} (ties in any way)"

    def scope(self, network: Network, ties: str) -> str:
        """Its moves."""
        return f"the moves of preset {self.word} in any order"

    @property
    def is_preset(self) -> bool:
        """It is one."""
        return True

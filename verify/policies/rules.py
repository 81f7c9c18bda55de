"""What a policy is put together from: a routing, a sequencing and a holding, each one word of a file with its details.

A word is one frozen dataclass, in a file of its own in this room.  It carries its details, in fields called as their keys in
files, and states what everybody else needs to know of it: nobody asks for a word by its name.  :mod:`verify.policies.registry`
lists them all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Self

from verify.chain.components import Component
from verify.chain.guards import Guard, Normal, Normals, Signs
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.network.expansion import Destination, Expansion, Service, Split, Stream, route_expansion
from verify.network.fields import Table
from verify.network.model import FunctionSpec, Network, RouteNetwork
from verify.network.names import Coordinates

Orders = Mapping[str, tuple[str, ...]]
"""Server -> its buffers, or buffer -> its servers, the first in order first."""
NO_ORDERS: Orders = MappingProxyType({})
#: The expansions that have routes or classes, and all.
ON_ROUTES = frozenset({Coordinates.SUBSERVERS, Coordinates.PAIRS})
EVERYWHERE = frozenset(Coordinates)


class Rule(ABC):
    """One word.  Its text is the word itself.

    ``word`` as files and certificates write it; ``keys`` of its details in the policy table; ``synonyms``: other names that
    people give it, in lower case with ``-`` between parts, and for some of them what to write instead.
    """

    word: ClassVar[str]
    keys: ClassVar[tuple[str, ...]] = ()
    synonyms: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @classmethod
    def read(cls, table: Table, network: Network, coordinates: Coordinates) -> Self:
        """The word with its details from the policy table.  Raises ``InputError``."""
        return cls()

    def details(self) -> dict[str, object]:
        """Its details in the form of the certificate (FORMAT.md, section 3), empty ones left out."""
        return {}

    def __str__(self) -> str:
        return self.word


def also(*names: str, cure: str = "") -> Mapping[str, str]:
    """Synonyms with one cure; "": write the word."""
    return dict.fromkeys(names, cure)


class RoutingRule(Rule):
    """How an arriving job of a class chooses its route, or every job its next server (theory 1.5).

    Traits: ``coordinates``: what the state of a route network counts; ``one_route``: for networks in which every class has one
    route, and no others (a buffer network is one of them); ``by_state``: jobs look at numbers of jobs, so that ties are possible;
    ``chooses``: what a job then takes, in words that go on with the list of places; ``misuse``: what is to be said where it is
    chosen for a network that it does not fit.
    """

    coordinates: ClassVar[Coordinates] = Coordinates.SUBSERVERS
    one_route: ClassVar[bool] = False
    by_state: ClassVar[bool] = False
    chooses: ClassVar[str] = ""
    misuse: ClassVar[str] = ""

    @classmethod
    def check(cls, network: RouteNetwork) -> None:
        """Is it defined on this network?  Raises ``InputError``."""

    @property
    def split(self) -> Split | None:
        """The probabilities with which routes are drawn; None: they are not drawn."""
        return None

    def expansion(self, network: RouteNetwork) -> Expansion:
        """The graph on which it walks."""
        return route_expansion(network, self.split)

    def guard(self, place: Stream | Service, chosen: Destination, expansion: Expansion, normals: Normals) -> Guard:
        """Where a job that arrives, or has been served, may take this one of the destinations of the place."""
        return {}

    def claim(self, ties: str) -> str:
        """Its words in a claim.  ``ties``: how ties are split, in words."""
        return f"{self.word} (ties {ties})" if self.by_state else self.word


class Readiness:
    """When a buffer may be worked on: guards "K is ready" and "K is not ready"."""

    def __init__(self, expansion: Expansion, normals: Normals):
        self.expansion, self.normals = expansion, normals

    def may_be_held(self, k: int) -> bool:
        """Is there a state in which K has jobs and is not ready?"""
        return self.surplus(k) is not None

    def surplus(self, k: int) -> Normal | None:
        """The form that must be positive for K to be ready, beside x_K itself; None: there is none."""
        return None

    def unready(self, buffers: Iterable[int]) -> dict[Normal, Signs]:
        """None of the buffers is ready."""
        guard: dict[Normal, Signs] = {}
        for k in buffers:
            surplus = self.surplus(k)
            if surplus is None:
                guard[coordinate(k, self.expansion, self.normals)] = Signs.ZERO
            else:
                guard[surplus] = Signs.NOT_POSITIVE
        return guard

    def ready(self, k: int) -> Guard:
        """K is ready, as a closed guard (x_K >= 1 is remembered by the alternative itself)."""
        surplus = self.surplus(k)
        return {} if surplus is None else {surplus: Signs.NOT_NEGATIVE}


class HoldingRule(Rule):
    """When a buffer with jobs is not worked on (theory 1.6).

    Trait: ``holds``: there are such states.  Sequencing chooses among ready buffers: letting a held job block the server
    deadlocks (Rybko-Stolyar entry priority at load 2/5).
    """

    holds: ClassVar[bool] = True

    def readiness(self, expansion: Expansion, normals: Normals) -> Readiness:
        """The guards of one chain.  Raises ``NotWalked`` where the rule is not defined."""
        return Readiness(expansion, normals)

    def claim(self) -> str:
        """Its words in a claim."""
        return self.word


@dataclass(frozen=True)
class Setting:
    """What a sequencing needs to build its alternatives.

    ``server_order``: buffer -> its servers, the first to take a job first, for buffers that several servers share; ``dominance``:
    the dominance function of those that have one.
    """

    expansion: Expansion
    normals: Normals
    readiness: Readiness
    routing: RoutingRule
    server_order: Orders
    dominance: PiecewiseLinear | None


class SequencingRule(Rule):
    """Which buffer a server works on (theory 1.3).  All sequencing is preemptive-resume; free ties are alternatives, every one of
    which must satisfy the conditions.

    Traits: ``defined_on``: what the state may count; ``work_conserving``: a server works whenever a buffer is ready, so that a
    proof for all non-idling policies covers it; ``static``: guards ask only which buffers are ready, for priority groups
    (:class:`~verify.policies.static.StaticSequencing`); ``compares``: guards compare buffers with each other
    (:class:`~verify.policies.comparing.ComparingSequencing`); ``follows_pieces``: all servers follow one piece of a dominance
    function; ``free``: any ready buffer may be taken, so that every priority is one of its policies; ``remembers``: the state is
    more than numbers of jobs, and it is walked as one of the non-idling policies; ``rate_free``: guards contain no rates.
    """

    defined_on: ClassVar[frozenset[Coordinates]] = EVERYWHERE
    work_conserving: ClassVar[bool] = True
    static: ClassVar[bool] = False
    compares: ClassVar[bool] = False
    follows_pieces: ClassVar[bool] = False
    free: ClassVar[bool] = False
    remembers: ClassVar[bool] = False
    rate_free: ClassVar[bool] = True
    #: What is followed, None if there is nothing, or if it is left to the tool; which of several bottlenecks comes first.
    dominance_function: FunctionSpec | None = None
    tie_order: Orders = NO_ORDERS

    @classmethod
    def check(cls, network: RouteNetwork, coordinates: Coordinates, place: str) -> None:
        """Is it defined on this network?  ``place``: where the word stands.  Raises ``InputError``."""

    @property
    def orders(self) -> Orders:
        """The priorities that a file states."""
        return NO_ORDERS

    def following(self, function: FunctionSpec, tie_order: Orders) -> SequencingRule:
        """The same with this dominance function and tie order.  Raises ``ValueError`` if it follows no pieces."""
        raise ValueError(f"{self.word} follows no pieces")

    @abstractmethod
    def components(self, setting: Setting) -> tuple[Component, ...]:
        """What the servers do.  Raises ``NotWalked``."""

    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """Static rules: buffers of the server, highest priority group first; free choice inside a group."""
        raise ValueError(f"{self.word} has no priority groups")

    def rank(self, service: Service) -> LinearForm:
        """Comparing rules: the number by which buffers are compared; the largest is served."""
        raise ValueError(f"{self.word} compares no buffers")

    def least(self, service: Service) -> LinearForm | None:
        """Comparing rules: a form that must not be negative for the buffer to be served; None: none must."""
        return None

    def claim(self, network: Network) -> str:
        """Its words in a claim."""
        return self.word

    def addition(self, network: Network) -> str:
        """More words, after the holding."""
        return ""


def coordinate(k: int, expansion: Expansion, normals: Normals) -> Normal:
    """The normal x_k."""
    return normals.get(f"x({expansion.names[k]})", lambda: LinearForm.unit(k))


def shortest(differences: Sequence[tuple[Normal, int]]) -> Guard:
    """No other is shorter.  ``differences``: for each other one the normal ±(length − other length), and that sign."""
    return {normal: Signs.NOT_POSITIVE if sign > 0 else Signs.NOT_NEGATIVE for normal, sign in differences}

"""Keys of a policy: each belongs to a word, which says how it is read (FORMAT.md sections 3 and 25)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar, cast

from verify.checker.core.data import Function, JobClass, Orders
from verify.checker.core.errors import require

T = TypeVar("T")
Details = Mapping[str, object]  # for each key that is given what it says


class Need(Enum):
    """When a word asks for a key of its own."""

    ALWAYS = auto()
    WALKED = auto()  # for all conditions but N
    OPTIONAL = auto()


class FileReader(Protocol):
    """What reading a key of a network file may need: its parameters, and its network under the file's routing."""

    @property
    def classes(self) -> tuple[JobClass, ...]:
        """The classes of a route network."""

    def number(self, value: object, place: str) -> Fraction:
        """An exact number or an expression."""

    def buffer(self, value: object, place: str) -> str:
        """The buffer that a name of the file means."""

    def orders(self, value: object, place: str) -> Orders:
        """`{server: [buffer, ...]}`."""

    @property
    def names(self) -> Iterable[str]:
        """All buffers."""

    def weights(self, value: object, place: str) -> dict[str, Fraction]:
        """`{buffer: number}`, every buffer at most once."""

    def single_buffers(self) -> Orders:
        """For each server that has one buffer its order."""

    def function(self, value: object, place: str) -> Function:
        """A function by pieces or by the template."""


@dataclass(frozen=True)
class Key(Generic[T]):
    """A key of the policy.

    read: what a certificate writes there. read_file: what a network file says, from all keys of its policy (also where
    this one is left out); None: nothing.
    """

    name: str
    read: Callable[[object, str], T]
    read_file: Callable[[FileReader, Mapping[str, object]], T | None]
    need: Need = Need.ALWAYS

    def of(self, details: Details) -> T | None:
        """What the key says; None where it is left out."""
        return cast("T | None", details.get(self.name))

    def check_given(self, owner: str, wanted: bool, details: Details, condition: str) -> None:
        """**policy**: the key is given exactly where a word asks for it; `owner` is that word, `wanted`: it is chosen.

        Sound because section 8 reads the key under this word, and nowhere else.
        """
        given = self.name in details
        if self.need is Need.OPTIONAL or (wanted and self.need is Need.WALKED and condition == "capacity"):
            require(wanted or not given, "policy", self.name, "given", f"only with {owner}")
        else:
            require(given == wanted, "policy", self.name, given, wanted)


AnyKey = Key[Any]

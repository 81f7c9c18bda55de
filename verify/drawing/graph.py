"""Labelled graphs to be drawn: what has been found, without a place on the paper yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What a node of a picture stands for."""

    ORIGIN = "origin"
    SERVER = "server"
    BUFFER = "buffer"
    EXIT = "exit"


@dataclass(frozen=True)
class Node:
    """A node with its lines of text; ``group`` numbers its colour (class, or server of a buffer network), -1 is neutral."""

    role: Role
    lines: tuple[str, ...] = ()
    group: int = -1


@dataclass(frozen=True)
class Arrow:
    """Jobs move from node ``tail`` to node ``head``; colour as in :class:`Node`."""

    tail: str
    head: str
    group: int = -1
    label: str = ""


@dataclass(frozen=True)
class Graph:
    """Nodes by key, arrows, and links: for each server a chain through its buffers.  ``lanes``: key -> (route, position),
    both from 0, in route expansions; there the links stand for imaginary transitions."""

    nodes: Mapping[str, Node]
    arrows: tuple[Arrow, ...]
    links: tuple[tuple[str, str], ...] = ()
    lanes: Mapping[str, tuple[int, int]] = field(default_factory=dict)

"""Pictures of the expansion (``queueproof expand --plot``): the original network beside the graph of the state.

As in the paper's figures, solid arrows are actual transitions, dashed ones imaginary transitions between duplicates of a
server.  Lengths are inches on paper, y grows upwards; every curve runs in the gutters between columns and lanes, so none
hides a box.  Colours are those of Okabe & Ito; since boxes and arrows are named as well, grey print loses nothing.
"""

from __future__ import annotations

import io
import os
import tempfile
import textwrap
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.errors import InputError
from verify.network.messages import shown_path
from verify.network.model import Instance, RouteNetwork
from verify.report.expansion_text import Graph, Node, Role, printable, server_graph, state_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Shapes ------------------------------------------------------------------------------------------

FONT = "DejaVu Sans"
#: Font size in points; line height, arrowhead, distance of arrows at a box, room between boxes, and between columns in inches.
SIZE, LINE, HEAD, PORT, GAP, GUTTER = 9.0, 0.15, 0.09, 0.15, 0.2, 0.38
#: Length of the queue that stands before a server.
QUEUE = 0.26


@dataclass(frozen=True)
class Bend:
    """A point of a curve and the direction (unit vector) in which the curve passes it."""

    x: float
    y: float
    along: tuple[int, int] = (1, 0)


@dataclass(frozen=True)
class Box:
    """A rectangle: centre, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """x of the left edge."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """x of the right edge."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """y of the upper edge."""
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        """y of the lower edge."""
        return self.y - self.height / 2


@dataclass(frozen=True)
class Picture:
    """A graph laid out: boxes of the nodes, bends of each arrow and link, bands (with colour groups) behind the lanes."""

    graph: Graph
    boxes: Mapping[str, Box]
    arrows: Sequence[Sequence[Bend]]
    links: Sequence[Sequence[Bend]]
    bands: Sequence[tuple[Box, int]] = ()

    @property
    def extent(self) -> Box:
        """The smallest rectangle around everything; curves that turn back bulge by a quarter of an inch at most."""
        boxes = [*self.boxes.values(), *(band for band, _ in self.bands)]
        curves = [*self.arrows, *self.links]
        turning = [bend for curve in curves for a, b in pairwise(curve) if a.along != b.along for bend in (a, b)]
        rates = [self.boxes[key].bottom - 0.18 for key, node in self.graph.nodes.items() if node.role is Role.SERVER]
        left = min([box.left for box in boxes] + [bend.x - 0.25 for bend in turning])
        right = max([box.right for box in boxes] + [bend.x + 0.25 for bend in turning])
        ends = [bend.y for curve in curves for bend in curve]
        low, high = min([box.bottom for box in boxes] + ends + rates), max([box.top for box in boxes] + ends)
        return Box((left + right) / 2, (low + high) / 2, right - left, high - low)


@cache
def text_width(text: str, weight: str = "normal") -> float:
    """Width of a text in the pictures' font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not text:
        return 0.0
    font = FontProperties(family=FONT, weight=weight)
    return float(TextPath((0, 0), text.replace("$", "S"), size=SIZE, prop=font).get_extents().width) / 72


def sized(node: Node, ports: int = 0) -> Box:
    """The box of a node, large enough for its text and for the arrows on one side; not yet placed."""
    if node.role is Role.EXIT:
        return Box(0, 0, 0, LINE)
    if node.role is Role.SERVER:
        return Box(0, 0, QUEUE + max(0.38, text_width(node.lines[0]) + 0.2), max(0.38, PORT * ports + 0.05))
    if node.role is Role.ORIGIN:
        return Box(0, 0, max(text_width(line, "bold") for line in node.lines) + 0.08, LINE * len(node.lines) + 0.04)
    return Box(0, 0, max(map(text_width, node.lines)) + 0.14, max(LINE * len(node.lines) + 0.08, PORT * ports))


def tracks(spans: Iterable[tuple[int, int]]) -> list[int]:
    """For each closed span the first track, from 0, on which it meets no earlier one.

    >>> tracks([(0, 2), (1, 3), (3, 4)])
    [0, 1, 0]
    """
    taken: list[list[tuple[int, int]]] = []
    found = []
    for low, high in spans:
        free = (n for n, others in enumerate(taken) if all(high < a or b < low for a, b in others))
        found.append(next(free, len(taken)))
        if found[-1] == len(taken):
            taken.append([])
        taken[found[-1]].append((low, high))
    return found


def controls(bends: Sequence[Bend]) -> list[tuple[float, float]]:
    """Points of the cubic Bézier curve through the bends: the first one, then three for each piece."""
    points = [(bends[0].x, bends[0].y)]
    for a, b in pairwise(bends):
        reach = abs((b.x - a.x) * a.along[0] + (b.y - a.y) * a.along[1]) / 2
        if a.along != b.along:
            reach += min(0.36, 0.17 + 0.14 * abs(b.y - a.y) + 0.05 * abs(b.x - a.x))
        points.append((a.x + reach * a.along[0], a.y + reach * a.along[1]))
        points += [(b.x - reach * b.along[0], b.y - reach * b.along[1]), (b.x, b.y)]
    return points


def walked(bends: Sequence[Bend], distance: float) -> tuple[float, float]:
    """The point of the curve at a distance (measured sideways) from its beginning."""
    points = controls(bends)
    for n in range(0, len(points) - 1, 3):
        for t in (step / 40 for step in range(41)):
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * p[i] for w, p in zip(weights, points[n : n + 4], strict=True)) for i in (0, 1))
            if abs(x - bends[0].x) >= distance:
                return x, y
    return points[-1]


# Layered layout ----------------------------------------------------------------------------------


def layers(graph: Graph) -> tuple[dict[str, int], list[int]]:
    """Longest-path layers, and the arrows left out because they close a cycle (nodes are taken in listed order)."""
    waiting = {key: {a.tail for a in graph.arrows if a.head == key != a.tail} for key in graph.nodes}
    layer: dict[str, int] = {}
    back: list[int] = []
    reached: dict[str, None] = {}
    while waiting:
        free = (key for key, before in waiting.items() if not before)
        key = next(free, None) or next((k for k in reached if k in waiting), None) or next(iter(waiting))
        back += [n for n, a in enumerate(graph.arrows) if a.head == key and a.tail in waiting]
        layer[key] = max((layer[a.tail] + 1 for a in graph.arrows if a.head == key and a.tail in layer), default=0)
        del waiting[key]
        for head in [a.head for a in graph.arrows if a.tail == key and a.head in waiting]:
            waiting[head].discard(key)
            reached[head] = None
    for key in [key for key, node in graph.nodes.items() if node.role is Role.ORIGIN]:
        layer[key] = min(layer[a.head] for a in graph.arrows if a.tail == key) - 1
    return {key: number - min(layer.values()) for key, number in layer.items()}, back


def settled(wanted: Sequence[float], rooms: Sequence[float]) -> list[float]:
    """Heights, downwards in the given order, nearest to the wanted ones (least squares) such that rooms do not overlap.

    >>> settled([0.0, 0.0, -5.0], [1.0, 1.0, 1.0])
    [0.5, -0.5, -5.0]
    """
    below = [0.0]
    for upper, lower in pairwise(rooms):
        below.append(below[-1] + (upper + lower) / 2)
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(wanted, below, strict=True):
        mean, count = want + offset, 1
        while blocks and blocks[-1][0] < mean:
            before, more = blocks.pop()
            mean, count = (mean * count + before * more) / (count + more), count + more
        blocks.append((mean, count))
    tops = [mean for mean, count in blocks for _ in range(count)]
    return [top - offset for top, offset in zip(tops, below, strict=True)]


def heights(
    columns: Sequence[list[str]], near: Mapping[str, list[str]], rooms: Mapping[str, float]
) -> dict[str, float]:
    """y of every item: sweeps that sort the columns by the mean height of neighbours; the least total rise is kept."""
    y = dict.fromkeys(near, 0.0)
    best, least = dict(y), float("inf")
    for sweep in range(48):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            want = {k: sum(y[n] for n in near[k]) / len(near[k]) if near[k] else y[k] for k in column}
            if sweep < 24:
                column.sort(key=lambda k: -want[k])
            y |= zip(column, settled([want[k] for k in column], [rooms[k] for k in column]), strict=True)
        rise = sum(abs(y[k] - y[n]) for k, others in near.items() for n in others)
        if rise < least - 1e-9:
            best, least = dict(y), rise
    for column in columns:
        column.sort(key=lambda k: -best[k])
    return best


class _Layered:
    """Layout by longest paths from left to right; arrows that close a cycle run back above or below everything.

    Edges are the arrows, then the links, numbered together; an edge is a chain of items: its tail, a bend in each column
    that it crosses, its head.  ``flat`` are the links within a column.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.column, self.back = layers(graph)
        self.columns: list[list[str]] = [[] for _ in range(max(self.column.values()) + 1)]
        for key in graph.nodes:
            self.columns[self.column[key]].append(key)
        pairs = [(arrow.tail, arrow.head) for arrow in graph.arrows]
        pairs += [(a, b) if self.column[a] <= self.column[b] else (b, a) for a, b in graph.links]
        self.chains = [self._chain(number, *pair) for number, pair in enumerate(pairs)]
        self.flat = [n for n, (a, b) in enumerate(pairs) if n not in self.back and self.column[a] == self.column[b]]
        self.boxes = self._sizes()
        self.y = self._heights()
        self.left, self.right = self._places()
        self.track = {number: y for side in (1, -1) for number, y in self._back_tracks(side).items()}
        self.port = self._ports()

    def _chain(self, number: int, tail: str, head: str) -> list[str]:
        bends = {n: f"bend {number} {n}" for n in range(self.column[tail] + 1, self.column[head])}
        for n, key in bends.items():
            self.columns[n].append(key)
        return [tail, *bends.values(), head]

    def _sizes(self) -> dict[str, Box]:
        """Boxes without their places; the busier side of a node counts."""
        edges = [chain for number, chain in enumerate(self.chains) if number not in self.flat]
        sides = [[chain[side] for chain in edges] for side in (0, -1)]
        return {key: sized(node, max(side.count(key) for side in sides)) for key, node in self.graph.nodes.items()}

    def _heights(self) -> dict[str, float]:
        near: dict[str, list[str]] = {key: [] for column in self.columns for key in column}
        for number, chain in enumerate(self.chains):
            for a, b in pairwise(chain) if number not in self.back else ():
                near[a].append(b)
                near[b].append(a)
        rooms = {key: self.boxes[key].height + GAP if key in self.boxes else LINE for key in near}
        rooms |= {key: rooms[key] + LINE for key, node in self.graph.nodes.items() if node.role is Role.SERVER}
        return heights(self.columns, near, rooms)

    def _places(self) -> tuple[list[float], list[float]]:
        """Left edge of each column, and right edge of the labels behind it; the boxes are put in their places."""
        left, right = [0.0], []
        for number, column in enumerate(self.columns):
            members = [key for key in column if key in self.boxes]
            width = max(self.boxes[key].width for key in members)
            labels = [a.label for a in self.graph.arrows if a.label and self.column[a.tail] == number]
            right.append(left[-1] + width + max((text_width(label) + 0.08 for label in labels), default=0.0))
            left.append(right[-1] + (GUTTER - 0.08 if labels else GUTTER))
            for key in members:
                self.boxes[key] = replace(self.boxes[key], x=left[number] + width / 2, y=self.y[key])
        return left, right

    def _back_tracks(self, side: int) -> dict[int, float]:
        """Height at which arrows of cycles run back: above everything (side 1) if their ends lie in the upper half."""
        middle = sum(box.y for box in self.boxes.values()) / len(self.boxes)
        lift = {n: self.y[self.chains[n][0]] + self.y[self.chains[n][-1]] - 2 * middle for n in self.back}
        edge = max(side * box.y + box.height / 2 for box in self.boxes.values()) + (0.18 if side > 0 else 0.28)
        spans = {n: (self.column[self.chains[n][-1]], self.column[self.chains[n][0]]) for n in self.back}
        here = [n for n in self.back if (lift[n] > 1e-6) == (side > 0)]
        here.sort(key=lambda n: spans[n][1] - spans[n][0])
        places = tracks(spans[n] for n in here)
        return {number: side * (edge + LINE * place) for number, place in zip(here, places, strict=True)}

    def _ports(self) -> dict[tuple[int, int], float]:
        """(edge, side) -> height of that end: the ends at one side of a node are ordered such that they need not cross."""
        ends: dict[tuple[str, int], list[tuple[float, int]]] = {}
        for number, chain in enumerate(self.chains):
            for side, far in ((0, chain[1]), (-1, chain[-2])) if number not in self.flat else ():
                ends.setdefault((chain[side], side), []).append((-self._leads_to(number, far), number))
        port = {}
        for (key, side), listed in ends.items():
            step = 0.0 if self.graph.nodes[key].role is Role.ORIGIN else PORT
            for place, (_, number) in enumerate(sorted(listed)):
                port[number, side] = self.y[key] + ((len(listed) - 1) / 2 - place) * step
        return port

    def _leads_to(self, number: int, far: str) -> float:
        """The height to which an end leads; of the arrows that turn back the innermost is the first to turn."""
        track = self.track.get(number)
        return self.y[far] if track is None else 1e6 / track

    def bends(self, number: int) -> list[Bend]:
        """The curve of one edge."""
        chain = self.chains[number]
        if number in self.flat:
            return self._flat(chain[0], chain[-1])
        tail, head = self.boxes[chain[0]], self.boxes[chain[-1]]
        start, end = self.port[number, 0], self.port[number, -1]
        right, left = self.right[self.column[chain[0]]], self.left[self.column[chain[-1]]]
        if number in self.track:
            between = [Bend(x, self.track[number], (-1, 0)) for x in (right, left)]
        else:
            crossed = enumerate(chain[1:-1], start=self.column[chain[0]] + 1)
            between = [Bend(x, self.y[key]) for n, key in crossed for x in (self.left[n], self.right[n])]
        first = [Bend(tail.right, start), *([Bend(right, start)] if right > tail.right else [])]
        last = [*([Bend(left, end)] if head.left > left + HEAD else []), Bend(head.left, end)]
        return [*first, *between, *last]

    def _flat(self, one: str, other: str) -> list[Bend]:
        """A link within a column: straight down to the next item, else around those between."""
        upper, lower = sorted((self.boxes[one], self.boxes[other]), key=lambda box: -box.y)
        column = self.columns[self.column[one]]
        if abs(column.index(one) - column.index(other)) == 1:
            return [Bend(upper.x, upper.bottom, (0, -1)), Bend(lower.x, lower.top, (0, -1))]
        return [Bend(upper.left, upper.bottom + 0.07, (-1, 0)), Bend(lower.left, lower.top - 0.07)]


def layered(graph: Graph) -> Picture:
    """The layered layout of a graph."""
    layout = _Layered(graph)
    curves = [layout.bends(number) for number in range(len(layout.chains))]
    return Picture(graph, layout.boxes, curves[: len(graph.arrows)], curves[len(graph.arrows) :])


# Lanes -------------------------------------------------------------------------------------------


class _Lanes:
    """A route expansion: one horizontal lane for each route.

    A link within a lane bends above or below it, one between neighbouring lanes stays in the gap between them, a longer
    one takes the gutter beside its upper end.  Gap n lies above lane n.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.links, self.place = graph, graph.links, graph.lanes
        self.group = {lane: graph.nodes[key].group for key, (lane, _) in graph.lanes.items()}
        sizes = [sized(graph.nodes[key]) for key in graph.lanes]
        self.width, self.height = max(box.width for box in sizes), max(box.height for box in sizes)
        self.side = self._sides()
        self.gap = self._gaps()
        self.y = self._heights()
        self.slot = self._slots()
        self.x = self._columns()
        self.boxes = {
            key: Box(self.x[p], self.y[lane], self.width, self.height) for key, (lane, p) in self.place.items()
        }
        self.fork = -HEAD - max((text_width(a.label) + 0.1 for a in graph.arrows if a.label), default=0.0)
        self.boxes |= self._ends()
        self.foot = self._feet()

    def _sides(self) -> dict[int, int]:
        """Links within a lane bend upwards (1) or downwards (-1), the servers in turn."""
        sides, side = {}, -1
        for number, (a, b) in enumerate(self.links):
            side = side if number and self.links[number - 1][1] == a else -side
            if self.place[a][0] == self.place[b][0]:
                sides[number] = side
        return sides

    def _gaps(self) -> list[float]:
        """Heights of the gaps, which grow with the links in them, and between classes."""
        used = []
        for number, ends in enumerate(self.links):
            a, b = (self.place[key][0] for key in ends)
            used += [a + (self.side[number] < 0)] if a == b else list(dict.fromkeys((a + 1, b)))
        apart = [
            n not in (0, len(self.group)) and self.group[n] != self.group[n - 1] for n in range(len(self.group) + 1)
        ]
        return [0.16 + min(0.04 * used.count(n) + 0.1 * (n in used), 0.6) + 0.22 * apart[n] for n in range(len(apart))]

    def _heights(self) -> list[float]:
        y = [0.0]
        for gap in self.gap[1:-1]:
            y.append(y[-1] - self.height - gap)
        return y

    def _slots(self) -> dict[int, tuple[int, int]]:
        """Long link -> (position whose right gutter it takes, track in that gutter)."""
        spans: dict[int, dict[int, tuple[int, int]]] = {}
        for number, (one, other) in enumerate(self.links):
            (a, p), (b, q) = self.place[one], self.place[other]
            if b > a + 1:
                spans.setdefault(p if q >= p else p - 1, {})[number] = (a + 1, b - 1)
        found = ((gutter, here, tracks(here.values())) for gutter, here in spans.items())
        return {
            number: (gutter, track)
            for gutter, here, places in found
            for number, track in zip(here, places, strict=True)
        }

    def _columns(self) -> list[float]:
        """x of each position; a gutter is as wide as its tracks need."""
        x = [self.width / 2]
        for p in range(max(position for _, position in self.place.values())):
            count = 1 + max((track for gutter, track in self.slot.values() if gutter == p), default=-1)
            x.append(x[-1] + self.width + max(0.3, 0.24 + 0.1 * count))
        return x

    def _ends(self) -> dict[str, Box]:
        """Origins stand left of the first position, exits right of a lane's last subserver."""
        found = {}
        for key, node in self.graph.nodes.items():
            if node.role is Role.EXIT:
                tail = next(self.boxes[a.tail] for a in self.graph.arrows if a.head == key)
                found[key] = replace(sized(node), x=tail.right + 0.28, y=tail.y)
            if node.role is Role.ORIGIN:
                ys = [self.boxes[a.head].y for a in self.graph.arrows if a.tail == key]
                size = sized(node)
                found[key] = replace(size, x=self.fork - 0.32 - size.width / 2, y=(ys[0] + ys[-1]) / 2)
        return found

    def arrow(self, number: int) -> list[Bend]:
        """Along a lane, or from an origin to the beginning of a lane."""
        arrow = self.graph.arrows[number]
        tail, head = self.boxes[arrow.tail], self.boxes[arrow.head]
        fork = [Bend(self.fork, head.y)] if tail.y != head.y else []
        return [Bend(tail.right, tail.y), *fork, Bend(head.left, head.y)]

    def _feet(self) -> dict[tuple[int, int], float]:
        """(link, end) -> its x: the ends above (or below) one box stand side by side, ordered like their other ends."""
        ends: dict[tuple[str, int], list[tuple[float, int, int]]] = {}
        for number, pair in enumerate(self.links):
            for end in (0, 1):
                above = self.side.get(number, 1 if end else -1)
                ends.setdefault((pair[end], above), []).append((self.boxes[pair[1 - end]].x, number, end))
        return {
            (number, end): self.boxes[key].x + (n - (len(listed) - 1) / 2) * PORT
            for (key, _), listed in ends.items()
            for n, (_, number, end) in enumerate(sorted(listed))
        }

    def link(self, number: int) -> list[Bend]:
        """From box to box, leaving and coming vertically."""
        one, other = (self.boxes[key] for key in self.links[number])
        start, end = self.foot[number, 0], self.foot[number, 1]
        if number in self.side:
            up = self.side[number]
            edge = one.top if up > 0 else one.bottom
            return [Bend(start, edge, (0, up)), Bend(end, edge, (0, -up))]
        between = []
        if number in self.slot:
            position, track = self.slot[number]
            x = self.x[position] + self.width / 2 + 0.14 + 0.1 * track
            a, b = (self.place[key][0] for key in self.links[number])
            ys = (self.y[a + 1] + self.height / 2, self.y[b - 1] - self.height / 2)
            between = [Bend(x, y, (0, -1)) for y in ys]
        return [Bend(start, one.bottom, (0, -1)), *between, Bend(end, other.top, (0, -1))]

    def bands(self) -> list[tuple[Box, int]]:
        """A rectangle behind the lanes of each class."""
        left = min(box.left for box in self.boxes.values()) - 0.08
        right = max(box.right for box in self.boxes.values()) + 0.12
        found = []
        for group in dict.fromkeys(self.group.values()):
            lanes = [lane for lane, one in self.group.items() if one == group]
            above, below = (
                0.1 if n not in (0, len(self.group)) else self.gap[n] - 0.05 for n in (lanes[0], lanes[-1] + 1)
            )
            top, bottom = self.y[lanes[0]] + self.height / 2 + above, self.y[lanes[-1]] - self.height / 2 - below
            found.append((Box((left + right) / 2, (top + bottom) / 2, right - left, top - bottom), group))
        return found


def in_lanes(graph: Graph) -> Picture:
    """The lanes of a route expansion."""
    layout = _Lanes(graph)
    arrows = [layout.arrow(number) for number in range(len(graph.arrows))]
    links = [layout.link(number) for number in range(len(graph.links))]
    return Picture(graph, layout.boxes, arrows, links, layout.bands())


# Drawing -----------------------------------------------------------------------------------------

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_INK = "#222222"
_DASHED: dict[str, Any] = {"color": "#444444", "lw": 1.0, "zorder": 3, "ls": (0, (3.5, 2))}
_FRAME: dict[str, Any] = {"fc": "white", "lw": 1.3, "zorder": 4}


def _colour(group: int) -> str:
    return _INK if group < 0 else _COLOURS[group % len(_COLOURS)]


def _tint(group: int) -> tuple[float, ...]:
    """The colour of a group, nine parts white."""
    return tuple(0.9 + 0.1 * int(_colour(group)[n : n + 2], 16) / 255 for n in (1, 3, 5))


@dataclass(frozen=True)
class _Pen:
    """Draws on axes whose unit is an inch; ``dx``, ``dy`` move the picture, ``panel`` begins the names of its parts."""

    axes: Axes
    dx: float = 0.0
    dy: float = 0.0
    panel: str = ""

    def text(self, x: float, y: float, words: str, **style: Any) -> None:
        """One line of text, centred unless the style says otherwise."""
        options = {"ha": "center", "va": "center_baseline", "color": _INK, "fontsize": SIZE, "zorder": 5, **style}
        self.axes.text(x + self.dx, y + self.dy, words, parse_math=False, **options)

    def box(self, box: Box, gid: str, rounding: float, **style: Any) -> None:
        """A rectangle with round corners."""
        from matplotlib.patches import FancyBboxPatch

        corner, shape = (box.left + self.dx, box.bottom + self.dy), f"round,pad=0,rounding_size={rounding}"
        self.axes.add_patch(FancyBboxPatch(corner, box.width, box.height, shape, gid=self.panel + gid, **style))

    def disc(self, box: Box, gid: str, **style: Any) -> None:
        """An ellipse."""
        from matplotlib.patches import Ellipse

        middle = (box.x + self.dx, box.y + self.dy)
        self.axes.add_patch(Ellipse(middle, box.width, box.height, gid=self.panel + gid, **style))

    def curve(self, bends: Sequence[Bend], gid: str, heads: Sequence[int], **style: Any) -> None:
        """A smooth line through the bends with arrowheads at the ends named (0 and -1)."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Curve

        moved = [replace(bend, x=bend.x + self.dx, y=bend.y + self.dy) for bend in bends]
        for end in heads:
            moved[end] = self._head(moved[end], -1 if end == 0 else 1, style)
        points = controls(moved)
        codes = [Curve.MOVETO, *[Curve.CURVE4] * (len(points) - 1)]
        self.axes.add_patch(PathPatch(Curve(points, codes), fill=False, gid=self.panel + gid, capstyle="butt", **style))

    def _head(self, tip: Bend, sign: int, style: Mapping[str, Any]) -> Bend:
        """An arrowhead that ends in ``tip``; returns where its line ends."""
        from matplotlib.patches import Polygon

        u, v = sign * tip.along[0] * HEAD, sign * tip.along[1] * HEAD
        corners = [(tip.x, tip.y), *((tip.x - u - s * 0.42 * v, tip.y - v + s * 0.42 * u) for s in (1, -1))]
        self.axes.add_patch(Polygon(corners, closed=True, color=style["color"], lw=0, zorder=style["zorder"]))
        return replace(tip, x=tip.x - 0.8 * u, y=tip.y - 0.8 * v)


def _draw_node(pen: _Pen, node: Node, box: Box, gid: str) -> None:
    """A buffer in a box, a server with its queue, or the words of an origin."""
    if node.role is Role.SERVER:
        _draw_server(pen, node, box, gid)
        return
    if node.role is Role.BUFFER:
        pen.box(box, gid, 0.06, ec=_colour(node.group), **_FRAME)
    for n, words in enumerate(node.lines):
        bold = n == 0 and node.role is Role.ORIGIN and len(node.lines) > 1
        y = box.y + ((len(node.lines) - 1) / 2 - n) * LINE
        pen.text(box.x, y, words, weight="bold" if bold else "normal")


def _draw_server(pen: _Pen, node: Node, box: Box, gid: str) -> None:
    """The field's symbol: an open queue in front of a round server."""
    left, right = box.left + pen.dx, box.left + QUEUE + pen.dx
    top, bottom = (box.y + sign * 0.4 * box.height + pen.dy for sign in (1, -1))
    pen.axes.fill([left, right, right, left], [top, top, bottom, bottom], color="white", lw=0, zorder=4)
    rails = [((left, right), (y, y)) for y in (top, bottom)]
    for xs, ys in [*rails, *(((right - d, right - d), (bottom, top)) for d in (0.04, 0.12, 0.2))]:
        pen.axes.plot(xs, ys, color=_INK, lw=1.1, zorder=4, solid_capstyle="butt")
    disc = Box(box.x + QUEUE / 2, box.y, box.width - QUEUE, box.height)
    if disc.width < 1.2 * disc.height:
        pen.disc(disc, gid, ec=_INK, **_FRAME)
    else:
        pen.box(disc, gid, disc.height / 2, ec=_INK, **_FRAME)
    pen.text(disc.x, disc.y, node.lines[0])
    for words in node.lines[1:]:
        pen.text(disc.x, box.bottom - 0.1, words)


def _draw(pen: _Pen, picture: Picture) -> None:
    """Bands, arrows with their labels, links, nodes."""
    graph = picture.graph
    for band, group in picture.bands:
        pen.box(band, f"class-{group}", 0.1, fc=_tint(group), ec="none", zorder=0)
    for n, (arrow, bends) in enumerate(zip(graph.arrows, picture.arrows, strict=True)):
        pen.curve(bends, f"arrow-{n}", [-1], color=_colour(arrow.group), lw=1.3, zorder=2)
        if arrow.label:
            late = graph.nodes[arrow.tail].role is Role.ORIGIN
            start, before = ([*reversed(bends)], HEAD + 0.04) if late else (bends, 0.06)
            x, y = walked(start, before + text_width(arrow.label) / 2)
            ground = {"fc": _tint(arrow.group) if picture.bands else "white", "ec": "none", "pad": 0.6}
            pen.text(x, y, arrow.label, bbox=ground, zorder=3)
    for n, bends in enumerate(picture.links):
        pen.curve(bends, f"link-{n}", _link_heads(picture), **_DASHED)
    for n, (key, node) in enumerate(graph.nodes.items()):
        _draw_node(pen, node, picture.boxes[key], f"{node.role}-{n}")


def _link_heads(picture: Picture) -> list[int]:
    """Imaginary transitions go both ways; elsewhere a link only says that two buffers have one server."""
    return [0, -1] if picture.graph.lanes else []


# The page ----------------------------------------------------------------------------------------

_FORMATS = {".svg": "svg", ".png": "png"}
#: Room for a picture on a page (width, height), and the least font size in print that panels side by side must keep.
_PAGE, _LEAST_SIZE = (7.2, 10.0), 8.0
_DPI, _MOST_PIXELS = 200, 16000
_BETWEEN, _CAPTION, _MARGIN = 0.3, 0.3, 0.15


def draw_expansion(instance: Instance, path: str | Path) -> None:
    """Write the picture as SVG or PNG, by the suffix of ``path``; the same network gives the same bytes.

    The file is there whole, or not at all.  Raises ``InputError``: another suffix, or a file that cannot be written.
    """
    target, shown = Path(path), shown_path(str(path))
    if target.suffix.lower() not in _FORMATS:
        raise InputError("--plot", "a file name that ends in .svg or .png", shown)
    if not target.parent.is_dir() or target.is_dir():
        raise InputError("--plot", "a file in an existing folder", shown)
    data = _rendered(instance, _FORMATS[target.suffix.lower()])
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".plot-") as folder:
            whole = Path(folder) / "whole"
            whole.write_bytes(data)
            os.replace(whole, target)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise InputError("--plot", "a file that can be written", f"{shown}: {reason}") from error


def _rendered(instance: Instance, file_format: str) -> bytes:
    """The picture's bytes, whatever style the user's matplotlib has."""
    import matplotlib
    from matplotlib.figure import Figure

    title = printable(instance.title)
    metadata = {"Date": None, "Creator": "queueproof", "Title": title} if file_format == "svg" else {"Software": None}
    page = io.BytesIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a title in letters that the font lacks
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": "queueproof", "svg.fonttype": "path", "font.family": FONT})
        figure = Figure()
        _compose(figure, _panels(instance), title)
        dpi = min(_DPI, _MOST_PIXELS / max(figure.get_size_inches()))
        figure.savefig(page, format=file_format, dpi=dpi, metadata=metadata)
    return page.getvalue()


def _panels(instance: Instance) -> dict[str, Picture]:
    """Caption -> picture."""
    state = state_graph(instance)
    if not isinstance(instance.network, RouteNetwork):
        return {"buffer network": layered(state)}
    if not state.lanes and not state.links:
        return {"union graph of the routes": layered(state)}
    first = {"(a) original network": layered(server_graph(instance.network))}
    if state.lanes:
        return first | {"(b) route expansion": in_lanes(state)}
    return first | {"(b) union graph of the routes": layered(state)}


def _printed(width: float, height: float) -> float:
    """How large a picture is printed on an upright page; 1 if it fits."""
    return min(1.0, _PAGE[0] / width, _PAGE[1] / height)


def _compose(figure: Figure, panels: Mapping[str, Picture], title: str) -> None:
    """Panels abreast if print stays readable, else below one another; title above, key below."""
    sizes = [(max(p.extent.width, text_width(words)), p.extent.height + _CAPTION) for words, p in panels.items()]
    more = _BETWEEN * (len(sizes) - 1)
    abreast = (sum(w for w, _ in sizes) + more, max(h for _, h in sizes))
    stacked = (max(w for w, _ in sizes), sum(h for _, h in sizes) + more)
    beside = _printed(*abreast) >= min(_LEAST_SIZE / SIZE, _printed(*stacked))
    linked = next((picture for picture in panels.values() if picture.links), None)
    width = max((abreast if beside else stacked)[0], 2.8) + 2 * _MARGIN
    lines = textwrap.wrap(title, max(20, int(width * 11)))
    top = (abreast if beside else stacked)[1] + (0.42 if linked else 0.12)
    height = top + 0.12 + (0.18 * len(lines) + 0.1 if lines else 0)
    figure.set_size_inches(width, height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    for n, line in enumerate(lines):
        _Pen(axes).text(_MARGIN, height - 0.2 - 0.18 * n, line, ha="left", fontsize=9.5, weight="bold")
    x = (width - abreast[0]) / 2
    for n, ((caption, picture), (w, h)) in enumerate(zip(panels.items(), sizes, strict=True)):
        middle, room = (x + w / 2, abreast[1]) if beside else (width / 2, h)
        _draw_panel(axes, "ab"[n], picture, caption, Box(middle, top - room / 2, w, room))
        x, top = (x + w + _BETWEEN, top) if beside else (x, top - h - _BETWEEN)
    if linked is not None:
        _draw_key(_Pen(axes, width / 2, 0.16), linked)


def _draw_panel(axes: Axes, letter: str, picture: Picture, caption: str, room: Box) -> None:
    extent = picture.extent
    _draw(_Pen(axes, room.x - extent.x, room.y + _CAPTION / 2 - extent.y, f"{letter}-"), picture)
    _Pen(axes).text(room.x, room.bottom + 0.08, caption)


def _draw_key(pen: _Pen, picture: Picture) -> None:
    """What dashed lines mean."""
    words = "imaginary transitions between duplicates" if picture.graph.lanes else "buffers of one server"
    left = -(text_width(words) + 0.6) / 2
    pen.curve([Bend(left, 0), Bend(left + 0.5, 0)], "key", _link_heads(picture), **_DASHED)
    pen.text(left + 0.6, 0, words, ha="left")

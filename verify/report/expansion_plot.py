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
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from verify.errors import InputError
from verify.network.messages import shown_path
from verify.network.model import Instance, RouteNetwork
from verify.report.expansion_text import Graph, Node, Role, printable, server_graph, state_graph

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_INK, _LINK, _SIZE = "#222222", "#444444", 8.5
_HEAD, _LINE, _GAP, _PORT, _TURN, _GUTTER, _QUEUE = 0.09, 0.15, 0.2, 0.15, 0.3, 0.5, 0.3
_WIDEST, _DPI, _MOST_PIXELS = 10.4, 200, 16000
_FORMATS = {".svg": "svg", ".png": "png"}


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


@dataclass(frozen=True)
class Picture:
    """A graph laid out: boxes of the nodes, bends of each arrow and link, bands (with colours) behind the lanes."""

    graph: Graph
    boxes: Mapping[str, Box]
    arrows: Sequence[Sequence[Bend]]
    links: Sequence[Sequence[Bend]]
    bands: Sequence[tuple[Box, int]] = ()


@cache
def _width(text: str) -> float:
    """Width of a text in the pictures' font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans")
    return float(TextPath((0, 0), text.replace("$", "S"), size=_SIZE, prop=font).get_extents().width) / 72 if text else 0.0


def _box(node: Node, ports: int = 0) -> Box:
    """The box of a node, large enough for its text and for the arrows on one side; not yet placed."""
    if node.role is Role.EXIT:
        return Box(0, 0, 0, _LINE)
    if node.role is Role.SERVER:
        return Box(0, 0, _QUEUE + max(0.38, _width(node.lines[0]) + 0.2), max(0.38, _PORT * ports + 0.05))
    width, height = max(map(_width, node.lines)), _LINE * len(node.lines)
    margin = 0.08 if node.role is Role.ORIGIN else 0.2
    return Box(0, 0, width + margin, max(height + margin / 2, 0 if node.role is Role.ORIGIN else _PORT * ports))


def _tracks(spans: Iterable[tuple[int, int]]) -> list[int]:
    """For each closed span the first track, from 0, on which it meets no earlier one."""
    taken: list[list[tuple[int, int]]] = []
    found = []
    for low, high in spans:
        free = (n for n, others in enumerate(taken) if all(high < a or b < low for a, b in others))
        found.append(next(free, len(taken)))
        if found[-1] == len(taken):
            taken.append([])
        taken[found[-1]].append((low, high))
    return found


# Layered layout ----------------------------------------------------------------------------------


def _layers(graph: Graph) -> tuple[dict[str, int], list[int]]:
    """Longest-path layers from 0, and the arrows left out because they close a cycle (nodes are taken in listed order)."""
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
    return layer, back


def _settle(wanted: Sequence[float], rooms: Sequence[float]) -> list[float]:
    """Heights, downwards in the given order, nearest to the wanted ones (least squares) such that rooms do not overlap."""
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


def _heights(columns: Sequence[list[str]], near: Mapping[str, list[str]], rooms: Mapping[str, float]) -> dict[str, float]:
    """y of every item: sweeps that sort columns by the mean height of neighbours; the least total rise is kept."""
    y = dict.fromkeys(near, 0.0)
    best, least = dict(y), float("inf")
    for sweep in range(48):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            want = {k: sum(y[n] for n in near[k]) / len(near[k]) if near[k] else y[k] for k in column}
            if sweep < 24:
                column.sort(key=lambda k: -want[k])
            y |= zip(column, _settle([want[k] for k in column], [rooms[k] for k in column]), strict=True)
        rise = sum(abs(y[k] - y[n]) for k, others in near.items() for n in others)
        if rise < least - 1e-9:
            best, least = dict(y), rise
    for column in columns:
        column.sort(key=lambda k: -best[k])
    return best


class _Layered:
    """Layout by longest paths from left to right; arrows that close a cycle run back above or below everything."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        layer, self.back = _layers(graph)
        self.column = {key: number - min(layer.values()) for key, number in layer.items()}
        self.columns: list[list[str]] = [[] for _ in range(max(self.column.values()) + 1)]
        for key in graph.nodes:
            self.columns[self.column[key]].append(key)
        ahead = [(a, b) if layer[a] <= layer[b] else (b, a) for a, b in graph.links]
        pairs = [(arrow.tail, arrow.head) for arrow in graph.arrows] + ahead
        self.chains = [self._chain(number, *pair) for number, pair in enumerate(pairs)]
        self.flat = [n for n, (a, b) in enumerate(pairs) if n not in self.back and layer[a] == layer[b]]
        sides = [[chain[side] for n, chain in enumerate(self.chains) if n not in self.flat] for side in (0, -1)]
        self.boxes = {key: _box(node, max(side.count(key) for side in sides)) for key, node in graph.nodes.items()}
        self.y = self._settled()
        self.left, self.right = self._places()
        self.track = self._back_tracks()
        self.port = self._ports()

    def _chain(self, number: int, tail: str, head: str) -> list[str]:
        """Tail, one bend for each column between, head."""
        bends = {n: f"bend {number} {n}" for n in range(self.column[tail] + 1, self.column[head])}
        for n, key in bends.items():
            self.columns[n].append(key)
        return [tail, *bends.values(), head]

    def _settled(self) -> dict[str, float]:
        near: dict[str, list[str]] = {key: [] for column in self.columns for key in column}
        for number, chain in enumerate(self.chains):
            for a, b in pairwise(chain) if number not in self.back else ():
                near[a].append(b)
                near[b].append(a)
        rooms = {key: self.boxes[key].height + _GAP if key in self.boxes else _LINE for key in near}
        rooms |= {key: rooms[key] + _LINE for key, node in self.graph.nodes.items() if node.role is Role.SERVER}
        return _heights(self.columns, near, rooms)

    def _places(self) -> tuple[list[float], list[float]]:
        """Left edge of each column, and right edge of the labels behind it; the boxes are put in their places."""
        left, right = [0.0], []
        for number, column in enumerate(self.columns):
            width = max(self.boxes[key].width for key in column if key in self.boxes)
            words = [_width(a.label) + 0.15 for a in self.graph.arrows if a.label and self.column[a.tail] == number]
            right.append(left[-1] + width + max(words, default=0.0))
            left.append(right[-1] + _GUTTER)
            for key in self.boxes.keys() & set(column):
                self.boxes[key] = replace(self.boxes[key], x=left[number] + width / 2, y=self.y[key])
        return left, right

    def _back_tracks(self) -> dict[int, float]:
        """Height at which each arrow of a cycle runs back: above everything if its ends lie in the upper half."""
        found = {}
        for side in (1, -1):
            edge = max(side * box.y + box.height / 2 for box in self.boxes.values()) + (0.2 if side > 0 else 0.3)
            here = [n for n in self.back if (self.y[self.chains[n][0]] + self.y[self.chains[n][-1]] > 1e-6) == (side > 0)]
            spans = {n: (self.column[self.chains[n][-1]], self.column[self.chains[n][0]]) for n in here}
            here.sort(key=lambda n: spans[n][1] - spans[n][0])
            tracks = _tracks(spans[n] for n in here)
            found |= {n: side * (edge + _LINE * track) for n, track in zip(here, tracks, strict=True)}
        return found

    def _ports(self) -> dict[tuple[int, int], float]:
        """(edge, side) -> height of that end: the ends at one side of a node are ordered like the points they lead to."""
        ends: dict[tuple[str, int], list[tuple[float, int]]] = {}
        for number, chain in enumerate(self.chains):
            for side, far in ((0, chain[1]), (-1, chain[-2])) if number not in self.flat else ():
                ends.setdefault((chain[side], side), []).append((-self.track.get(number, self.y[far]), number))
        port = {}
        for (key, side), listed in ends.items():
            step = 0 if self.graph.nodes[key].role is Role.ORIGIN else _PORT
            for place, (_, number) in enumerate(sorted(listed)):
                port[number, side] = self.y[key] + ((len(listed) - 1) / 2 - place) * step
        return port

    def bends(self, number: int) -> list[Bend]:
        """The curve of one edge."""
        chain = self.chains[number]
        tail, head = self.boxes[chain[0]], self.boxes[chain[-1]]
        if number in self.flat:
            return self._flat(chain[0], chain[-1])
        start, end = self.port[number, 0], self.port[number, -1]
        right, left = self.right[self.column[chain[0]]], self.left[self.column[chain[-1]]]
        between = [
            Bend(x, self.y[key])
            for n, key in enumerate(chain[1:-1], start=self.column[chain[0]] + 1)
            for x in (self.left[n], self.right[n])
        ]
        if number in self.track:
            between = [Bend(x, self.track[number], (-1, 0)) for x in (right, left)]
        first, last = Bend(tail.x + tail.width / 2, start), Bend(head.x - head.width / 2, end)
        return [first, Bend(right, start), *between, Bend(left, end), last]

    def _flat(self, one: str, other: str) -> list[Bend]:
        """A link within a column: straight down to the next item, else around those between."""
        upper, lower = sorted((self.boxes[one], self.boxes[other]), key=lambda box: -box.y)
        top, bottom = upper.y - upper.height / 2, lower.y + lower.height / 2
        column = self.columns[self.column[one]]
        if abs(column.index(one) - column.index(other)) == 1:
            return [Bend(upper.x, top, (0, -1)), Bend(lower.x, bottom, (0, -1))]
        ends = [(box.x - box.width / 2, y) for box, y in ((upper, top + 0.07), (lower, bottom - 0.07))]
        return [Bend(*ends[0], (-1, 0)), Bend(*ends[1])]


def layered(graph: Graph) -> Picture:
    """The layered layout of a graph."""
    layout = _Layered(graph)
    curves = [layout.bends(number) for number in range(len(layout.chains))]
    return Picture(graph, layout.boxes, curves[: len(graph.arrows)], curves[len(graph.arrows) :])


# Lanes -------------------------------------------------------------------------------------------


class _Lanes:
    """One horizontal lane for each route; links between neighbouring lanes stay in the gap, longer ones take gutters."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.lanes = graph, graph.lanes
        self.group = {lane: graph.nodes[key].group for key, (lane, _) in graph.lanes.items()}
        sizes = [_box(graph.nodes[key]) for key in graph.lanes]
        self.width, self.height = max(box.width for box in sizes), max(box.height for box in sizes)
        self.side = self._sides()
        self.y = self._heights()
        self.slot = self._slots()
        self.x, self.gutter = self._columns()
        self.boxes = {key: Box(self.x[p], self.y[lane], self.width, self.height) for key, (lane, p) in self.lanes.items()}
        self._add_ends()

    def _sides(self) -> dict[int, int]:
        """Links within a lane bend upwards (1) or downwards (-1), the servers in turn."""
        sides, side = {}, 1
        for number, (a, b) in enumerate(self.graph.links):
            side = side if number and self.graph.links[number - 1][1] == a else -side
            if self.lanes[a][0] == self.lanes[b][0]:
                sides[number] = -side
        return sides

    def _gaps(self, number: int) -> tuple[int, int]:
        """The gaps (gap n lies above lane n) that a link leaves into and comes from."""
        (a, _), (b, _) = (self.lanes[key] for key in self.graph.links[number])
        return (a + 1, b) if a != b else (a + (self.side[number] < 0),) * 2

    def _heights(self) -> list[float]:
        """y of each lane; a gap grows with the links in it."""
        used = [gap for number in range(len(self.graph.links)) for gap in set(self._gaps(number))]
        self.gap = [0.18 + min(0.05 * used.count(n) + 0.1 * (n in used), 0.6) for n in range(len(self.group) + 1)]
        y = [0.0]
        for n in range(1, len(self.group)):
            y.append(y[-1] - self.height - self.gap[n] - (0.3 if self.group[n] != self.group[n - 1] else 0))
        return y

    def _slots(self) -> dict[int, tuple[int, int]]:
        """Long link -> (position whose right gutter it takes, track in that gutter)."""
        wanted: dict[int, dict[int, tuple[int, int]]] = {}
        for number, (one, other) in enumerate(self.graph.links):
            (a, p), (b, q) = self.lanes[one], self.lanes[other]
            if b > a + 1:
                wanted.setdefault(p if q >= p else p - 1, {})[number] = (a + 1, b - 1)
        return {
            number: (gutter, track)
            for gutter, spans in wanted.items()
            for number, track in zip(spans, _tracks(spans.values()), strict=True)
        }

    def _columns(self) -> tuple[list[float], list[float]]:
        """x of each position, and where the gutter on its right begins."""
        x, gutter = [self.width / 2], []
        for p in range(1 + max(p for _, p in self.lanes.values())):
            gutter.append(x[-1] + self.width / 2)
            tracks = 1 + max((track for place, track in self.slot.values() if place == p), default=-1)
            x.append(gutter[-1] + max(0.4, 0.24 + 0.1 * tracks) + self.width / 2)
        return x, gutter

    def _add_ends(self) -> None:
        """Boxes of origins (left of the first position) and exits (right of a lane's last subserver)."""
        words = max((_width(a.label) + 0.1 for a in self.graph.arrows if a.label), default=0.0)
        self.fork = -_HEAD - words
        for arrow in self.graph.arrows:
            if self.graph.nodes[arrow.head].role is Role.EXIT:
                tail = self.boxes[arrow.tail]
                self.boxes[arrow.head] = Box(tail.x + tail.width / 2 + 0.36, tail.y, 0, _LINE)
        for key, node in self.graph.nodes.items():
            if node.role is Role.ORIGIN:
                ys = [self.boxes[a.head].y for a in self.graph.arrows if a.tail == key]
                size = _box(node)
                self.boxes[key] = replace(size, x=self.fork - 0.45 - size.width / 2, y=(ys[0] + ys[-1]) / 2)

    def arrow(self, number: int) -> list[Bend]:
        """Along a lane, or from an origin to the lane's beginning."""
        arrow = self.graph.arrows[number]
        tail, head = self.boxes[arrow.tail], self.boxes[arrow.head]
        start, end = Bend(tail.x + tail.width / 2, tail.y), Bend(head.x - head.width / 2, head.y)
        return [start, *([Bend(self.fork, head.y)] if tail.y != head.y else []), end]

    def link(self, number: int) -> list[Bend]:
        """From box to box, leaving and coming vertically."""
        one, other = (self.boxes[key] for key in self.graph.links[number])
        start, end = self._port(number, 0), self._port(number, 1)
        bottom, top = one.y - one.height / 2, other.y + other.height / 2
        if number in self.side:
            up = self.side[number]
            return [Bend(x, one.y + up * one.height / 2, (0, along)) for x, along in ((start, up), (end, -up))]
        between = []
        if number in self.slot:
            place, track = self.slot[number]
            x, (a, b) = self.gutter[place] + 0.14 + 0.1 * track, (self.lanes[key][0] for key in self.graph.links[number])
            between = [Bend(x, self.y[a + 1] + self.height / 2, (0, -1)), Bend(x, self.y[b - 1] - self.height / 2, (0, -1))]
        return [Bend(start, bottom, (0, -1)), *between, Bend(end, top, (0, -1))]

    def _port(self, number: int, side: int) -> float:
        """x of one end of a link: the ends above or below one box stand side by side."""
        here = self._foot(number, side)
        ends = [(n, s) for n in range(len(self.graph.links)) for s in (0, 1) if self._foot(n, s) == here]
        ends.sort(key=lambda end: self.boxes[self.graph.links[end[0]][1 - end[1]]].x)
        return self.boxes[here[0]].x + (ends.index((number, side)) - (len(ends) - 1) / 2) * _PORT

    def _foot(self, number: int, side: int) -> tuple[str, int]:
        """The box at one end of a link, and whether the link is above (1) or below (-1) it."""
        return self.graph.links[number][side], self.side.get(number, 1 if side else -1)

    def bands(self) -> list[tuple[Box, int]]:
        """A rectangle behind the lanes of each class."""
        left = min(box.x - box.width / 2 for box in self.boxes.values()) - 0.08
        right = max(box.x + box.width / 2 for box in self.boxes.values()) + 0.12
        found = []
        for group in dict.fromkeys(self.group.values()):
            lanes = [lane for lane, one in self.group.items() if one == group]
            extra = [self.gap[n] * 0.6 if n in (0, len(self.group)) and self.gap[n] > 0.18 else 0 for n in (lanes[0], lanes[-1] + 1)]
            top, bottom = self.y[lanes[0]] + self.height / 2 + 0.1 + extra[0], self.y[lanes[-1]] - self.height / 2 - 0.1 - extra[1]
            found.append((Box((left + right) / 2, (top + bottom) / 2, right - left, top - bottom), group))
        return found


def in_lanes(graph: Graph) -> Picture:
    """The lanes of a route expansion."""
    layout = _Lanes(graph)
    arrows = [layout.arrow(number) for number in range(len(graph.arrows))]
    links = [layout.link(number) for number in range(len(graph.links))]
    return Picture(graph, layout.boxes, arrows, links, layout.bands())


# Drawing -----------------------------------------------------------------------------------------


def _colour(group: int) -> str:
    return _INK if group < 0 else _COLOURS[group % len(_COLOURS)]


@dataclass
class _Pen:
    """Draws on axes whose unit is an inch; ``dx``, ``dy`` move the picture, ``panel`` begins the names of its parts."""

    axes: Axes
    dx: float = 0.0
    dy: float = 0.0
    panel: str = ""

    def text(self, x: float, y: float, words: str, **style: object) -> None:
        """One line of text, centred unless the style says otherwise."""
        options = {"ha": "center", "va": "center_baseline", "color": _INK, "fontsize": _SIZE, "zorder": 5, **style}
        self.axes.text(x + self.dx, y + self.dy, words, parse_math=False, **options)

    def patch(self, box: Box, gid: str, rounding: float, **style: object) -> None:
        """A rectangle with round corners."""
        from matplotlib.patches import FancyBboxPatch

        corner = (box.x - box.width / 2 + self.dx, box.y - box.height / 2 + self.dy)
        shape = f"round,pad=0,rounding_size={rounding}"
        self.axes.add_patch(FancyBboxPatch(corner, box.width, box.height, boxstyle=shape, gid=self.panel + gid, **style))

    def curve(self, bends: Sequence[Bend], gid: str, heads: Sequence[int], **style: object) -> None:
        """A smooth line through the bends with arrowheads at the ends named (0 and -1)."""
        from matplotlib.patches import PathPatch, Polygon
        from matplotlib.path import Path as Curve

        moved = [replace(bend, x=bend.x + self.dx, y=bend.y + self.dy) for bend in bends]
        for end in heads:
            tip, sign = moved[end], -1 if end == 0 else 1
            (u, v), back = (sign * tip.along[0], sign * tip.along[1]), _HEAD
            base = replace(tip, x=tip.x - back * u, y=tip.y - back * v)
            corners = [(tip.x, tip.y), *((base.x - s * v * 0.038, base.y + s * u * 0.038) for s in (1, -1))]
            self.axes.add_patch(Polygon(corners, closed=True, color=style["color"], lw=0, zorder=style["zorder"]))
            moved[end] = replace(base, x=base.x + 0.02 * u, y=base.y + 0.02 * v)
        points, codes = [(moved[0].x, moved[0].y)], [Curve.MOVETO]
        for a, b in pairwise(moved):
            reach = max(abs((b.x - a.x) * a.along[0] + (b.y - a.y) * a.along[1]) / 2, _TURN if a.along != b.along else 0)
            points += [(a.x + reach * a.along[0], a.y + reach * a.along[1])]
            points += [(b.x - reach * b.along[0], b.y - reach * b.along[1]), (b.x, b.y)]
            codes += [Curve.CURVE4] * 3
        self.axes.add_patch(PathPatch(Curve(points, codes), fill=False, gid=self.panel + gid, capstyle="butt", **style))


def _draw_node(pen: _Pen, node: Node, box: Box, gid: str) -> None:
    colour = _colour(node.group)
    if node.role is Role.SERVER:
        _draw_server(pen, node, box, gid)
        return
    if node.role is Role.BUFFER:
        pen.patch(box, gid, 0.06, fc="white", ec=colour, lw=1.3, zorder=4)
    for n, words in enumerate(node.lines):
        style = {"weight": "bold"} if n == 0 and node.role is Role.ORIGIN and len(node.lines) > 1 else {}
        pen.text(box.x, box.y + ((len(node.lines) - 1) / 2 - n) * _LINE, words, **style)


def _draw_server(pen: _Pen, node: Node, box: Box, gid: str) -> None:
    """The field's symbol: an open queue in front of a round server."""
    queue = Box(box.x - box.width / 2 + _QUEUE / 2, box.y, _QUEUE, min(box.height, 0.3))
    left, right = queue.x - _QUEUE / 2 + pen.dx, queue.x + _QUEUE / 2 + pen.dx
    top, bottom = box.y + box.height * 0.4 + pen.dy, box.y - box.height * 0.4 + pen.dy
    pen.axes.fill([left, right, right, left], [top, top, bottom, bottom], color="white", lw=0, zorder=4)
    for xs, ys in [((left, right), (top, top)), ((left, right), (bottom, bottom)), *(((x, x), (top, bottom)) for x in (right - 0.2, right - 0.12, right - 0.04))]:
        pen.axes.plot(xs, ys, color=_INK, lw=1.1, zorder=4, solid_capstyle="butt")
    disc = Box(box.x + _QUEUE / 2, box.y, box.width - _QUEUE, box.height)
    pen.patch(disc, gid, min(disc.width, disc.height) / 2, fc="white", ec=_INK, lw=1.3, zorder=4)
    pen.text(disc.x, disc.y, node.lines[0])
    for words in node.lines[1:]:
        pen.text(disc.x, box.y - box.height / 2 - 0.1, words)


def _draw(pen: _Pen, picture: Picture) -> None:
    graph = picture.graph
    for band, group in picture.bands:
        pen.patch(band, f"class-{group}", 0.1, fc=_colour(group), ec="none", alpha=0.1, zorder=0)
    for n, (arrow, bends) in enumerate(zip(graph.arrows, picture.arrows, strict=True)):
        pen.curve(bends, f"arrow-{n}", [-1], color=_colour(arrow.group), lw=1.3, zorder=2)
        if arrow.label:
            half = _width(arrow.label) / 2
            late = graph.nodes[arrow.tail].role is Role.ORIGIN
            x, y = (bends[-1].x - _HEAD - 0.05 - half, bends[-1].y) if late else (bends[0].x + 0.07 + half, bends[0].y)
            back = {"fc": "white", "ec": "none", "pad": 0.8}
            pen.text(x, y, arrow.label, bbox=back, zorder=3)
    heads = [0, -1] if graph.lanes else []
    for n, bends in enumerate(picture.links):
        pen.curve(bends, f"link-{n}", heads, color=_LINK, lw=1.0, zorder=3, ls=(0, (3.5, 2)))
    for n, (key, node) in enumerate(graph.nodes.items()):
        _draw_node(pen, node, picture.boxes[key], f"{node.role}-{n}")


def _bounds(picture: Picture) -> tuple[float, float, float, float]:
    """Left, bottom, right, top."""
    boxes = [*picture.boxes.values(), *(band for band, _ in picture.bands)]
    bends = [bend for bends in [*picture.arrows, *picture.links] for bend in bends]
    turn = 0.25 if any(a.along != b.along for curve in picture.arrows for a, b in pairwise(curve)) else 0.0
    xs = [*(b.x - b.width / 2 for b in boxes), *(b.x + b.width / 2 for b in boxes), *(b.x + s * turn for b in bends for s in (1, -1))]
    ys = [*(b.y - b.height / 2 - 0.18 for b in boxes), *(b.y + b.height / 2 for b in boxes), *(b.y for b in bends)]
    return min(xs), min(ys), max(xs), max(ys)


def _panels(instance: Instance) -> list[tuple[str, Picture]]:
    state = state_graph(instance)
    if state.lanes:
        panels = [("original network", layered(server_graph(instance.network))), ("route expansion", in_lanes(state))]
    elif isinstance(instance.network, RouteNetwork):
        panels = [("original network", layered(server_graph(instance.network)))] if state.links else []
        panels.append(("union graph of the routes, one buffer for each class and server", layered(state)))
    else:
        panels = [("buffer network", layered(state))]
    return [(f"({'ab'[n]}) {name}" if len(panels) > 1 else name, picture) for n, (name, picture) in enumerate(panels)]


def draw_expansion(instance: Instance, path: str | Path) -> None:
    """Write the picture as SVG or PNG, by the suffix of ``path``; the same network gives the same bytes.

    Raises ``InputError``: another suffix, or a file that cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() not in _FORMATS:
        raise InputError("--plot", "a file name that ends in .svg or .png", shown_path(str(path)))
    if not target.parent.is_dir() or target.is_dir():
        raise InputError("--plot", "a file in an existing folder", shown_path(str(path)))
    data = _rendered(instance, _FORMATS[target.suffix.lower()])
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".plot-") as folder:
            whole = Path(folder) / "whole"
            whole.write_bytes(data)
            os.replace(whole, target)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise InputError("--plot", "a file that can be written", f"{shown_path(str(path))}: {reason}") from error


def _rendered(instance: Instance, file_format: str) -> bytes:
    import matplotlib
    from matplotlib.figure import Figure

    settings = {"svg.hashsalt": "queueproof", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
    title = printable(instance.title)
    metadata = {"svg": {"Date": None, "Creator": "queueproof", "Title": title or None}, "png": {"Software": None}}
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a title in letters that the font lacks
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        figure = Figure()
        _compose(figure, _panels(instance), title)
        page = io.BytesIO()
        dpi = min(_DPI, _MOST_PIXELS / max(figure.get_size_inches()))
        figure.savefig(page, format=file_format, dpi=dpi, metadata=metadata[file_format])
    return page.getvalue()


def _compose(figure, panels, title) -> None:
    bounds = [_bounds(picture) for _, picture in panels]
    widths, heights = [b[2] - b[0] for b in bounds], [b[3] - b[1] + 0.4 for b in bounds]
    abreast = sum(widths) + 0.4 * (len(panels) - 1) <= _WIDEST
    width = (sum(widths) + 0.4 * (len(panels) - 1) if abreast else max(widths)) + 0.3
    words = [_key(picture) for _, picture in panels]
    lines = textwrap.wrap(title, max(20, int(width * 72 / 6))) if title else []
    key = next((w for w in words if w), "")
    tall = (max(heights) if abreast else sum(heights)) + 0.2 + 0.18 * len(lines) + (0.25 if key else 0)
    figure.set_size_inches(width, tall)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, tall))
    axes.set_axis_off()
    pen = _Pen(axes)
    for n, line in enumerate(lines):
        pen.text(0.15, tall - 0.18 * (n + 1), line, ha="left", fontsize=9.5, weight="bold")
    x, y = 0.15, tall - 0.1 - 0.18 * len(lines)
    for n, ((caption, picture), b, w, h) in enumerate(zip(panels, bounds, widths, heights, strict=True)):
        if abreast:
            pen = _Pen(axes, x - b[0], y - max(heights) / 2 + 0.2 - (b[1] + b[3]) / 2, "ab"[n] + "-")
            bottom = y - max(heights) + 0.12
            middle = x + w / 2
            x += w + 0.4
        else:
            pen = _Pen(axes, (width - w) / 2 - b[0], y - b[3], "ab"[n] + "-")
            bottom = y - h + 0.12
            middle = width / 2
            y -= h
        _draw(pen, picture)
        _Pen(axes).text(middle, bottom, caption)
    if key:
        left = max(0.15, (width - _width(key) - 0.6) / 2)
        heads = [0, -1] if "imaginary" in key else []
        _Pen(axes).curve([Bend(left, 0.14), Bend(left + 0.5, 0.14)], "key", heads, color=_LINK, lw=1.0, zorder=3, ls=(0, (3.5, 2)))
        _Pen(axes).text(left + 0.6, 0.14, key, ha="left")


def _key(picture: Picture) -> str:
    if not picture.links:
        return ""
    return "imaginary transitions between duplicates" if picture.graph.lanes else "buffers of one server"

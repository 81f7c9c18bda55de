"""The layered layout of a graph (longest paths, left to right) for drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from verify.drawing.graph import Graph, Role
from verify.drawing.shapes import GAP, GUTTER, HEAD, LINE, PORT, Bend, Box, Picture, sized, text_width, tracks


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
        outer = [side * box.y + box.height / 2 + (0.03 if side > 0 else 0.13) for box in self.boxes.values()]
        edge = max(*outer, *(side * y for y in self.y.values())) + LINE
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

"""Boxes, curves and text of the pictures: lengths are inches on paper, y grows upwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from verify.drawing.graph import Graph, Node, Role

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
        ends = [(bend.x, bend.y) for curve in curves for bend in curve]
        for a, b in ((a, b) for curve in curves for a, b in pairwise(curve) if a.along != b.along):
            ends += [
                (one.x + 0.25 * side * a.along[0], one.y + 0.25 * side * a.along[1])
                for one in (a, b)
                for side in (1, -1)
            ]
        rates = [self.boxes[key].bottom - 0.18 for key, node in self.graph.nodes.items() if node.role is Role.SERVER]
        left = min([box.left for box in boxes] + [x for x, _ in ends])
        right = max([box.right for box in boxes] + [x for x, _ in ends])
        low = min([box.bottom for box in boxes] + [y for _, y in ends] + rates)
        high = max([box.top for box in boxes] + [y for _, y in ends])
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
        below = max((text_width(line) - 0.2 for line in node.lines[1:]), default=0.0)
        return Box(0, 0, QUEUE + max(0.38, text_width(node.lines[0]) + 0.2, below), max(0.38, PORT * ports + 0.05))
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
            reach += min(0.29, 0.17 + 0.14 * abs(b.y - a.y) + 0.05 * abs(b.x - a.x))
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

"""The layout of a route expansion in lanes for drawings."""

from __future__ import annotations

from dataclasses import replace

from verify.drawing.graph import Graph, Role
from verify.drawing.shapes import HEAD, PORT, Bend, Box, Picture, sized, text_width, tracks


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
            x = self._slot_x(number)
            a, b = (self.place[key][0] for key in self.links[number])
            ys = (self.y[a + 1] + self.height / 2, self.y[b - 1] - self.height / 2)
            between = [Bend(x, y, (0, -1)) for y in ys]
        return [Bend(start, one.bottom, (0, -1)), *between, Bend(end, other.top, (0, -1))]

    def _slot_x(self, number: int) -> float:
        """Where a long link runs down."""
        position, track = self.slot[number]
        return self.x[position] + self.width / 2 + 0.14 + 0.1 * track

    def bands(self) -> list[tuple[Box, int]]:
        """A rectangle behind the lanes of each class."""
        left = min(box.left for box in self.boxes.values()) - 0.08
        right = max(*(box.right for box in self.boxes.values()), *map(self._slot_x, self.slot)) + 0.12
        found = []
        for group in dict.fromkeys(self.group.values()):
            lanes = [lane for lane, one in self.group.items() if one == group]
            above, below = (
                0.1 if n not in (0, len(self.group)) else self.gap[n] - 0.02 for n in (lanes[0], lanes[-1] + 1)
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

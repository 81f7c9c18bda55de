"""How boxes, arrows and links are inked: colours of Okabe & Ito, line widths, arrowheads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verify.drawing.graph import Node, Role
from verify.drawing.shapes import HEAD, LINE, QUEUE, SIZE, Bend, Box, Picture, controls, text_width, walked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_INK = "#222222"
DASHED: dict[str, Any] = {"color": "#444444", "lw": 1.0, "zorder": 3, "ls": (0, (3.5, 2))}
_FRAME: dict[str, Any] = {"fc": "white", "lw": 1.3, "zorder": 4}


def _colour(group: int) -> str:
    return _INK if group < 0 else _COLOURS[group % len(_COLOURS)]


def _tint(group: int) -> tuple[float, ...]:
    """The colour of a group, nine parts white."""
    return tuple(0.9 + 0.1 * int(_colour(group)[n : n + 2], 16) / 255 for n in (1, 3, 5))


@dataclass(frozen=True)
class Pen:
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
        self.axes.add_artist(FancyBboxPatch(corner, box.width, box.height, shape, gid=self.panel + gid, **style))

    def disc(self, box: Box, gid: str, **style: Any) -> None:
        """An ellipse."""
        from matplotlib.patches import Ellipse

        middle = (box.x + self.dx, box.y + self.dy)
        self.axes.add_artist(Ellipse(middle, box.width, box.height, gid=self.panel + gid, **style))

    def curve(self, bends: Sequence[Bend], gid: str, heads: Sequence[int], **style: Any) -> None:
        """A smooth line through the bends with arrowheads at the ends named (0 and -1)."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Curve

        moved = [replace(bend, x=bend.x + self.dx, y=bend.y + self.dy) for bend in bends]
        for end in heads:
            moved[end] = self._head(moved[end], -1 if end == 0 else 1, style)
        points = controls(moved)
        codes = [Curve.MOVETO, *[Curve.CURVE4] * (len(points) - 1)]
        self.axes.add_artist(
            PathPatch(Curve(points, codes), fill=False, gid=self.panel + gid, capstyle="butt", **style)
        )

    def _head(self, tip: Bend, sign: int, style: Mapping[str, Any]) -> Bend:
        """An arrowhead that ends in ``tip``; returns where its line ends."""
        from matplotlib.patches import Polygon

        u, v = sign * tip.along[0] * HEAD, sign * tip.along[1] * HEAD
        corners = [(tip.x, tip.y), *((tip.x - u - s * 0.42 * v, tip.y - v + s * 0.42 * u) for s in (1, -1))]
        self.axes.add_artist(Polygon(corners, closed=True, color=style["color"], lw=0, zorder=style["zorder"]))
        return replace(tip, x=tip.x - 0.8 * u, y=tip.y - 0.8 * v)


def _draw_node(pen: Pen, node: Node, box: Box, gid: str) -> None:
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


def _draw_server(pen: Pen, node: Node, box: Box, gid: str) -> None:
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


def draw(pen: Pen, picture: Picture) -> None:
    """Bands, arrows with their labels, links, nodes."""
    graph = picture.graph
    for band, group in picture.bands:
        pen.box(band, f"class-{group}", 0.1, fc=_tint(group), ec="none", zorder=0)
    for n, (arrow, bends) in enumerate(zip(graph.arrows, picture.arrows, strict=True)):
        tail = picture.boxes[arrow.tail]
        behind = [Bend(tail.x + QUEUE / 2, bends[0].y)] if graph.nodes[arrow.tail].role is Role.SERVER else []
        pen.curve([*behind, *bends], f"arrow-{n}", [-1], color=_colour(arrow.group), lw=1.3, zorder=2)
        if arrow.label:
            late = graph.nodes[arrow.tail].role is Role.ORIGIN
            start, before = ([*reversed(bends)], HEAD + 0.04) if late else (bends, 0.06)
            x, y = walked(start, before + text_width(arrow.label) / 2)
            ground = {"fc": _tint(arrow.group) if picture.bands else "white", "ec": "none", "pad": 0.6}
            pen.text(x, y, arrow.label, bbox=ground, zorder=3)
    for n, bends in enumerate(picture.links):
        pen.curve(bends, f"link-{n}", link_heads(picture), **DASHED)
    for n, (key, node) in enumerate(graph.nodes.items()):
        _draw_node(pen, node, picture.boxes[key], f"{node.role}-{n}")


def link_heads(picture: Picture) -> list[int]:
    """Imaginary transitions go both ways; elsewhere a link only says that two buffers have one server."""
    return [0, -1] if picture.graph.lanes else []

"""Pictures of the expansion (``queueproof expand --plot``): the original network beside the graph of the state.

As in the paper's figures, solid arrows are actual transitions, dashed ones imaginary transitions between duplicates of a
server.  Lengths are inches on paper, y grows upwards; every curve runs in the gutters between columns and lanes, so none
hides a box.  Colours are those of Okabe & Ito; since boxes and arrows are named as well, grey print loses nothing.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verify.drawing.lanes import in_lanes
from verify.drawing.layers import layered
from verify.drawing.pen import DASHED, Pen, draw, link_heads
from verify.drawing.shapes import FONT, SIZE, Bend, Box, Picture, text_width
from verify.files import Output
from verify.network.model import RouteNetwork
from verify.policies.instance import Instance
from verify.studies.expansion.graph import server_graph, state_graph
from verify.studies.expansion.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


#: What a picture may be.
SUFFIXES = (".svg", ".png")
#: Room for a picture on a page (width, height), and the least font size in print that panels side by side must keep.
_PAGE, _LEAST_SIZE = (7.2, 10.0), 8.0
_DPI, _MOST_PIXELS = 200, 8000
_BETWEEN, _CAPTION, _MARGIN = 0.3, 0.3, 0.15


def draw_expansion(instance: Instance, output: Output | str | Path) -> None:
    """Write the picture as SVG or PNG, by the suffix of the name; the same network gives the same bytes.

    The file is there whole, or as it was.  Raises ``InputError``: another suffix, or a file that cannot be written.
    """
    target = output if isinstance(output, Output) else Output("--plot", str(output), suffixes=SUFFIXES)
    target.check()
    target.save(_rendered(instance, target.suffix.removeprefix(".")))


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
    lines = textwrap.wrap(title, max(20, int(width * 11)), max_lines=3, placeholder=" …")
    top = (abreast if beside else stacked)[1] + (0.42 if linked else 0.12)
    height = top + 0.12 + (0.18 * len(lines) + 0.1 if lines else 0)
    figure.set_size_inches(width, height)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    for n, line in enumerate(lines):
        Pen(axes).text(_MARGIN, height - 0.2 - 0.18 * n, line, ha="left", fontsize=9.5, weight="bold")
    x = (width - abreast[0]) / 2
    for n, ((caption, picture), (w, h)) in enumerate(zip(panels.items(), sizes, strict=True)):
        middle, room = (x + w / 2, abreast[1]) if beside else (width / 2, h)
        _draw_panel(axes, "ab"[n], picture, caption, Box(middle, top - room / 2, w, room))
        x, top = (x + w + _BETWEEN, top) if beside else (x, top - h - _BETWEEN)
    if linked is not None:
        _draw_key(Pen(axes, width / 2, 0.16), linked)


def _draw_panel(axes: Axes, letter: str, picture: Picture, caption: str, room: Box) -> None:
    extent = picture.extent
    draw(Pen(axes, room.x - extent.x, room.y + _CAPTION / 2 - extent.y, f"{letter}-"), picture)
    Pen(axes).text(room.x, room.bottom + 0.08, caption)


def _draw_key(pen: Pen, picture: Picture) -> None:
    """What dashed lines mean."""
    words = "imaginary transitions between duplicates" if picture.graph.lanes else "buffers of one server"
    left = -(text_width(words) + 0.6) / 2
    pen.curve([Bend(left, 0), Bend(left + 0.5, 0)], "key", link_heads(picture), **DASHED)
    pen.text(left + 0.6, 0, words, ha="left")

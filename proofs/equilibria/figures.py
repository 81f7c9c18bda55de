"""What the figure scripts of ``examples/`` share: a plain style, distinct dashes (grey print loses nothing), where files go."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = ("#D55E00", "#009E73", "#0072B2", "#CC79A7", "#E69F00")
DASHES: tuple[Any, ...] = ("-", "--", (0, (4, 1.5, 1, 1.5)), (0, (1, 1.2)), (0, (6, 2)))


def panels(rows: int, columns: int, title: str, width: float = 9.0, height: float = 3.2) -> tuple[Any, list[Any]]:
    """A figure and its axes in reading order."""
    figure, axes = plt.subplots(rows, columns, figsize=(width, height * rows), squeeze=False, layout="constrained")
    figure.suptitle(title, fontsize=11)
    return figure, [axis for row in axes for axis in row]


def curve(axis: Any, x: Sequence[Any], y: Sequence[Any], number: int, label: str) -> None:
    """One curve through the points of the grid; ``number`` chooses colour and dash."""
    xs, ys = [float(value) for value in x], [float(value) for value in y]
    axis.plot(xs, ys, color=COLOURS[number % 5], linestyle=DASHES[number % 5], linewidth=1.4, label=label)


def labelled(axis: Any, title: str, x: str, y: str = "W, mean transit time") -> None:
    """Title, axis names, legend, light grid."""
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(x, fontsize=9)
    axis.set_ylabel(y, fontsize=9)
    axis.tick_params(labelsize=8)
    axis.grid(color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    if axis.get_legend_handles_labels()[0]:
        axis.legend(fontsize=8, frameon=False)


def save(figure: Any, script: str) -> None:
    """Write <script>.png into the folder given on the command line (default: the current one); print its path."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{Path(script).stem}.png"
    figure.savefig(path, dpi=150)
    print(path)

"""The pictures: what they contain, that nothing hides a box, and how they are written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from catalogue.files import PATHS

from verify.drawing.graph import Arrow, Graph, Node, Role
from verify.drawing.lanes import in_lanes
from verify.drawing.layers import layered, layers
from verify.drawing.shapes import HEAD, SIZE, Box, Picture, controls
from verify.errors import InputError
from verify.network.model import RouteNetwork
from verify.network_file.read import read_file, read_text
from verify.policies.instance import Instance
from verify.studies.expansion import plot as expansion_plot
from verify.studies.expansion.graph import server_graph, state_graph
from verify.studies.expansion.plot import draw_expansion

EXAMPLES = Path(__file__).parents[3] / "examples"
DRAWN = [*sorted(EXAMPLES.glob("paper-*.toml")), EXAMPLES / "jackson-feedback.toml", EXAMPLES / "jsq-two-servers.toml"]
LAID_OUT = list(PATHS.values())


def thirty() -> Instance:
    """Ten routes of three visits each, in three classes, over ten servers."""
    servers = "".join(f'{n} = {{ rate = "1" }}\n' for n in range(10))
    text = f"title = 'Ten routes'\n[servers]\n{servers}"
    for name, routes in (("c1", range(1, 5)), ("c2", range(5, 8)), ("c3", range(8, 11))):
        text += f'[[classes]]\nname = "{name}"\narrival_rate = "1/2"\n[classes.routes]\n'
        for route in routes:
            text += f'r{route} = ["{route % 10}", "{(3 * route + 4) % 10}", "{7 * route * route % 10}"]\n'
    return read_text(text + '[policy]\nrouting = "jsr"\nsequencing = "longest-duplicate"\n', format="toml")


def pictures(instance: Instance) -> Iterator[Picture]:
    state = state_graph(instance)
    yield in_lanes(state) if state.lanes else layered(state)
    if isinstance(instance.network, RouteNetwork):
        yield layered(server_graph(instance.network))


def identifiers(svg: str, kind: str) -> list[str]:
    return re.findall(rf'id="([ab]-{kind}-\d+)"', svg)


# What the picture contains -----------------------------------------------------------------------


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_svg_has_every_box_arrow_link_and_name(path: Path, tmp_path: Path) -> None:
    instance = read_file(path)
    draw_expansion(instance, tmp_path / "picture.svg")
    svg, graph = (tmp_path / "picture.svg").read_text(), state_graph(instance)
    ElementTree.fromstring(svg)
    names = [node.lines[0] for node in graph.nodes.values() if node.role is Role.BUFFER]
    originals = [server_graph(instance.network)] if isinstance(instance.network, RouteNetwork) and "(a)" in svg else []
    assert len(identifiers(svg, "buffer")) == len(names)
    assert len(identifiers(svg, "link")) == len(graph.links)
    assert len(identifiers(svg, "arrow")) == sum(len(one.arrows) for one in [graph, *originals])
    assert len(identifiers(svg, "server")) == sum(
        n.role is Role.SERVER for one in originals for n in one.nodes.values()
    )
    assert all(f"<!-- {name} -->" in svg for name in names)
    assert f"<title>{instance.title}</title>" in svg


def test_svg_of_thirty_subservers_has_thirty_boxes_and_a_chain_for_each_server(tmp_path: Path) -> None:
    draw_expansion(thirty(), tmp_path / "thirty.svg")
    svg = (tmp_path / "thirty.svg").read_text()
    assert len(identifiers(svg, "buffer")) == 30
    assert len(identifiers(svg, "class")) == 3
    assert len(identifiers(svg, "link")) == 30 - len(identifiers(svg, "server"))


def test_svg_of_odd_names_and_titles_is_well_formed(tmp_path: Path) -> None:
    text = """title = "<&> $x$ \\u0007 a--b"
    servers = { "A--b" = { rate = 1 } }
    classes = [{ name = "c--d", arrival_rate = "1/3", routes = { r = ["A--b"] } }]"""
    draw_expansion(read_text(text, format="toml"), tmp_path / "odd.svg")
    root = ElementTree.parse(tmp_path / "odd.svg").getroot()
    assert root.find("{http://www.w3.org/2000/svg}title").text == "<&> $x$ a--b"  # type: ignore[union-attr]


def test_paper_example_1_keeps_eight_points_across_a_page(tmp_path: Path) -> None:
    draw_expansion(read_file(EXAMPLES / "paper-1-jsr.toml"), tmp_path / "picture.svg")
    width = float(ElementTree.parse(tmp_path / "picture.svg").getroot().attrib["width"].removesuffix("pt")) / 72
    assert SIZE * min(1, 7.2 / width) >= 8


# Layout ------------------------------------------------------------------------------------------


def points(curve: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The cubic pieces, finely sampled."""
    for n in range(0, len(curve) - 1, 3):
        for t in (step / 30 for step in range(31)):
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * p[i] for w, p in zip(weights, curve[n : n + 4], strict=True)) for i in (0, 1))
            yield x, y


def inside(box: Box, x: float, y: float) -> bool:
    return box.left + 1e-6 < x < box.right - 1e-6 and box.bottom + 1e-6 < y < box.top - 1e-6


def hidden(picture: Picture) -> list[tuple[str, int]]:
    """Boxes that a curve runs through, its own ends included."""
    boxes = {k: box for k, box in picture.boxes.items() if picture.graph.nodes[k].role in (Role.BUFFER, Role.SERVER)}
    curves = [controls(bends) for bends in [*picture.arrows, *picture.links]]
    return [
        (k, n)
        for k, box in boxes.items()
        for n, curve in enumerate(curves)
        if any(inside(box, *p) for p in points(curve))
    ]


@pytest.mark.parametrize("path", LAID_OUT, ids=lambda path: path.stem)
def test_layout_no_curve_runs_through_a_box(path: Path) -> None:
    for picture in pictures(read_file(path)):
        assert hidden(picture) == []


def test_layout_of_thirty_subservers_no_curve_runs_through_a_box() -> None:
    for picture in pictures(thirty()):
        assert hidden(picture) == []


@pytest.mark.parametrize("path", LAID_OUT, ids=lambda path: path.stem)
def test_layout_no_two_boxes_overlap_and_the_extent_holds_all(path: Path) -> None:
    for picture in pictures(read_file(path)):
        for one, other in combinations(picture.boxes.values(), 2):
            aside = one.right <= other.left + 1e-9 or other.right <= one.left + 1e-9
            assert aside or one.top <= other.bottom + 1e-9 or other.top <= one.bottom + 1e-9
        extent = picture.extent
        for bends in [*picture.arrows, *picture.links]:
            for x, y in points(controls(bends)):
                assert extent.left - 1e-6 <= x <= extent.right + 1e-6
                assert extent.bottom - 1e-6 <= y <= extent.top + 1e-6


@pytest.mark.parametrize("path", LAID_OUT, ids=lambda path: path.stem)
def test_layout_arrows_end_at_their_nodes_with_room_for_a_head(path: Path) -> None:
    for picture in pictures(read_file(path)):
        for arrow, bends in zip(picture.graph.arrows, picture.arrows, strict=True):
            tail, head = picture.boxes[arrow.tail], picture.boxes[arrow.head]
            assert (bends[0].x, bends[-1].x) == (tail.right, head.left)
            assert tail.bottom <= bends[0].y <= tail.top
            assert head.bottom <= bends[-1].y <= head.top
            assert bends[-1].x - bends[-2].x >= HEAD or bends[-2].along == (-1, 0)


def test_layers_longest_path_decides_and_cycles_are_cut_once() -> None:
    nodes = {key: Node(Role.ORIGIN if key == "o" else Role.BUFFER, (key,)) for key in "oabcd"}
    arrows = [Arrow(*pair) for pair in ("oa", "ab", "bc", "ac", "ca", "cd", "dd")]
    assert layers(Graph(nodes, tuple(arrows))) == ({"o": 0, "a": 1, "b": 2, "c": 3, "d": 4}, [4, 6])


# Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_file_is_the_same_bytes_in_another_process(suffix: str, tmp_path: Path) -> None:
    code = (
        "import sys; from verify.network_file.read import read_file; from verify.studies.expansion.plot import draw_expansion;"
        "draw_expansion(read_file(sys.argv[1]), sys.argv[2])"
    )
    targets = [tmp_path / f"{seed}.{suffix}" for seed in (1, 2)]
    for seed, target in enumerate(targets):
        command = [sys.executable, "-c", code, str(EXAMPLES / "paper-1-jsr.toml"), str(target)]
        subprocess.run(
            command, check=True, env={**os.environ, "PYTHONHASHSEED": str(seed), "SOURCE_DATE_EPOCH": str(seed)}
        )
    first, second = (target.read_bytes() for target in targets)
    assert first == second
    assert first.startswith(b"<?xml" if suffix == "svg" else b"\x89PNG")


@pytest.mark.parametrize("name", ["picture.pdf", "picture", "svg", "picture.svg.gz"])
def test_file_with_another_suffix_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^--plot: expected a file name that ends in \.svg or \.png, got .*"):
        draw_expansion(thirty(), tmp_path / name)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["missing/picture.svg", "folder.svg"])
def test_file_that_is_not_in_a_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(InputError, match=r"^--plot: expected a file in an existing folder, got "):
        draw_expansion(thirty(), tmp_path / name)


def test_file_suffix_in_capitals_is_known(tmp_path: Path) -> None:
    draw_expansion(read_file(EXAMPLES / "jsq-two-servers.toml"), tmp_path / "PICTURE.PNG")
    assert (tmp_path / "PICTURE.PNG").read_bytes().startswith(b"\x89PNG")


def test_file_stays_as_it_was_when_drawing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "picture.svg"
    target.write_text("old")

    def fail(*arguments: object) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr(expansion_plot, "_compose", fail)
    with pytest.raises(RuntimeError, match="no ink"):
        draw_expansion(thirty(), target)
    assert [path.name for path in tmp_path.iterdir()] == ["picture.svg"]
    assert target.read_text() == "old"


def test_file_stays_as_it_was_when_it_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "picture.svg"
    target.write_text("old")

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(
        InputError, match=r"^--plot: expected a file that can be written, got .*: no space left on device$"
    ):
        draw_expansion(read_file(EXAMPLES / "jsq-two-servers.toml"), target)
    assert [path.name for path in tmp_path.iterdir()] == ["picture.svg"]
    assert target.read_text() == "old"


def test_module_alone_loads_no_matplotlib_and_drawing_no_pyplot(tmp_path: Path) -> None:
    code = f"""if True:
        import sys
        from verify.network_file.read import read_file
        from verify.studies.expansion.plot import draw_expansion
        print("matplotlib" in sys.modules)
        import matplotlib
        matplotlib.rcParams["svg.fonttype"] = "none"
        draw_expansion(read_file({str(EXAMPLES / "jsq-two-servers.toml")!r}), {str(tmp_path / "picture.svg")!r})
        print("matplotlib.pyplot" in sys.modules, matplotlib.rcParams["svg.fonttype"])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "none"]

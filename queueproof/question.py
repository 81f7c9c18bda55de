"""A question: a network, a policy, possibly a test function; read, stated in Python, or from a graph."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from queueproof import bridge, html
from queueproof.bridge import InputError
from queueproof.exact import file_name, plain, settings_text

if TYPE_CHECKING:
    from fractions import Fraction

    import networkx

    from queueproof import Number, Path
    from queueproof.bridge import Instance

#: The first line of a file that may be replaced by another one.
MARK = "# Written by queueproof."


@dataclass(frozen=True, repr=False)
class Question:
    """A network, a policy, possibly a test function: what the functions of this package are asked about.

    Immutable; equal if network, policy, test function and title are.  Made by :func:`queueproof.read`, ``read_text``,
    ``route_network``, ``buffer_network`` and ``from_networkx``.  ``path``: the file it was read from, None for others.
    ``instance``: the internal form, which may change from version to version.
    """

    instance: Instance
    path: str | None = field(default=None, compare=False)

    @property
    def title(self) -> str:
        """As in the file, "" for none."""
        return self.instance.title

    @property
    def name(self) -> str:
        """The file's name without folder and suffix, "" if there is no file."""
        return "" if self.path is None else PurePath(self.path).stem

    @property
    def load(self) -> Fraction:
        """ρ*, the least possible largest utilisation over all flows that the routing allows (theory 7)."""
        found: Fraction = bridge.load(self.instance)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The structure of a network file: parameters are gone, their values stand in their places, as texts "p/q"."""
        return bridge.tables(self.instance)

    def to_toml(self) -> str:
        """A network file; ``queueproof.read_text`` of it gives an equal question."""
        import tomli_w

        return tomli_w.dumps(self.to_dict())

    def write(self, path: Path) -> str:
        """Write a network file in TOML, all or nothing; returns its name.

        Raises ``InputError``: no file can be written there, its name does not end in .toml, or it is a file that queueproof
        has not written (its comments and parameters would be lost).
        """
        name = file_name("path", path)
        _refuse_foreign(name)
        inputs = [] if self.path is None or _written_here(self.path) else [self.path]
        return bridge.save("path", name, f"{MARK}\n{self.to_toml()}".encode(), inputs, (".toml",))

    def to_networkx(self) -> networkx.MultiDiGraph:
        """A graph of buffers and moves; ``queueproof.from_networkx`` gives an equal question back."""
        return bridge.to_networkx(self.instance)

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.to_dict(), self.path)

    def __str__(self) -> str:
        return self.to_toml().removesuffix("\n")

    def __repr__(self) -> str:
        return f"<Question {self.title or self.name or 'without title'!r}: {self._kind()}>"

    def _kind(self) -> str:
        tables = self.to_dict()
        kinds = ("servers", "classes", "buffers", "activities")
        return ", ".join(f"{kind}: {len(tables[kind])}" for kind in kinds if kind in tables)

    def _repr_html_(self) -> str:
        tables = self.to_dict()
        rows = [(key, _words(value)) for key, value in tables["policy"].items()]
        parts = [html.line(f" ({self._kind()})", self.title or self.name or "Question"), html.table(rows)]
        if "classes" in tables:
            visits = [
                (c["name"], c["arrival_rate"], r, _words(v)) for c in tables["classes"] for r, v in c["routes"].items()
            ]
            return html.page(*parts, html.table(visits, ("class", "arrival rate", "route", "visits")))
        buffers = [(b["name"], b["arrival_rate"]) for b in tables["buffers"]]
        moves = [(a["server"], a["buffer"], a["rate"], _words(a["next"])) for a in tables["activities"]]
        heads = ("buffer", "arrival rate"), ("server", "buffer", "rate", "next (the rest leaves)")
        return html.page(*parts, html.table(buffers, heads[0]), html.table(moves, heads[1]))


def _words(value: object) -> str:
    """A part of a file on one line."""
    if isinstance(value, Mapping):
        if value.keys() == {"server", "rate"}:
            return f"{value['server']} (rate {value['rate']})"
        return "; ".join(f"{key}: {_words(entry)}" for key, entry in value.items())
    return ", ".join(map(_words, value)) if isinstance(value, (list, tuple)) else str(value)


def _restored(tables: dict[str, Any], path: str | None) -> Question:
    return Question(bridge.read_tables(tables), path)


def _written_here(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except (OSError, ValueError):
        return False


def _refuse_foreign(path: str) -> None:
    if os.path.isfile(path) and os.path.getsize(path) and not _written_here(path):
        raise InputError("path", "a new file, or one that queueproof has written", path)


# Where questions come from --------------------------------------------------------------------------------


def needed(value: object) -> Question:
    """The question itself.  Raises ``InputError`` for anything else."""
    if isinstance(value, Question):
        return value
    cure = "queueproof.read reads files, route_network and buffer_network state networks in Python"
    raise InputError("question", "a queueproof.Question", repr(value)[:60], cure)


def read(path: Path, settings: Mapping[str, Number]) -> Question:
    """See :func:`queueproof.read`."""
    name = file_name("path", path)
    return Question(bridge.read_file(name, settings_text(settings)), name)


def read_text(text: str, format: str, settings: Mapping[str, Number]) -> Question:
    """See :func:`queueproof.read_text`."""
    return Question(bridge.read_text(text, format, settings_text(settings)))


def from_networkx(graph: networkx.MultiDiGraph) -> Question:
    """See :func:`queueproof.from_networkx`."""
    import networkx

    if isinstance(graph, networkx.MultiDiGraph):
        graph = graph.copy()  # its numbers may be any exact ones
        attributes = (data for *_, data in (*graph.nodes(data=True), *graph.edges(data=True), (graph.graph,)))
        for data in attributes:
            data |= plain(data)
    return Question(bridge.from_networkx(graph))


def stated(tables: Mapping[str, object], title: str, source: str) -> Question:
    """Tables of a network file stated in Python; ``servers`` also as rates or mere names.  Raises ``InputError``."""
    document = plain({**tables, "servers": _servers(tables["servers"]), "title": title, "source": source})
    return Question(bridge.read_tables(document))


def _servers(servers: object) -> object:
    if isinstance(servers, Mapping):
        return {name: _server(value) for name, value in servers.items()}
    if not isinstance(servers, Iterable) or isinstance(servers, (str, bytes)):
        return servers
    found: dict[object, object] = {}
    for number, name in enumerate(servers):
        if not isinstance(name, str) or name in found:
            raise InputError(f"servers[{number}]", "a name that is not in use (a string)", repr(name))
        found[name] = {}
    return found


def _server(value: object) -> object:
    return value if isinstance(value, Mapping) else {} if value is None else {"rate": value}

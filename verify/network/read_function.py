"""From the tables of a file to a test function V or a dominance function U (theory 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from verify.network.expression import powers
from verify.network.fields import Field, Table
from verify.network.messages import did_you_mean, listed, shown
from verify.network.model import ExplicitTemplate, FreePieces, FunctionSpec, Network, RouteNetwork
from verify.network.names import Coordinates, buffer_aliases, coordinate_names

_SCALES = ("alpha", "beta", "gamma")
_KEYS = ("template", *_SCALES, "pieces")


@dataclass(frozen=True)
class Piece:
    """A piece of a file: where it stands, and canonical buffer name -> weight >= 0, zeros included."""

    field: Field
    weights: Mapping[str, Fraction]


def read_function(field: Field, network: Network, coordinates: Coordinates) -> FunctionSpec:
    """A function given by ``template`` with alpha, beta, gamma, or by ``pieces``.

    Parameters: ``field`` its table; ``network``; ``coordinates``: the buffers that it may weigh.
    Weights are >= 0; zeros and repeated pieces are left out, buffers come in coordinate order.
    Raises ``InputError``.
    """
    table = field.table(_KEYS)
    if "pieces" not in table:
        return _template(table, network, coordinates)
    for key in ("template", *_SCALES):
        if key in table:
            raise table.entries[key].refused("no such key beside pieces", f"remove {key} or pieces")
    return _pieces(table.entries["pieces"], network, coordinates)


def read_pieces(field: Field, network: Network, coordinates: Coordinates) -> Iterator[Piece]:
    """The pieces of a table that has ``pieces``, each where it stands, repeated ones included."""
    aliases, known = buffer_aliases(network, coordinates), coordinate_names(network, coordinates)
    for item in field.entries()["pieces"].items("a list of pieces"):
        yield Piece(item, _weights(item, aliases, known))


def _template(table: Table, network: Network, coordinates: Coordinates) -> ExplicitTemplate:
    word = table.need(
        "template", "template or pieces", 'write template = "explicit" with alpha, beta, gamma, or pieces'
    )
    word.choice(("explicit",), "the templates")
    if not isinstance(network, RouteNetwork):
        raise word.refused("pieces (the template exists for route networks only)")
    if coordinates is Coordinates.PAIRS:
        raise word.refused("pieces (the template needs the route expansion, which routing jsq does not have)")
    routes = [route for job_class in network.classes for route in job_class.routes]
    depth = max(len(route) for route in routes)
    most = max(len(job_class.routes) for job_class in network.classes)
    return ExplicitTemplate(
        _scale(table, "alpha", range(depth), f"{depth} (one for each depth up to the longest route)"),
        _scale(table, "beta", range(1, most + 1), f"{most} (one for each number of dominant routes of a class)"),
        _scale(
            table,
            "gamma",
            range(1, len(network.classes) + 1),
            f"{len(network.classes)} (one for each number of classes)",
        ),
    )


def _scale(table: Table, key: str, exponents: range, words: str) -> tuple[Fraction, ...]:
    """A list of numbers > 0, or a scalar that becomes the list of its powers: alpha^(d−1), beta^n, gamma^m (theory 3.2)."""
    field = table.need(key, "a number > 0, or a list of them")
    if not isinstance(field.value, (list, tuple)):
        return powers(field.positive(), exponents, field.place)
    if len(field.value) != len(exponents):
        raise field.refused(f"a list of length {words}, or one number", found=f"length {len(field.value)}")
    return tuple(item.positive() for item in field.items("a list of numbers"))


def _pieces(field: Field, network: Network, coordinates: Coordinates) -> FreePieces:
    aliases, known = buffer_aliases(network, coordinates), coordinate_names(network, coordinates)
    pieces: dict[frozenset[tuple[str, Fraction]], Mapping[str, Fraction]] = {}
    for item in field.items("a list of pieces, at least one"):
        weights = _weights(item, aliases, known)
        piece = {name: weights[name] for name in known if weights.get(name)}
        if not piece:
            raise item.refused("a piece with a weight > 0", "remove it", "none")
        pieces.setdefault(frozenset(piece.items()), MappingProxyType(piece))
    return FreePieces(tuple(pieces.values()))


def _weights(
    item: Field,
    aliases: Mapping[str, str],
    known: Sequence[str],
    read: Callable[[Field], Fraction] = Field.non_negative,
) -> dict[str, Fraction]:
    """Canonical buffer name -> weight, as given."""
    weights: dict[str, Fraction] = {}
    for name, entry in item.entries('a table like { "c1.r1.1" = "1" }').items():
        buffer = canonical_buffer(entry, name, aliases, known)
        if buffer in weights:
            raise entry.refused(f"one weight for {buffer}", "remove one of them", "a second one")
        weights[buffer] = read(entry)
    return weights


def read_positive_weights(field: Field, network: Network, coordinates: Coordinates) -> Mapping[str, Fraction]:
    """A number > 0 for every buffer, in the order of the coordinates; a buffer left out weighs 1.  Raises ``InputError``."""
    aliases, known = buffer_aliases(network, coordinates), coordinate_names(network, coordinates)
    given = _weights(field, aliases, known, Field.positive)
    return MappingProxyType({name: given.get(name, Fraction(1)) for name in known})


def canonical_buffer(field: Field, name: str, aliases: Mapping[str, str], known: Sequence[str]) -> str:
    """The canonical name of a buffer; refused at ``field``, with the list of the ``known`` ones, if it is none of them.
    Parameters: ``aliases`` every accepted name -> its canonical one (only those of known ones are accepted)."""
    buffer = aliases.get(name)
    if buffer is None or buffer not in known:
        raise field.refused(f"one of the buffers {listed(known)}", did_you_mean(name, known), shown(name))
    return buffer

"""Reading network files: TOML or JSON to an ``Instance``, or an ``InputError`` with place, found, expected and cure."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from verify.errors import InputError
from verify.network.decode import FileFormat, decode_document, naming, text_of
from verify.network.expression import PARAMETER_NAME, bounded, evaluate
from verify.network.fields import Field
from verify.network.messages import did_you_mean, listed, shown
from verify.network.model import Instance, Policy
from verify.network.names import state_names
from verify.network.read_function import read_function
from verify.network.read_network import read_network
from verify.network.read_policy import read_policy

__all__ = ["read_document", "read_file", "read_text", "state_names"]

_KEYS = ("title", "source", "parameters", "servers", "classes", "buffers", "activities", "policy", "test_function")
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


def read_file(path: str | Path, settings: Mapping[str, str] = _NO_SETTINGS) -> Instance:
    """The instance in a file: JSON if its name ends in ``.json``, TOML otherwise.

    Parameters: ``settings`` name -> expression, in place of parameters of the file (``--set NAME=VALUE``).
    Raises ``InputError``: unreadable, not UTF-8, or any mistake in it; the place begins with the file's name.
    """
    text, file_format = text_of(path)
    with naming(path):
        return read_text(text, format=file_format, settings=settings)


def read_text(text: str, *, format: FileFormat, settings: Mapping[str, str] = _NO_SETTINGS) -> Instance:
    """The instance in a text.

    Parameters: ``format`` "toml" or "json"; ``settings`` as for ``read_file``.  Raises ``InputError``.

    >>> text = '''
    ... servers = { 1 = { rate = "1" } }
    ... classes = [{ name = "a", arrival_rate = "1/2", routes = { r1 = ["1"] } }]
    ... '''
    >>> read_text(text, format="toml").network.classes[0].arrival_rate
    Fraction(1, 2)
    >>> read_text(text.replace('"1/2"', "0.5"), format="toml")
    Traceback (most recent call last):
    verify.errors.InputError: classes[0].arrival_rate: expected an exact number, got 0.5 (write "1/2" or "0.5")
    """
    if format not in ("toml", "json"):
        raise InputError("format", "toml or json", shown(format))
    return read_document(decode_document(text, format), settings)


def read_document(document: object, settings: Mapping[str, str] = _NO_SETTINGS) -> Instance:
    """The instance in tables that have the structure of a network file (dictionaries, lists, strings, integers).

    Parameters: ``settings`` as for ``read_file``.  Raises ``InputError``.
    """
    if isinstance(document, dict) and str(document.get("format", "")).startswith("queueproof-certificate"):
        raise InputError("file", "a network file", "a certificate", "the network file is another one")
    whole = Field("", document, {}).table(_KEYS, "a table of servers, classes, policy")
    parameters = _parameters(whole.get("parameters", {}), settings)
    file = Field("", document, parameters).table(_KEYS)
    network = read_network(file)
    policy = read_policy(file.get("policy", {}), network)
    base = Policy(routing=policy.routing, preset=policy.preset)
    function = file.entries.get("test_function")
    found = Instance(
        network,
        policy,
        None if function is None else read_function(function, network, base),
        file.get("title", "").prose(),
        file.get("source", "").prose(),
    )
    for name in settings:
        if name not in parameters.used:
            raise InputError("--set", "a parameter that something uses", f"{name}, which nothing uses")
    return found


class _Parameters(dict[str, Fraction]):
    """The named constants of a file, and which of them were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def __getitem__(self, name: str) -> Fraction:
        self.used.add(name)
        return super().__getitem__(name)


def _parameters(field: Field, settings: Mapping[str, str]) -> _Parameters:
    """Name -> value; a parameter may use those before it, a setting takes the place of the file's value."""
    entries = field.entries("a table of named numbers")
    for name in settings:
        if name not in entries:
            expected = f"one of the parameters {listed(entries)}" if entries else "no setting (no [parameters] here)"
            raise InputError("--set", expected, shown(name), did_you_mean(name, entries))
    values = _Parameters()
    for name, entry in entries.items():
        if not PARAMETER_NAME.fullmatch(name):
            raise entry.refused(
                "a parameter name of letters, digits and _, not beginning with a digit", found=shown(name)
            )
        if name in settings:
            values[name] = bounded(evaluate(settings[name], values, f"--set {name}"), f"--set {name}")
        else:
            values[name] = Field(entry.place, entry.value, values).number()
    return values

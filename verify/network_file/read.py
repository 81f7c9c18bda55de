"""Reading network files: TOML or JSON to an ``Instance``, or an ``InputError`` with place, found, expected and cure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from verify.errors import InputError
from verify.network.decode import FileFormat, decode_document, naming, text_of
from verify.network.fields import Field
from verify.network.messages import shown
from verify.network.parameters import read_parameters
from verify.network.read_function import read_function
from verify.network.read_network import read_network
from verify.network.read_rates import own_rates, read_rates
from verify.policies.instance import Instance
from verify.policies.read import read_policy

_KEYS = (
    "title",
    "source",
    "parameters",
    "servers",
    "classes",
    "buffers",
    "activities",
    "policy",
    "test_function",
    "rates",
)
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


def read_file(path: str | Path, settings: Mapping[str, str] = _NO_SETTINGS) -> Instance:
    """The instance in a file: JSON if its name ends in ``.json``, TOML otherwise.

    Parameters: ``settings`` name -> expression, in place of parameters of the file (``--set NAME=VALUE``); one that nothing
    in the file depends on is an ``UnusedSetting``, a warning.
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
    parameters = read_parameters(whole.get("parameters", {}), settings)
    file = Field("", document, parameters).table(_KEYS)
    network = read_network(file)
    policy = read_policy(file.get("policy", {}), network)
    function, rates = file.entries.get("test_function"), file.entries.get("rates")
    found = Instance(
        network,
        policy,
        None if function is None else read_function(function, network, policy.coordinates(network)),
        file.get("title", "").prose(),
        file.get("source", "").prose(),
        None if rates is None else read_rates(rates, network, own_rates(file)),
    )
    parameters.warn_of_unused(settings)
    return found

"""Reading equilibria files (docs/equilibria.md)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from proofs.equilibria.downs_thomson.model import Model
from proofs.equilibria.downs_thomson.queues import Kind, Queue
from verify.network.decode import FileFormat, decode_document, naming, text_of
from verify.network.fields import Field, Table
from verify.network.messages import did_you_mean, listed
from verify.network.parameters import read_parameters

MAX_SERVERS = 30
MAX_QUEUES = 12
_KEYS = ("title", "source", "parameters", "arrival_rate", "queues")
_COMMON = ("type", "service_rate", "dedicated_rate")
_OWN: Mapping[Kind, tuple[str, ...]] = {
    Kind.MM1: (),
    Kind.MG1: ("scv",),
    Kind.MMC: ("servers",),
    Kind.MGC: ("servers", "scv", "approximation"),
    Kind.RETRIAL: ("retrial_rate",),
    Kind.BATCH: ("batch_size",),
}
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


def read_equilibria_file(path: str | Path, settings: Mapping[str, str] = NO_SETTINGS) -> Model:
    """The model in a file: JSON if its name ends in ``.json``, TOML otherwise.  Raises ``InputError``."""
    text, file_format = text_of(path)
    with naming(path):
        return read_equilibria_text(text, file_format, settings)


def read_equilibria_text(
    text: str, file_format: FileFormat = "toml", settings: Mapping[str, str] = NO_SETTINGS
) -> Model:
    """The model in a text.

    >>> read_equilibria_text('''
    ... arrival_rate = "1"
    ... queues = [{ type = "M/M/1", service_rate = "2" }, { type = "bus", service_rate = "1" }]
    ... ''')
    Traceback (most recent call last):
    verify.errors.InputError: queues[1].type: expected one of the types M/M/1, M/G/1, M/M/c, M/G/c, M/M/1-retrial, \
batch, got 'bus'
    """
    document = decode_document(text, file_format)
    whole = Field("", document, {}).table(_KEYS, "a table of arrival_rate and queues", did_you_mean)
    parameters = read_parameters(whole.get("parameters", {}), settings)
    file = Field("", document, parameters).table(_KEYS)
    file.get("source", "").prose()
    rate = file.need("arrival_rate", "the rate of the customers who choose, a number > 0").positive()
    fields = file.need("queues", "a list of two queues or more").items("a list of two queues or more")
    if not 2 <= len(fields) <= MAX_QUEUES:
        raise file.entries["queues"].refused(f"from 2 to {MAX_QUEUES} queues", found=str(len(fields)))
    queues = tuple(_queue(field) for field in fields)
    parameters.warn_of_unused(settings)
    return Model(rate, queues, file.get("title", "").prose())


def _queue(field: Field) -> Queue:
    """One entry of ``queues``; each type has its own keys."""
    anything = dict.fromkeys((*_COMMON, *(key for keys in _OWN.values() for key in keys)))
    table = field.table(tuple(anything), "a table that describes a queue", did_you_mean)
    word = table.need("type", f"one of the types {listed(k.value for k in Kind)}")
    kind = Kind(word.choice([k.value for k in Kind], "the types"))
    for key, entry in table.entries.items():
        if key not in (*_COMMON, *_OWN[kind]):
            raise entry.refused(f"no key {key} for the type {kind.value}", found="one")
    if "approximation" in table:
        table.entries["approximation"].choice(["Lee-Longton"], "the approximations")
    return Queue(
        kind,
        _service_rate(table),
        table.get("dedicated_rate", 0).non_negative(),
        scv=_scv(table, kind),
        servers=_count(table, "servers", "how many servers", MAX_SERVERS) if "servers" in _OWN[kind] else 1,
        retrial_rate=table.need("retrial_rate", "the retrial rate nu > 0 of each customer in orbit").positive()
        if kind is Kind.RETRIAL
        else None,
        batch_size=_count(table, "batch_size", "the batch size", 10**9) if kind is Kind.BATCH else 1,
    )


def _scv(table: Table, kind: Kind) -> Fraction:
    if kind not in (Kind.MG1, Kind.MGC):
        return Fraction(1)
    return table.need("scv", "the squared coefficient of variation of the service time, >= 0").non_negative()


def _service_rate(table: Table) -> Fraction | None:
    """A rate > 0, or "inf": no service time."""
    field = table.need("service_rate", 'a number > 0, or "inf"')
    return None if field.value == "inf" else field.positive()


def _count(table: Table, key: str, what: str, largest: int) -> int:
    field = table.need(key, f"{what}, an integer")
    number = field.number()
    if number.denominator != 1 or not 1 <= number <= largest:
        raise field.refused(f"{what}, an integer from 1 to {largest}")
    return int(number)

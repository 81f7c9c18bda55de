"""Networks with shared buffers whose answer depends on who takes a scarce job."""

from __future__ import annotations

from verify.network_file.read import read_text
from verify.policies.instance import Instance

#: A prefers K to D, B helps with K.
HELPED = """
servers = { A = {}, B = {} }
buffers = [{ name = "K", arrival_rate = 1 }, { name = "D", arrival_rate = "9/20" }]
[[activities]]
server = "A"
buffer = "K"
rate = 1
[[activities]]
server = "B"
buffer = "K"
rate = 1
[[activities]]
server = "A"
buffer = "D"
rate = 1
[policy]
sequencing = "priority"
priority = { A = ["K", "D"] }
"""
#: Fast servers A, B at K; what A has served goes on to the slow L.
FORK = """
servers = { A = {}, B = {}, C = {} }
buffers = [{ name = "K", arrival_rate = 1 }, { name = "L" }]
[[activities]]
server = "A"
buffer = "K"
rate = 100
next = { L = 1 }
[[activities]]
server = "B"
buffer = "K"
rate = 100
[[activities]]
server = "C"
buffer = "L"
rate = "1/4"
[policy]
sequencing = "non-idling"
"""
#: N-model: server 2 may help with q1, which it prefers.
N_MODEL = """
servers = { 1 = {}, 2 = {} }
buffers = [{ name = "q1", arrival_rate = "13/10" }, { name = "q2", arrival_rate = "2/5" }]
[[activities]]
server = "1"
buffer = "q1"
rate = 1
[[activities]]
server = "2"
buffer = "q1"
rate = 1
[[activities]]
server = "2"
buffer = "q2"
rate = 1
[policy]
sequencing = "priority"
priority = { 2 = ["q1", "q2"] }
"""
#: Two servers of rate 1 at one buffer.
PAIR = """
servers = { A = {}, B = {} }
buffers = [{ name = "K", arrival_rate = 1 }]
[[activities]]
server = "A"
buffer = "K"
rate = 1
[[activities]]
server = "B"
buffer = "K"
rate = 1
[policy]
sequencing = "non-idling"
"""


def ordered(text: str, **orders: str) -> Instance:
    """The instance with a server order: buffer = servers in a row."""
    table = ", ".join(f"{buffer} = {list(servers)}".replace("'", '"') for buffer, servers in orders.items())
    return read_text(text + (f"server_order = {{ {table} }}\n" if orders else ""), format="toml")

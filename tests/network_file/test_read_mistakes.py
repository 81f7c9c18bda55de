"""One refusal for each kind of mistake: exact place, expected, found, cure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verify.errors import InputError
from verify.network_file.read import read_document, read_file, read_text

from .examples import BUFFERS, DOMINANT, JSQ, JSQ_AS, NAMED, ROUTES, refusal, spoiled

ONE = '[servers]\nA = {rate = 2}\n[[classes]]\nname = "a"\narrival_rate = 1\nroutes = {r = ["A"]}\n'
UNIT = '[servers]\n1 = {rate = 1}\n2 = {rate = 1}\n3 = {rate = 1}\n[[classes]]\nname = "c"\narrival_rate = 1\n'
JSQ_POLICY = '[policy]\nrouting = "jsq"\nsequencing = "non-idling"\n'
SEQUENCINGS = (
    "dominant, priority, fbfs, lbfs, non-idling, longest-queue, longest-duplicate, max-weight, back-pressure, fifo"
)
JSQ_SEQUENCINGS = "priority, fbfs, lbfs, non-idling, longest-queue, max-weight, back-pressure, fifo"
BUFFER_SEQUENCINGS = "priority, non-idling, longest-queue, max-weight, back-pressure, fifo"
FILE_KEYS = "title, source, parameters, servers, classes, buffers, activities, policy, test_function, rates"
PIECES = '[policy.dominance_function]\npieces = [{ "a.r1.1" = 1 }, %s]\n'

SPOILED = [
    # names of servers, classes, routes
    ("routes", 'r1 = ["1", "2"]', 'r1 = ["X", "2"]',
     "classes[0].routes.r1[0].server: expected one of the servers 1, 2, 3, got 'X'"),
    ("routes", '{ server = "3", mean', '{ server = "X", mean',
     "classes[1].routes.s1[1].server: expected one of the servers 1, 2, 3, got 'X'"),
    ("routes", 'r1 = ["1", "2"]', 'r1 = [1, "2"]',
     "classes[0].routes.r1[0].server: expected one of the servers 1, 2, 3, got 1 (write \"1\")"),
    ("routes", "1 = { rate", '"a b" = { rate', "servers.'a b': expected a name of letters, digits, _ and -, got 'a b'"),
    ("routes", 'name = "b"', 'name = "a"',
     "classes[1].name: expected a name that is not in use, got 'a' (classes[0].name has it)"),
    ("routes", 'name = "b"', 'name = "b.c"', "classes[1].name: expected a name of letters, digits, _ and -, got 'b.c'"),
    ("routes", 'name = "b"', 'name = "' + "b" * 101 + '"',
     "classes[1].name: expected a name of letters, digits, _ and -, got '" + "b" * 56 + "... (at most 100 characters)"),
    ("routes", 'name = "b"', "name = 5", "classes[1].name: expected a name (a string), got 5 (write \"5\")"),
    ("routes", 'name = "b"\n', "", "classes[1].name: expected the name of the class, got nothing"),
    ("routes", 's2 = ["1"]', '"s é" = ["1"]',
     "classes[1].routes.'s é': expected a name of letters, digits, _ and -, got 's é'"),
    # routes
    ("routes", 'r1 = ["1", "2"]\n', "", "classes[0].routes: expected at least one route, got none"),
    ("routes", '[classes.routes]\nr1 = ["1", "2"]\n', "", "classes[0].routes: expected a table of routes, got nothing "
     '(write [classes.routes] and a line like: r1 = ["1", "2"])'),
    ("routes", 'r1 = ["1", "2"]', "r1 = []",
     "classes[0].routes.r1: expected a list of visits, at least one, got an empty list"),
    ("routes", 'r1 = ["1", "2"]', 'r1 = "1"', "classes[0].routes.r1: expected a list of visits, at least one, got '1'"),
    ("jsq", '["2", "3", "4"]', '["2", "3", "2"]', "classes[0].routes.r2[2].server: expected no server twice on a route "
     "(jsq), got '2' again (first at classes[0].routes.r2[0])"),
    ("jsq-as", 'r2 = ["1", "3"]', 'r2 = ["1", "3", "1"]', "classes[0].routes.r2[2].server: expected no server twice on "
     "a route (jsq-as), got '1' again (first at classes[0].routes.r2[0])"),
    ("routes", '[policy]\nrouting = "bernoulli"\n', '[classes.routes.policy]\nrouting = "bernoulli"\n',
     "classes[1].routes.policy: expected a route, a list of visits, got a table (it stands inside routes: write [policy] as "
     "a table of its own)"),
    # rates and numbers
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = 0.5",
     'classes[0].arrival_rate: expected an exact number, got 0.5 (write "1/2" or "0.5")'),
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = 5e-1",
     'classes[0].arrival_rate: expected an exact number, got 5e-1 (write "1/2")'),
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = nan", "classes[0].arrival_rate: expected an exact number, "
     'got nan (write an integer, or a string like "1/2" or "0.5")'),
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = true",
     "classes[0].arrival_rate: expected an exact number, got true"),
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = 1979-05-27",
     "classes[0].arrival_rate: expected an exact number, got the date or time 1979-05-27"),
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = [1]",
     "classes[0].arrival_rate: expected an exact number, got a list"),
    ("routes", "arrival_rate = \"load/2\"", "arrival_rate = 0",
     "classes[0].arrival_rate: expected a number > 0, got 0"),
    ("routes", "arrival_rate = \"load/2\"", 'arrival_rate = "load - 1"',
     "classes[0].arrival_rate: expected a number > 0, got -1/10, the value of 'load - 1'"),
    ("routes", "arrival_rate = \"load/2\"\n", "",
     "classes[0].arrival_rate: expected the arrival rate of the class, a number > 0, got nothing"),
    ("routes", 'rate = "2"', 'rate = "-2"', "servers.2.rate: expected a number > 0, got -2"),
    ("routes", 'mean = "3/5"', 'mean = "0"', "classes[1].routes.s1[1].mean: expected a number > 0, got 0"),
    ("routes", 'mean = "3/5"', 'mean = "3/5", rate = "5/3"',
     "classes[1].routes.s1[1]: expected rate or mean, got both (remove one of them)"),
    ("routes", '{ server = "3", mean = "3/5" }', '"3"', "classes[1].routes.s1[1].rate: expected a rate or mean, as "
     'server 3 has no rate, got nothing (write { server = "3", rate = "1" })'),
    ("routes", '"load/2"', '"laod/2"',
     "classes[0].arrival_rate: expected one of the parameters load, got 'laod' (did you mean 'load'?)"),
    ("routes", '"load/2"', '"2/(load-0.9)"',
     "classes[0].arrival_rate: expected a divisor other than 0 after character 2, got 0"),
    ("routes", 'load = "9/10"', "load = 0.9",
     'parameters.load: expected an exact number, got 0.9 (write "9/10" or "0.9")'),
    ("routes", 'load = "9/10"', 'load = "x"\nx = 1',
     "parameters.load: expected numbers and parameters defined above it, got 'x' (define that one first)"),
    ("routes", 'load = "9/10"', "1load = 1", "parameters.1load: expected a parameter name of letters, digits and _, "
     "not beginning with a digit, got '1load'"),
    # unknown keys, missing tables
    ("routes", "title =", "titel =",
     f"titel: expected one of the keys {FILE_KEYS}, got 'titel' (did you mean 'title'?)"),
    ("routes", "arrival_rate", "arival_rate", "classes[0].arival_rate: expected one of the keys name, arrival_rate, "
     "routes, got 'arival_rate' (did you mean 'arrival_rate'?)"),
    ("routes", '1 = { rate = "1" }', '1 = { mean = "1" }', "servers.1.mean: expected one of the keys rate, got 'mean'"),
    ("routes", 'server = "3", mean', 'server = "3", meen', "classes[1].routes.s1[1].meen: expected one of the keys "
     "server, rate, mean, got 'meen' (did you mean 'mean'?)"),
    ("routes", 'sequencing = "priority"', 'sequencing = "priority"\nhold = 1', "policy.hold: expected one of the keys "
     "routing, sequencing, holding, preset, probabilities, route_weights, priority, buffer_weights, tie_order, dominance_function, server_order, got 'hold' "
     "(did you mean 'holding'?)"),
    ("routes", "[servers]", "[server]", f"server: expected one of the keys {FILE_KEYS}, got 'server' "
     "(did you mean 'servers'?)"),
    ("routes", 'title = "two classes"', "title = 3", "title: expected a string, got 3 (write \"3\")"),
    ("routes", '1 = { rate = "1" }', '1 = "1"', "servers.1: expected a table like { rate = \"1\" }, or {}, got '1'"),
    # kinds of network
    ("routes", "[policy]", "[[buffers]]\nname = \"q\"\n[policy]",
     "buffers: expected either classes, or buffers and activities, got both (remove one kind)"),
    # bernoulli
    ("routes", "[policy.probabilities]\nb = { s1 = \"1/3\", s2 = \"2/3\" }\n", "",
     "policy.probabilities.b: expected a probability for each of the routes s1, s2, got nothing"),
    ("routes", 's1 = "1/3", s2', "s2",
     "policy.probabilities.b: expected a probability for each of the routes s1, s2, got none for s1"),
    ("routes", 's1 = "1/3"', 's1 = "1/2"',
     "policy.probabilities.b: expected probabilities with sum 1, got the sum 7/6"),
    ("routes", 's1 = "1/3"', 's1 = "0"',
     "policy.probabilities.b.s1: expected a probability > 0 and <= 1, got 0 (leave it out if it is 0)"),
    ("routes", 's1 = "1/3"', 's1 = "4/3"',
     "policy.probabilities.b.s1: expected a probability > 0 and <= 1, got 4/3"),
    ("routes", 's1 = "1/3"', 's3 = "1/3"', "policy.probabilities.b.s3: expected one of the routes s1, s2, got 's3'"),
    ("routes", "b = { s1", "x = { s1", "policy.probabilities.x: expected one of the classes a, b, got 'x'"),
    # priority
    ("routes", '1 = ["b.s2.1", "a.1"]\n', "", "policy.priority.1: expected the buffers of server 1, highest first: "
     "a.r1.1, b.s2.1, got nothing"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = ["b.s2.1"]',
     "policy.priority.1: expected every buffer of server 1: a.r1.1, b.s2.1, got no a.r1.1"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = ["a.r1.1", "b.s2.1", "a.1"]',
     "policy.priority.1[2]: expected each buffer once, got 'a.1' (first at policy.priority.1[0])"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = ["b.s2.1", "a.2"]',
     "policy.priority.1[1]: expected one of the buffers a.r1.1, b.s2.1, got 'a.2'"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = ["b.1", "a.1"]',
     "policy.priority.1[0]: expected one of the buffers a.r1.1, b.s2.1, got 'b.1' "
     "(did you mean 'b.s2.1'?)"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '7 = ["b.s2.1", "a.1"]',
     "policy.priority.7: expected one of the servers 1, 2, 3, got '7'"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = [1]',
     "policy.priority.1: expected the list of all buffers of server 1: a.r1.1, b.s2.1, got ranks (no ranks: the order "
     "of the list says which comes first)"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = { "b.s2.1" = 2, "a.1" = 1 }',
     "policy.priority.1: expected the list of all buffers of server 1: a.r1.1, b.s2.1, got ranks (no ranks: the order "
     "of the list says which comes first)"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '1 = ["b.s2.1", 1]',
     "policy.priority.1[1]: expected the name of a buffer, got 1 (write \"1\")"),
    ("routes", '1 = ["b.s2.1", "a.1"]', '"a.1" = ["1"]',
     "policy.priority.a.1: expected one of the servers 1, 2, 3, got the buffer a.1 (write each server with the list of "
     "its buffers)"),
    ("routes", '1 = ["b.s2.1", "a.1"]', 'a = ["1", "2"]',
     "policy.priority.a: expected one of the servers 1, 2, 3, got the class a (write each server with the list of its "
     "buffers)"),
    # choices of the policy
    ("routes", 'routing = "bernoulli"\n', "",
     "policy.routing: expected one of the routings bernoulli, jsr, jsq, weighted-route, as class b has 2 routes, got nothing"),
    ("routes", '"bernoulli"', '"fixed"',
     "policy.routing: expected one of the routings bernoulli, jsr, jsq, weighted-route, as class b has 2 routes, got 'fixed' "
     "(fixed means one route for each class; bernoulli splits at random with fixed probabilities)"),
    ("routes", '"bernoulli"', '"jrs"', "policy.routing: expected one of the routings bernoulli, jsr, jsq, weighted-route, got 'jrs' "
     "(did you mean 'jsr'?)"),
    ("routes", 'sequencing = "priority"\n', "",
     f"policy.sequencing: expected one of the sequencings {SEQUENCINGS}, as server 1 has 2 buffers, got nothing "
     "(as there is priority: write sequencing = \"priority\")"),
    ("routes", '"priority"', '"fcfs"',
     f"policy.sequencing: expected one of the sequencings {SEQUENCINGS}, got 'fcfs' (write \"fifo\")"),
    ("routes", '"priority"', '"priority"\nholding = "spill"',
     "policy.holding: expected one of the holdings none, spillback, got 'spill' (did you mean 'spillback'?)"),
    ("routes", '"bernoulli"', '"jsr"',
     'policy.probabilities: expected no probabilities with routing jsr, got one (remove it, or write '
     'routing = "bernoulli")'),
    ("routes", '"priority"', '"fbfs"',
     'policy.priority: expected no priority with sequencing fbfs, got one (remove it, or write '
     'sequencing = "priority")'),
    ("dominant", '"dominant"', '"non-idling"',
     "policy.tie_order: expected no tie_order with sequencing non-idling, got "
     'one (remove it, or write sequencing = "dominant")'),
    ("dominant", '"dominant"\n[policy.tie_order]\n2 = ["a.r2.1", "a.r1.2"]', '"fifo"', "policy.dominance_function: "
     "expected no dominance_function with sequencing fifo, got one (remove it, or write sequencing = \"dominant\")"),
    ("dominant", '2 = ["a.r2.1", "a.r1.2"]', '2 = ["a.r2.1"]',
     "policy.tie_order.2: expected every buffer of server 2: a.r1.2, a.r2.1, got no a.r1.2"),
    # preset
    ("jsq-as", "[policy]", '[policy]\nrouting = "jsr"',
     "policy.routing: expected nothing beside preset, got 'jsr' (remove routing or preset)"),
    ("jsq-as", "[policy]", "[policy]\ntie_order = {}",
     "policy.tie_order: expected nothing beside preset, got a table (remove tie_order or preset)"),
    ("jsq-as", '"jsq-as"', '"jsq"', "policy.preset: expected one of the presets jsq-as, got 'jsq' "
     "(did you mean 'jsq-as'?)"),
    ("jsq-as", "[policy]", '[[classes]]\nname = "e"\narrival_rate = 1\nroutes = {r = ["1"]}\n[policy]',
     "classes: expected one class (preset jsq-as), got 2 classes"),
    ("jsq-as", 'r2 = ["1", "3"]', 'r2 = [{ server = "1", rate = 2 }, "3"]', "classes[0].routes.r2[0].rate: expected "
     "the rate 1 that class c has elsewhere at server 1 (jsq-as), got 2"),
    ("jsq-as", 'r2 = ["1", "3"]', 'r2 = ["2", "1"]',
     "classes[0].routes: expected no cycle among the servers of class c (jsq-as), got the cycle 1 -> 2 -> 1"),
    ("jsq-as", 'r2 = ["1", "3"]', 'r2 = ["3", "1"]', "classes[0].routes: expected the beginning of r1 and the end of "
     "r2 through server 1 as a route (jsq-as), got no route 1 (add it)"),
    # jsq
    ("jsq", 'r2 = ["2", "3", "4"]', 'r2 = ["2", "4", "3"]',
     "classes[0].routes: expected no cycle among the servers of class c (jsq), got the cycle 3 -> 4 -> 3"),
    ("jsq", 'r2 = ["2", "3", "4"]', 'r2 = ["2", "3"]', "classes[0].routes.r2: expected server 3 last on all or none of "
     "the routes through it (jsq), got last here, not on r1"),
    ("jsq", 'r2 = ["2", "3", "4"]', 'r2 = ["1", "2", "3", "4"]\nr3 = ["2", "4"]', "classes[0].routes: expected every "
     "path from a first to a last server of class c as a route (jsq), got no route 1 -> 2 -> 4 (add it)"),
    ("jsq", 'r2 = ["2", "3", "4"]', 'r2 = ["2", { server = "3", rate = 5 }, "4"]', "classes[0].routes.r2[1].rate: "
     "expected the rate 1 that class c has elsewhere at server 3 (jsq), got 5"),
    ("jsq", '"priority"\n[policy.priority]\n1 = ["d.1", "c.r1.1"]', '"dominant"',
     f"policy.sequencing: expected one of the sequencings {JSQ_SEQUENCINGS} under routing jsq, got 'dominant'"),
    ("jsq", '"priority"\n[policy.priority]\n1 = ["d.1", "c.r1.1"]', '"longest-duplicate"',
     f"policy.sequencing: expected one of the sequencings {JSQ_SEQUENCINGS} under routing jsq, "
     "got 'longest-duplicate'"),
    ("jsq", '"c.r1.1"]', '"c.r1.2"]', "policy.priority.1[1]: expected one of the buffers c@1, d@1, got 'c.r1.2'"),
    # buffer networks
    ("buffers", 'server = "A"', 'server = "C"', "activities[0].server: expected one of the servers A, B, got 'C'"),
    ("buffers", 'buffer = "q2"', 'buffer = "q3"',
     "activities[2].buffer: expected one of the buffers q1, q2, got 'q3'"),
    ("buffers", 'next = { q2 = "1/2" }', 'next = { z = "1/2" }',
     "activities[0].next.z: expected one of the buffers q1, q2, got 'z'"),
    ("buffers", 'q1 = "1/2", q2 = "1/4"', 'q1 = "1/2", q2 = "3/4"',
     "activities[2].next: expected probabilities with sum <= 1, got the sum 5/4"),
    ("buffers", 'q1 = "1/2", q2', 'q1 = "-1/2", q2',
     "activities[2].next.q1: expected a probability > 0 and <= 1, got -1/2"),
    ("buffers", 'rate = "7"\n', "", "activities[2].rate: expected a rate or mean, got nothing"),
    ("buffers", 'rate = "7"', 'rate = "7"\nmean = "1/7"',
     "activities[2]: expected rate or mean, got both (remove one of them)"),
    ("buffers", 'buffer = "q2"', 'buffer = "q1"',
     "activities[2]: expected one activity for each server and buffer, got a second one for server B and buffer q1"),
    ("buffers", 'name = "q2"', 'name = "q1"',
     "buffers[1].name: expected a name that is not in use, got 'q1' (buffers[0].name has it)"),
    ("buffers", 'arrival_rate = "1"', "", "buffers[0].arrival_rate: expected a buffer with arrival rate > 0, got none "
     "in all buffers"),
    ("buffers", 'arrival_rate = "1"', 'arrival_rate = "-1"', "buffers[0].arrival_rate: expected a number >= 0, got -1"),
    ("buffers", 'name = "q2"', 'name = "q2"\n[[buffers]]\nname = "q3"',
     "activities: expected an activity for every buffer, got none for q3"),
    ("buffers", "A = {}", "A = { rate = 1 }", "servers.A.rate: expected no rate at a server of a buffer network, got "
     "one (give each activity its rate or mean)"),
    ("buffers", "[policy]", '[policy]\nrouting = "jsr"',
     "policy.routing: expected the routing fixed, the only one in a buffer network, got 'jsr'"),
    ("buffers", 'sequencing = "priority"\n[policy.priority]\nB = ["q2", "q1"]', 'preset = "jsq-as"',
     "policy.preset: expected no preset in a buffer network, got 'jsq-as'"),
    *[("buffers", '"priority"\n[policy.priority]\nB = ["q2", "q1"]', f'"{word}"',
       f"policy.sequencing: expected one of the sequencings {BUFFER_SEQUENCINGS} in a buffer network, got '{word}'")
      for word in ("fbfs", "lbfs", "longest-duplicate", "dominant")],
    # functions
    ("dominant", 'alpha = "3/4"\n', "",
     "policy.dominance_function.alpha: expected a number > 0, or a list of them, got nothing"),
    ("dominant", 'alpha = "3/4"', 'alpha = ["1"]', "policy.dominance_function.alpha: expected a list of length 2 (one "
     "for each depth up to the longest route), or one number, got length 1"),
    ("dominant", '"4/5"]', '"4/5", "3/5"]', "policy.dominance_function.beta: expected a list of length 2 (one for each "
     "number of dominant routes of a class), or one number, got length 3"),
    ("dominant", "gamma = 1", "gamma = [1, 1]", "policy.dominance_function.gamma: expected a list of length 1 (one for "
     "each number of classes), or one number, got length 2"),
    ("dominant", '"4/5"]', '"0"]', "policy.dominance_function.beta[1]: expected a number > 0, got 0"),
    ("dominant", "gamma = 1", "gamma = -1", "policy.dominance_function.gamma: expected a number > 0, got -1"),
    ("dominant", '"explicit"', '"implicit"',
     "policy.dominance_function.template: expected one of the templates explicit, "
     "got 'implicit' (did you mean 'explicit'?)"),
    ("dominant", 'template = "explicit"\n', "", "policy.dominance_function.template: expected template or pieces, got "
     'nothing (write template = "explicit" with alpha, beta, gamma, or pieces)'),
    ("dominant", '"a.r2.1" = 2 }', '"a.r2.1" = -2 }',
     "test_function.pieces[1].a.r2.1: expected a number >= 0, got -2"),
    ("dominant", '"a.r2.1" = 2 }', '"a.r2.2" = 2 }', "test_function.pieces[1].a.r2.2: expected one of the buffers "
     "a.r1.1, a.r1.2, a.r2.1, got 'a.r2.2' (did you mean 'a.r2.1'?)"),
    ("dominant", '"a.r2.1" = 2 }', '"a.r2.1" = 0 }',
     "test_function.pieces[1]: expected a piece with a weight > 0, got none (remove it)"),
    ("dominant", "pieces = [", 'template = "explicit"\npieces = [',
     "test_function.template: expected no such key beside pieces, got 'explicit' (remove template or pieces)"),
    ("dominant", "pieces = [", "gamma = 1\npieces = [",
     "test_function.gamma: expected no such key beside pieces, got 1 (remove gamma or pieces)"),
]  # fmt: skip

WHOLE = [
    ("empty", "", "file: expected a network, got an empty file"),
    ("blank", " \n", "file: expected a network, got an empty file"),
    ("comment only", "# nothing", "file: expected [[classes]], or [[buffers]] and [[activities]], got neither"),
    ("mark", "\ufeff" + ONE, "line 1, column 1: expected text without a byte-order mark, got one "
     "(save the file as UTF-8 without byte-order mark)"),
    ("syntax", "a = \nb = 1", "line 1, column 5: expected valid TOML, got a syntax error: Invalid value"),
    ("unfinished", 'a = "x', "line 1 (end of document): expected valid TOML, got a syntax error: Unterminated string"),
    ("key twice", "[servers]\n1 = {}\n1 = {}", "line 3 (end of document): expected valid TOML, got a syntax error: "
     "Cannot overwrite a value"),
    ("deep", "a = " + "[" * 5000, "file: expected tables nested at most 100 deep, got deeper ones"),
    ("deep keys", "a" + ".a" * 200 + " = 1", "file: expected tables nested at most 100 deep, got deeper ones"),
    ("no servers", '[[classes]]\nname = "a"', "servers: expected a table of servers, got nothing "
     '(write [servers] and a line like: 1 = { rate = "1" })'),
    ("empty servers", 'servers = {}\n[[classes]]\nname = "a"', "servers: expected at least one server, got none"),
    ("empty classes", "servers = {1={}}\nclasses = []", "classes: expected a list of classes, got an empty list"),
    ("class no table", "servers = {1={}}\nclasses = [3]",
     "classes[0]: expected a class with name, arrival_rate and routes, got 3"),
    ("activities only", "servers = {1={}}\nactivities = [3]",
     "buffers: expected a list of buffers, got nothing (write [[buffers]])"),
    ("buffers only", 'servers = {1={}}\nbuffers = [{name = "q", arrival_rate = 1}]',
     "activities: expected a list of activities, got nothing (write [[activities]])"),
    ("no way out", spoiled(spoiled(BUFFERS, 'next = { q2 = "1/2" }', "next = { q2 = 1 }"), 'mean = "1/5"',
                           "mean = 1\nnext = { q1 = 1 }").replace('q2 = "1/4"', 'q2 = "1/2"'),
     "activities: expected a way out of the network from every buffer, got none from q1, q2 "
     "(probabilities of next with sum < 1 somewhere on the way)"),
    ("template under jsq", JSQ + '[test_function]\ntemplate = "explicit"\nalpha = 1\nbeta = 1\ngamma = 1',
     "test_function.template: expected pieces (the template needs the route expansion, which routing jsq does not "
     "have), got 'explicit'"),
    ("template for buffers", BUFFERS + '[test_function]\ntemplate = "explicit"\nalpha = 1\nbeta = 1\ngamma = 1',
     "test_function.template: expected pieces (the template exists for route networks only), got 'explicit'"),
    ("no pieces", BUFFERS + "[test_function]\npieces = []",
     "test_function.pieces: expected a list of pieces, at least one, got an empty list"),
    ("buffer twice", ROUTES + '[test_function]\npieces = [{ "a.1" = 1, "a.r1.1" = 1 }]',
     "test_function.pieces[0].a.r1.1: expected one weight for a.r1.1, got a second one (remove one of them)"),
    ("gap in a piece of U", DOMINANT.partition("[policy.dominance_function]")[0] + PIECES % '{ "a.r1.2" = 1 }',
     "policy.dominance_function.pieces[1]: expected weights positive on an initial segment of each route and 0 after "
     "it, got 0 for a.r1.1 and more than 0 after it"),
    ("subserver under jsq-as", JSQ_AS + '[test_function]\npieces = [{ "c@1" = 1 }]', "test_function.pieces[0].c@1: "
     "expected one of the buffers c.r1.1, c.r1.2, c.r2.1, c.r2.2, got 'c@1'"),
    ("positions under jsq", UNIT + 'routes = { r1 = ["1", "2", "3"], r2 = ["2", "3"] }\n'
     + JSQ_POLICY.replace("non-idling", "fbfs"), "policy.sequencing: expected c@2 at one position on all routes (fbfs "
     'under jsq), got position 2 on r1, 1 on r2 (write sequencing = "priority" and the order you want)'),
    ("order for an idle server", spoiled(ROUTES, "3 = {}", "3 = {}\n4 = {}") + "4 = []",
     "policy.priority.4: expected no order for server 4, which has no buffer, got one (remove it)"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "old", "new", "message"), SPOILED,
                         ids=lambda value: str(value)[:40])  # fmt: skip
def test_read_mistake_is_refused_with_place_found_and_cure(base: str, old: str, new: str, message: str) -> None:
    assert str(refusal(spoiled(NAMED[base], old, new))) == message


@pytest.mark.parametrize("base", NAMED)
def test_read_base_of_the_mistakes_is_in_order(base: str) -> None:
    assert read_text(NAMED[base], format="toml").policy is not None


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in WHOLE], ids=[case[0] for case in WHOLE])
def test_read_whole_file_mistake_is_refused(text: str, message: str) -> None:
    assert str(refusal(text)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n "b" 2}', "line 2, column 6: expected valid JSON, got a syntax error: Expecting ':' delimiter"),
        ('{"classes": [{"name": "a", "name": "b"}]}',
         "classes[0]: expected each key once, got 'name' twice (remove one of them)"),
        ('{"a": 1, "a": 1}', "file: expected each key once, got 'a' twice (remove one of them)"),
        ("[]", "file: expected a table of servers, classes, policy, got a list"),
        ('{"parameters": {"a": NaN}}', 'parameters.a: expected an exact number, got NaN (write an integer, or a string '
         'like "1/2" or "0.5")'),
        ('{"parameters": {"a": 0.25}}', 'parameters.a: expected an exact number, got 0.25 (write "1/4" or "0.25")'),
        ('{"parameters": {"a": ' + "1" * 5000 + "}}",
         "parameters.a: expected an exact number, got an integer of 5000 digits"),
        ('{"title": null}', "file: expected [[classes]], or [[buffers]] and [[activities]], got neither"),
        ("[" * 100_000, "file: expected tables nested at most 100 deep, got deeper ones"),
    ],
)  # fmt: skip
def test_read_json_mistake_is_refused(text: str, message: str) -> None:
    assert str(refusal(text, "json")) == message


def test_read_title_with_lone_surrogate_is_refused() -> None:
    text = '{"title": "\\ud800", "servers": {"1": {"rate": 1}}, "classes": [{"name": "a", "arrival_rate": 1, ' + (
        '"routes": {"r": ["1"]}}]}'
    )
    assert str(refusal(text, "json")) == r"title: expected Unicode text, got '\ud800'"


def test_read_setting_of_unknown_parameter_is_refused() -> None:
    error = refusal(ROUTES, settings={"laod": "1"})
    assert str(error) == "--set: expected one of the parameters load, got 'laod' (did you mean 'load'?)"


def test_read_setting_without_parameters_is_refused() -> None:
    assert str(refusal(ONE, settings={"x": "1"})) == (
        "--set: expected a file with parameters to set, got 'x' "
        '(write [parameters] and a line like: load = "9/10", and use the name in the rates)'
    )


def test_read_setting_that_is_no_number_is_refused() -> None:
    error = refusal(ROUTES, settings={"load": "1e3"})
    assert str(error) == "--set load: expected an operator or the end at character 2, got 'e3'"


def test_read_unknown_format_is_refused() -> None:
    assert str(refusal(ONE, "yaml")) == "format: expected toml or json, got 'yaml'"


@pytest.mark.parametrize(
    ("data", "place", "expected", "found"),
    [
        (b"title = '\xff'", None, "UTF-8 text", "byte 0xff at offset 9"),
        (b"\xef\xbb\xbf" + ONE.encode(), "line 1, column 1", "text without a byte-order mark", "one"),
        (ONE.encode("utf-16"), None, "UTF-8 text", "byte 0xff at offset 0"),
        (b"", "file", "a network", "an empty file"),
    ],
)
def test_read_file_of_wrong_bytes_is_refused(
    tmp_path: Path, data: bytes, place: str | None, expected: str, found: str
) -> None:
    path = tmp_path / "n.toml"
    path.write_bytes(data)
    with pytest.raises(InputError) as refused:
        read_file(path)
    assert (refused.value.expected, refused.value.found) == (expected, found)
    assert refused.value.place == (f"{path}: {place}" if place else str(path))


def test_read_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    for path, found in ((tmp_path / "no.toml", "no such file or directory"), (tmp_path, "a folder")):
        with pytest.raises(InputError) as refused:
            read_file(path)
        assert (refused.value.place, refused.value.found) == (str(path), found)
    with pytest.raises(InputError, match="a name that no file can have"):
        read_file("a\0b")


def test_read_document_with_other_keys_than_strings_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        read_document({"servers": {1: {}}, "classes": [{}]})
    assert str(refused.value) == "servers: expected a table of servers, its keys strings, got other keys"


def test_read_document_with_python_float_is_refused() -> None:
    document = json.dumps({"servers": {"1": {"rate": 0.1}}, "classes": []})
    assert str(refusal(document, "json")) == (
        'servers.1.rate: expected an exact number, got 0.1 (write "1/10" or "0.1")'
    )

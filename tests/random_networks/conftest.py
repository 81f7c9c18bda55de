"""Prints the table of random networks at the end of a test run."""

from __future__ import annotations

import pytest

from .judge import Table

TABLE = pytest.StashKey[Table]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()


@pytest.fixture(scope="session")
def table(request: pytest.FixtureRequest) -> Table:
    return request.config.stash[TABLE]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    table = config.stash[TABLE]
    if table.counts:
        terminalreporter.section("random networks against the oracles")
        for line in table.lines():
            terminalreporter.write_line(line)

"""Test tiers: fast by default, `--slow` adds the slow ones, `--live` those that talk to paid services."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests marked slow")
    parser.addoption("--live", action="store_true", help="also run tests that call paid services")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for tier in ("slow", "live"):
        if not config.getoption(f"--{tier}"):
            skip = pytest.mark.skip(reason=f"needs --{tier}")
            for item in items:
                if tier in item.keywords:
                    item.add_marker(skip)

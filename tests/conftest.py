"""Test tiers: fast by default, `--slow` adds the slow ones, `--live` those that talk to paid services.

Property tests run few examples here and many under scripts/fuzz, which sets FUZZ_EXAMPLES.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

# As the command line does it, and before numpy is imported: two workers keep two cores busy without more threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "suite",
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
settings.load_profile("suite")


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

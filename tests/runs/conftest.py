import anyio
import pytest

from storyengine.runs.executor import LocalExecutor
from storyengine.runs.project import Project
from storyengine.runs.provider import Limits
from storyengine.runs.runner import Runner
from tests.runs.paid_service import Direct, IdempotentJobs, Jobs, JobsWithLookup, Running, running_service

QUICK = {"concurrency": 8, "poll_seconds": 0.01, "settle_seconds": 0.1}


@pytest.fixture(scope="session")
def service() -> Running:
    with running_service() as running:
        yield running


@pytest.fixture
def providers(service):
    """Makers of the four kinds of providers, by name; a client belongs to one event loop."""
    return lambda: [
        Jobs(service.address, "jobs", Limits(**QUICK)),
        JobsWithLookup(service.address, "lookup", Limits(**QUICK)),
        IdempotentJobs(service.address, "idempotent", Limits(**QUICK, idempotent=True)),
        Direct(service.address, "direct", Limits(**QUICK)),
    ]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "film"


@pytest.fixture
def in_runner(folder, providers):
    """Runs an async function with a runner on the project folder, in threads; returns what it returns."""

    def call(use, *, project=None, **options):
        async def main():
            clients = providers()
            with project or Project(folder) as held:
                async with (
                    LocalExecutor("threads", {"cpu": 4}) as executor,
                    Runner(held, executor, providers=clients, keep_free=0, **options) as runner,
                ):
                    try:
                        return await use(runner)
                    finally:
                        for client in clients:
                            with anyio.CancelScope(shield=True):
                                await client.close()

        return anyio.run(main)

    return call

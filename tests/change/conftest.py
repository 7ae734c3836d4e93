import shutil

import pytest

from .ten_shots import make


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """The film of ten small shots, made once; tests work on copies."""
    folder = tmp_path_factory.mktemp("ten") / "film"
    return folder, make(folder)


@pytest.fixture
def film(base, tmp_path):
    shutil.copytree(base[0], tmp_path / "film")
    return tmp_path / "film", base[1]

import sys

import pytest

from storyengine.backends import Port, available, load
from storyengine.backends.registry import BUILT_IN, EXTRAS
from storyengine.errors import Misconfigured, MissingDependency


@pytest.fixture
def third_party(tmp_path, monkeypatch):
    """A real distribution on the path that offers a painter, and one whose vendor is not installed."""
    (tmp_path / "watercolour.py").write_text("loaded = True\ndef make(**options):\n    return ('painter', options)\n")
    (tmp_path / "needy.py").write_text("import a_vendor_nobody_has\n")
    info = tmp_path / "watercolour-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: watercolour\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[storyengine.painters]\nwatercolour = watercolour:make\nneedy = needy:make\nempty = watercolour:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("watercolour", None)
    sys.modules.pop("needy", None)


@pytest.mark.usefixtures("third_party")
def test_a_third_party_backend_is_found_by_name_and_imported_on_first_use():
    assert "watercolour" in available(Port.PAINTER)
    assert "watercolour" not in available(Port.JUDGE)
    assert "watercolour" not in sys.modules
    assert load(Port.PAINTER, "watercolour")(paper="rough") == ("painter", {"paper": "rough"})
    assert "watercolour" in sys.modules


@pytest.mark.usefixtures("third_party")
def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(Misconfigured, match=r"Unknown painter 'watercolor'\. Did you mean 'watercolour'\?"):
        load(Port.PAINTER, "watercolor")


@pytest.mark.usefixtures("third_party")
def test_a_missing_vendor_names_the_install_command(monkeypatch):
    with pytest.raises(Misconfigured, match="cannot be loaded"):
        load(Port.PAINTER, "needy")
    monkeypatch.setitem(EXTRAS, "a_vendor_nobody_has", "vendor")
    with pytest.raises(MissingDependency, match=r"pip install \"storyengine\[vendor\]\""):
        load(Port.PAINTER, "needy")
    with pytest.raises(Misconfigured, match="does not exist"):
        load(Port.PAINTER, "empty")


@pytest.mark.parametrize(("port", "name"), [(port, name) for port in Port for name in BUILT_IN[port]])
def test_every_backend_of_ours_can_be_loaded(port, name):
    assert callable(load(port, name))

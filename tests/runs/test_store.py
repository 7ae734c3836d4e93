import multiprocessing
import os
import resource
import signal

import pytest

from storyengine.errors import ContractError, CorruptData, FolderError
from storyengine.runs.digest import digest_bytes
from storyengine.runs.store import Artifact, LocalStore
from tests.runs.machines import make_read_only, mounted


@pytest.fixture
def store(tmp_path):
    return LocalStore(tmp_path / "store")


def place(store, artifact):
    return store.root / artifact.digest[:2] / artifact.digest[2:]


def test_what_is_put_comes_back(store, tmp_path):
    source = tmp_path / "clip.mp4"
    source.write_bytes(b"moving" * 400_000)
    from_file, from_bytes = store.put(source), store.put(b"still")
    assert store.get(from_file.digest) == source.read_bytes()
    assert store.path(from_bytes.digest).read_bytes() == b"still"
    assert from_bytes == Artifact(digest_bytes(b"still"), 5)
    assert set(store.digests()) == {from_file.digest, from_bytes.digest}
    assert store.has(from_bytes.digest, 5)
    assert not store.has(from_bytes.digest, 6)
    assert list(store.leftovers()) == []


def test_putting_twice_is_putting_once(store):
    assert store.put(b"same") == store.put(b"same")
    assert len(list(store.digests())) == 1


def test_deleting_and_missing(store):
    artifact = store.put(b"gone soon")
    store.delete(artifact.digest)
    store.delete(artifact.digest)
    assert not store.has(artifact.digest)
    with pytest.raises(FolderError, match="Run the same command again"):
        store.get(artifact.digest)


def test_only_digests_are_names(store):
    with pytest.raises(ContractError, match="not a digest"):
        store.get("../../etc/passwd")


@pytest.mark.parametrize("damage", ["flip", "truncate", "empty", "extend"])
@pytest.mark.parametrize("verb", ["get", "path"])
def test_a_damaged_artifact_is_refused_moved_aside_and_replaced(store, damage, verb):
    artifact = store.put(b"precious" * 100)
    path = place(store, artifact)
    data = path.read_bytes()
    path.chmod(0o644)
    flipped = bytes([data[0] ^ 1]) + data[1:]
    path.write_bytes({"flip": flipped, "truncate": data[:50], "empty": b"", "extend": data + b"x"}[damage])
    with pytest.raises(CorruptData, match="Run the same command again"):
        getattr(store, verb)(artifact.digest)
    assert not store.has(artifact.digest)
    assert [path.parent.name for path in store.leftovers()] == ["corrupt"]
    store.put(b"precious" * 100)
    assert store.get(artifact.digest) == data


def test_putting_over_a_damaged_copy_heals_it(store):
    artifact = store.put(b"precious")
    place(store, artifact).chmod(0o644)
    place(store, artifact).write_bytes(b"PRECIOUS")
    store.put(b"precious")
    assert store.get(artifact.digest) == b"precious"


def write_until_killed(root, line):
    store, index = LocalStore(root), 0
    while True:
        store.put(index.to_bytes(4, "big") * 50_000)
        index += 1
        line.send(index)


def test_a_killed_writer_leaves_whole_artifacts_or_none(store):
    """Killed in the middle of its writes: nothing under a digest is ever torn."""
    here, there = multiprocessing.Pipe()
    for _ in range(5):
        writer = multiprocessing.get_context("fork").Process(target=write_until_killed, args=(store.root, there))
        writer.start()
        here.recv()
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
    for digest in store.digests():
        assert digest_bytes(store.get(digest)) == digest


def test_a_full_disk(tmp_path):
    large = tmp_path / "large"
    large.write_bytes(b"x" * 1_000_000)
    with mounted(tmp_path / "disk", "size=256k") as disk:
        store = LocalStore(disk / "store")
        small = store.put(b"fits")
        with pytest.raises(FolderError, match=r"disk is full.*Free some space"):
            store.put(b"x" * 1_000_000)
        with pytest.raises(FolderError, match="disk is full"):
            store.put(large)
        assert list(store.digests()) == [small.digest]
        assert list(store.leftovers()) == []
        assert store.get(small.digest) == b"fits"


def test_a_file_larger_than_allowed(store):
    """The same without rights to mount a disk: the system refuses the write half-way."""

    def write():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            store.put(b"x" * 1_000_000)
        except FolderError as error:
            os._exit(0 if "larger than allowed" in str(error) and not list(store.leftovers()) else 1)
        os._exit(2)

    child = multiprocessing.get_context("fork").Process(target=write)
    child.start()
    child.join()
    assert child.exitcode == 0
    assert list(store.digests()) == []


def test_a_read_only_disk_is_read_and_not_written(tmp_path):
    with mounted(tmp_path / "disk", "size=1m") as disk:
        store = LocalStore(disk / "store")
        whole, hurt = store.put(b"whole"), store.put(b"hurt")
        place(store, hurt).chmod(0o644)
        place(store, hurt).write_bytes(b"HURT")
        make_read_only(disk)
        assert store.get(whole.digest) == b"whole"
        with pytest.raises(CorruptData):
            store.get(hurt.digest)
        with pytest.raises(FolderError, match=r"read-only file system.*Choose a folder"):
            store.put(b"new")

"""Borders that reviewers would otherwise have to repeat."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import storyengine

PACKAGE = Path(storyengine.__file__).parent
ROOT = PACKAGE.parent.parent
PURE = ("request", "plan", "language", "state", "check", "contract")
SIDE_EFFECTS = {
    "os", "pathlib", "io", "shutil", "tempfile", "subprocess", "socket", "time", "datetime", "random", "secrets",
    "uuid", "logging", "sqlite3", "asyncio", "threading", "multiprocessing", "urllib", "http", "httpx2", "anyio",
}  # fmt: skip


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def modules(*rooms):
    return sorted(path for room in rooms for path in (PACKAGE / room).rglob("*.py"))


@pytest.mark.parametrize("path", modules(*PURE), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_is_true_is_decided_without_side_effects(path):
    assert SIDE_EFFECTS.isdisjoint(name.split(".")[0] for name in imports(path))


def test_the_core_never_prints():
    for path in modules(""):
        text = path.read_text("utf-8")
        if path.relative_to(PACKAGE).parts[0] != "cli" and "print(" in text:
            calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
            assert not [c for c in calls if getattr(c.func, "id", None) == "print"], path


def test_import_contracts_hold():
    program = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_starting_the_command_line_imports_no_heavy_library():
    heavy = ("numpy", "cv2", "av", "numba", "ray", "torch")
    code = f"import sys, storyengine.cli.main; print(*[name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


def test_the_public_names_exist_and_are_few():
    assert len(storyengine.__all__) <= 40  # the story core, and a function for every command
    for name in storyengine.__all__:
        assert getattr(storyengine, name) is not None


def test_reference_pages_are_up_to_date():
    result = subprocess.run([sys.executable, ROOT / "scripts" / "docs", "--check"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr

#!/usr/bin/env python3
"""Sets up .venv and runs the project. Standard library only.

python3 dev.py demo     install what a user needs, then make the demo film
python3 dev.py test     install what tests need, then run them (extra words go to pytest)
python3 dev.py setup    install everything for development; afterwards: .venv/bin/storyengine
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENV = ROOT / ".venv"
BIN = ENV / ("Scripts" if os.name == "nt" else "bin")


def install(extras: str) -> None:
    """Make .venv hold StoryEngine with these extras; costs nothing when it already does."""
    wanted = hashlib.sha256(
        b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    ).hexdigest()
    stamp = ENV / f".ready{extras}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if not (BIN / "python").exists():
        make_environment()
    print(f"Installing StoryEngine{extras} into .venv (once) ...", file=sys.stderr, flush=True)
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    code = subprocess.call([*pip, "-c", str(ROOT / "constraints.txt"), "-e", f"{ROOT}{extras}"])
    if code:
        sys.exit("The installation failed; pip's message above says why. Run the same command again to retry.")
    stamp.write_text(wanted)


def make_environment() -> None:
    try:
        import venv

        venv.create(ENV, with_pip=True, clear=ENV.exists())
    except (ImportError, subprocess.CalledProcessError):
        sys.exit("This Python cannot make virtual environments. On Debian or Ubuntu: apt install python3-venv")


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - people run this with whatever python3 they have
        sys.exit("StoryEngine needs Python 3.11 or newer; this is " + sys.version.split()[0])
    command, *words = sys.argv[1:] or ["help"]
    if command == "demo":
        install("")
        return subprocess.call([str(BIN / "storyengine"), "demo", *words])
    if command == "test":
        install("[dev]")
        return subprocess.call([str(BIN / "python"), "-m", "pytest", *words], cwd=ROOT)
    if command == "setup":
        install("[dev]")
        print(f"Ready. Try: {BIN.relative_to(ROOT) / 'storyengine'} --help")
        return 0
    print(__doc__)
    return 0 if command in ("help", "-h", "--help") else 2


if __name__ == "__main__":
    sys.exit(main())

"""Pure work for tests: importable by name, so that worker processes and Ray can find it."""

import os
import signal
import time
from pathlib import Path

from storyengine.errors import InputError, MissingDependency, PlanInvalid, Refused
from storyengine.runs.step import From, Materials, Paid, Step, Warm


def join(materials: Materials) -> bytes:
    """The inputs in order of their names, and the text."""
    parts = [materials.read(name) for name in sorted(materials.inputs)]
    return b"+".join([*parts, str(materials.params["text"]).encode()])


def draft(materials: Materials) -> Path:
    path = materials.scratch / "draft.txt"
    path.write_bytes(materials.path("source").read_bytes() + b" as a file")
    return path


def count(materials: Materials) -> bytes:
    """Leaves a mark for each time it really runs."""
    with Path(materials.params["marks"]).open("a") as marks:
        marks.write(f"{os.getpid()}\n")
    time.sleep(materials.params.get("seconds", 0))
    return b"counted"


def break_down(materials: Materials) -> bytes:
    raise ValueError("api_key=sk-planted-0123456789abcdef broke it")


def complain(materials: Materials) -> bytes:
    raise InputError("The lens is missing.", next_step="Choose a lens.")


def refuse(materials: Materials) -> bytes:
    raise Refused("A local model declined.", "no such scenes", next_step="Change the prompt.")


def reject(materials: Materials) -> bytes:
    raise PlanInvalid("Not a plan.", [object()])


def miss(materials: Materials) -> bytes:
    raise MissingDependency("A model", "wan")


def die_once(materials: Materials) -> bytes:
    """Kills its own process the first time."""
    mark = Path(materials.params["mark"])
    if not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return b"alive"


def die(materials: Materials) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


class Model:
    def __init__(self):
        self.used = 0


def load_model() -> Model:
    return Model()


def use_model(materials: Materials) -> bytes:
    """How often this very model was used, and where."""
    materials.helper.used += 1
    return f"{os.getpid()} {materials.helper.used} {materials.params['text']}".encode()


MODEL = Warm("model", load_model)


def text_step(slot, text="", work=join, version="1", **inputs) -> Step:
    return Step(kind="text", version=version, slot=slot, inputs=inputs, params={"text": text}, work=work)


def paid_step(slot, text, provider="lookup", estimate=50_000, **inputs) -> Step:
    return Step(
        kind="paint",
        version="1",
        slot=slot,
        inputs=inputs,
        params={"prompt": text},
        paid=Paid(provider, "openings", estimate),
    )


def graph(size: int, change: int | None = None) -> list[Step]:
    """A chain of shots, each from the two before it, in rows of ten: change one, and its dependants change."""
    steps = []
    for index in range(size):
        before = [other for other in (index - 1, index - 2) if other >= 0 and other // 10 == index // 10]
        text = f"shot {index}" + (" changed" if index == change else "")
        inputs = {f"from{other}": From(f"shot {other}") for other in before}
        steps.append(
            Step(
                kind="text",
                version="1",
                slot=f"shot {index}",
                inputs=inputs,
                params={"text": text},
                work=join,
            )
        )
    return steps

"""A film of ten small shots in three places, and ways to edit one of its events."""

import copy
from dataclasses import dataclass, replace
from functools import partial

import anyio
import numpy as np

from storyengine.change.cuts import list_cuts
from storyengine.change.forecast import foresee
from storyengine.change.record import Changes
from storyengine.continuity.crew import Crew
from storyengine.language.captions import captions_of
from storyengine.media.picture import Picture
from storyengine.pipeline import make_film
from storyengine.plan import Catalog, SemanticPlan
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.project import Project
from storyengine.runs.runner import Runner
from tests.film.small_crew import SmallAnimator, SmallJudge, SmallPainter, hire

SURFACES = {"kitchen": ("table", "shelf"), "workshop": ("bench", "trunk"), "yard": ("crate", "wall")}
PLACES = ["kitchen"] * 4 + ["workshop"] * 3 + ["yard"] * 3
MANNERS = ("slowly", "with both hands", "without looking", "in a hurry", "carefully", "with a smile")


def _surface(name, place):
    return {
        "id": name,
        "name": f"{name} of the {place}",
        "kind": "prop",
        "look": "old oak",
        "roles": ["surface", "fixed"],
    }


def _event(action, *effects, actor="ada"):
    return {"action": action, "actors": [actor], "effects": list(effects)}


def plan_dict():
    entities = [
        {"id": "ada", "name": "Ada", "kind": "character", "look": "a tall woman in a green apron"},
        {"id": "ben", "name": "Ben", "kind": "character", "look": "a boy in a striped shirt"},
        {"id": "mug", "name": "blue mug", "kind": "prop", "look": "a blue enamel mug"},
        {
            "id": "lamp",
            "name": "brass lamp",
            "kind": "prop",
            "look": "a small brass lamp",
            "attributes": [{"name": "state", "values": ["unlit", "lit", "smoking"]}],
        },
        *(_surface(name, place) for place, names in SURFACES.items() for name in names),
    ]
    places = [
        {"id": place, "name": place, "look": f"a plain {place}", "zones": [{"id": "middle", "name": "in the middle"}]}
        for place in SURFACES
    ]
    initial = ["ada at kitchen.middle", "ben at workshop.middle", "mug on table", "lamp on shelf", "lamp.state = unlit"]
    initial += [f"{name} at {place}.middle" for place, names in SURFACES.items() for name in names]
    happens = [
        [_event("Ada picks up the blue mug.", "mug held by ada")],
        [_event("Ada puts the blue mug down.", "mug on shelf")],
        [_event("Ada lights the brass lamp.", "lamp.state = lit")],
        [_event("Ada takes the blue mug again.", "mug held by ada")],
        [_event("Ada sets the blue mug on the bench.", "mug on bench")],
        [_event("Ben takes the blue mug.", "mug held by ben", actor="ben")],
        [_event("Ada wipes her hands.")],
        [_event("Ada looks at the sky.")],
        [_event("Ben puts the blue mug on the crate.", "mug on crate", actor="ben")],
        [_event("Ada picks up the blue mug.", "mug held by ada")],
    ]
    shots = []
    for place, events in zip(PLACES, happens, strict=True):
        shots.append(
            {
                "environment": place,
                "seconds": 0.5,
                "events": events,
                "view": {"subjects": ["ada", *(["ben"] if place != "kitchen" else []), "mug"]},
            }
        )
    shots[4]["offscreen"] = [_event("Ada goes to the workshop.", "ada at workshop.middle")]
    shots[7]["offscreen"] = [
        _event("Ada goes into the yard.", "ada at yard.middle"),
        _event("Ben follows her.", "ben at yard.middle", actor="ben"),
    ]
    return {
        "storyengine_plan": 1,
        "title": "Ten small shots",
        "request": {
            "idea": "Ada and Ben carry a mug from the kitchen to the yard.",
            "shots": 10,
            "delivery": {"width": 64, "height": 64, "fps": 12, "durations": [0.5]},
        },
        "entities": entities,
        "environments": places,
        "initial": initial,
        "shots": shots,
    }


PLAN = SemanticPlan.model_validate(plan_dict())


def random_edit(chance):
    """The plan with one event changed: its manner, where the mug goes, or what the lamp does."""
    data = copy.deepcopy(plan_dict())
    number = chance.randrange(10)
    event = data["shots"][number]["events"][0]
    kind = chance.choice(["manner", "effect", "effect"])
    actor, place = event["actors"][0], PLACES[number]
    if kind == "manner" or not event["effects"]:
        event["action"] = f"{event['action'].removesuffix('.')} {chance.choice(MANNERS)}."
    elif event["effects"][0].startswith("lamp"):
        event["effects"] = [f"lamp.state = {chance.choice(['smoking', 'lit'])}"]
        event["action"] = "Ada turns to the brass lamp."
    else:
        where = chance.choice([f"held by {actor}", *(f"on {name}" for name in SURFACES[place])])
        event["effects"] = [f"mug {where}"]
        event["action"] = f"{actor.capitalize()} moves the blue mug."
    return SemanticPlan.model_validate(data)


def is_tail(frame):
    """Whether a small picture comes from a clip: its upper part has moved."""
    pixels = Picture.from_bytes(frame.image).pixels.astype(np.int16)
    return bool(np.abs(pixels[2, 1] - pixels[-2, 1]).max() < 30)


def choosy(text, request, asked):
    """A judge to whom tails are welcome in the kitchen, of some use in the workshop, and of none in the yard."""
    if len(request.frames) > 1 or not is_tail(request.frames[0]):
        return "PASS"
    places = [place for place in SURFACES if any(place in statement.text for statement in request.statements)]
    place = places[0] if places else "kitchen"
    if place == "kitchen":
        return "PASS"
    return "PASS" if place == "workshop" and "workshop" in text else "FAIL"


class Painter(SmallPainter):
    """Its pictures depend on their references, as those of real painters do."""

    async def submit(self, request, call):
        seen = "".join(Picture.from_bytes(reference.image).digest for reference in request.references)
        job = await super().submit(replace(request, prompt=f"{request.prompt}{seen}"), call)
        self.requests[-1] = request
        return job


class Animator(SmallAnimator):
    """Its clips depend on their openings, as those of real animators do."""

    async def submit(self, request, call):
        seen = Picture.from_bytes(request.opening).digest
        job = await super().submit(replace(request, prompt=f"{request.prompt}{seen}"), call)
        self.requests[-1] = request
        return job


@dataclass
class Made:
    film: object
    painter: SmallPainter
    animator: SmallAnimator
    judge: SmallJudge

    @property
    def clips(self):
        return {take.contract.shot: take.clip for take in self.film.takes}


def _crew(project_runner, hired, plan):
    return Crew(project_runner, *hired, plan.request.delivery, captions_of(Catalog.of(plan)))


def make(folder, plan=PLAN, changes=Changes(), opinion=choosy, animator=None):  # noqa: B008
    painter, animator, judge = Painter(), animator or Animator(), SmallJudge(opinion)

    async def run():
        hired, providers = hire(painter, animator, judge)
        with Project(folder) as project:
            async with LocalExecutor("threads") as executor, Runner(project, executor, providers=providers) as runner:
                return await make_film(plan, _crew(runner, hired, plan), folder, changes=changes)

    return Made(anyio.run(run), painter, animator, judge)


def forecast(folder, plan=PLAN, changes=Changes(), last=None):  # noqa: B008
    """What `make` would do, asked of a crew that must not be called."""
    painter, animator, judge = SmallPainter(), SmallAnimator(), SmallJudge()

    async def run():
        hired, _ = hire(painter, animator, judge)
        with Project(folder) as project:
            cuts = list_cuts(project.journal)
            before = last or (cuts[-1].takes if cuts else {})
            async with LocalExecutor("threads") as executor:
                crew_of = partial(_crew, hired=hired, plan=plan)
                return await foresee(plan, crew_of, project, executor, folder, seed=0, changes=changes, last=before)

    result = anyio.run(run)
    assert painter.requests == animator.requests == judge.requests == []
    return result

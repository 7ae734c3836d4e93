"""Shots of the embedded studio staged without filming them, and their truth. Not a benchmark itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ground_truth import Canon, TruthfulJudge, Witness, canon_of, studio_catalog
from studio_crew import Studio, studio_crew

from storyengine.backends.ports import AnimateRequest, PaintRequest, ReferenceImage
from storyengine.continuity.crew import Crew
from storyengine.continuity.film import shot_references
from storyengine.continuity.narration import Silent
from storyengine.contract import RenderContract
from storyengine.media.picture import Picture
from storyengine.pipeline import Prepared, prepare
from storyengine.plan import SemanticPlan
from storyengine.previz.studio.drawing import draw_scene
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.index import Track
from storyengine.previz.studio.scene import Scene
from storyengine.prompts import pictures


@dataclass(frozen=True)
class Stage:
    """A story ready to be shot, and what its scenes really show."""

    plan: SemanticPlan
    ready: Prepared
    crew: Crew
    studio: Studio

    @property
    def size(self) -> tuple[int, int]:
        return self.crew.delivery.width, self.crew.delivery.height

    def images(self, contract: RenderContract) -> tuple[ReferenceImage, ...]:
        references = shot_references(self.ready.catalog, contract, self.ready.library)
        return tuple(ReferenceImage(reference.caption, self.crew.read(reference.digest)) for reference in references)

    def shot(self, contract: RenderContract, seed: int) -> tuple[Scene, Track]:
        """Paint the opening of a shot afresh, and stage its events without filming them."""
        width, height = self.size
        prompt = pictures.opening(self.plan, self.ready.catalog, contract)
        images = self.images(contract)
        painted = self.studio.painter.paint(PaintRequest(prompt, width, height, images, seed))
        scene = self.studio.painter.index.recognise(Picture.from_bytes(painted.data))
        assert scene is not None
        prompt = pictures.video(self.plan, self.ready.catalog, contract)
        fps = self.crew.delivery.fps
        request = AnimateRequest(prompt, painted.data, contract.seconds, width, height, fps, images, seed)
        frames = round(contract.seconds * fps)
        # The animator's own staging; only the drawing of its frames is left out.
        return scene, self.studio.animator._shot(request, scene, Dice("none", f"{seed}"), frames).track(frames, fps)

    def show(self, scene: Scene) -> str:
        """A last frame as the store and the studio's index know it."""
        picture = draw_scene(scene, *self.size)
        self.studio.painter.index.keep(picture, scene)
        return self.crew.keep(picture.to_png())

    @cached_property
    def canon(self) -> Canon:
        listed = [asset.picture for asset in self.ready.library.assets]
        listed += [panorama.picture for panorama in self.ready.library.panoramas.values()]
        return canon_of(self.studio.painter.index, self.crew.read, listed)

    def broken(self, contract: RenderContract, scene: Scene) -> dict[str, str]:
        """Hard criteria of an opening that are not true of a scene, with their statements."""
        witness = Witness((scene,), studio_catalog(self.plan), self.canon)
        hard = [c for c in contract.criteria if c.decides_opening]
        return {c.id: c.statement for c in hard if witness.says(c.statement, "start") is False}


@asynccontextmanager
async def staged(
    plan: SemanticPlan, folder: Path, index: Path, fallibility: str, *, truthful: bool
) -> AsyncIterator[Stage]:
    """A story with its references and contracts, judged by the evaluator or by one who knows the truth."""
    studio = Studio.at(index, fallibility)
    if truthful:
        studio = replace(studio, judge=TruthfulJudge(studio.painter.index, plan))
    async with studio_crew(plan, folder, studio) as crew:
        ready = await prepare(plan, crew, folder, seed=0, narrator=Silent())
        yield Stage(plan, ready, crew, studio)

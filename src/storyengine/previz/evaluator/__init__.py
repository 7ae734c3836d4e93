"""The embedded evaluator: a judge that only looks.

It knows what captions and reference pictures tell (through `previz.appearance` what everybody knows of looks), and sees
frames. It never reads lineage, depth, masks or the scene. `docs/previz-evaluator.md` says how it decides and how often
it errs.
"""

from storyengine.previz.evaluator.judge import PrevizJudge, judge, locate

__all__ = ["PrevizJudge", "judge", "locate", "make_judge"]


def make_judge() -> PrevizJudge:
    """The embedded judge."""
    return PrevizJudge()

"""Render contracts: what a shot must show, as phase-tagged criteria that generator and judge share."""

from storyengine.contract.compiler import compile_contracts, lies_inside
from storyengine.contract.exclusions import Exclusions, read_exclusions
from storyengine.contract.model import (
    SMALLEST_SHARE,
    Binding,
    CameraView,
    Criterion,
    GroundedContext,
    RenderContract,
    contract_data,
    count_required,
)

__all__ = [
    "SMALLEST_SHARE",
    "Binding",
    "CameraView",
    "Criterion",
    "Exclusions",
    "GroundedContext",
    "RenderContract",
    "compile_contracts",
    "contract_data",
    "count_required",
    "lies_inside",
    "read_exclusions",
]

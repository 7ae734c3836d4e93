"""Checks before money: what is wrong with a plan, where, and what would mend it."""

from storyengine.check.checking import check_plan, mend_plan
from storyengine.check.codes import CODES, Code
from storyengine.check.findings import Finding, Findings, Fix

__all__ = ["CODES", "Code", "Finding", "Findings", "Fix", "check_plan", "mend_plan"]

"""The compiled functions of Homeworlds; importing this compiles them or takes them from the cache."""

from overworlds.envs.core.policies import play_at_random
from overworlds.envs.homeworlds.legal import legal
from overworlds.envs.homeworlds.observe import observe
from overworlds.envs.homeworlds.rules import resample, reset, step
from overworlds.envs.homeworlds.state import STATE

POLICIES = {
    "random": (play_at_random, "any legal action, all equally likely"),
    "scripted": ("overworlds.envs.homeworlds.scripted:play_sensibly", "looks one turn ahead and judges what it sees"),
}

VALUE = "overworlds.envs.homeworlds.evaluation:evaluate"
"""Judges games that a search breaks off."""

__all__ = ["POLICIES", "STATE", "VALUE", "legal", "observe", "resample", "reset", "step"]

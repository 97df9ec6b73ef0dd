"""The compiled functions of OverPower; importing this compiles them or takes them from the cache."""

from overworlds.envs.core.policies import play_at_random
from overworlds.envs.overpower.observe import observe
from overworlds.envs.overpower.policy import play_scripted
from overworlds.envs.overpower.rules import legal, resample, reset, step
from overworlds.envs.overpower.state import STATE

POLICIES = {
    "random": (play_at_random, "any legal action, all equally likely"),
    "scripted": (
        play_scripted,
        "knocks out whom it can, defends by value, ventures by the strength of its hand",
    ),
}

VALUE = "overworlds.envs.overpower.evaluation:evaluate"
"""Judges games that a search breaks off."""

__all__ = ["POLICIES", "STATE", "VALUE", "legal", "observe", "resample", "reset", "step"]

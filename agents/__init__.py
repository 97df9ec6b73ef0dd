"""Players for every game: compiled ones, search, and trained networks, all named by a short spec.

``make_agent("search:sims=400", variant)`` gives a player for PettingZoo environments (``agent.act(env)``) and for
batches (``agent.act_batch(batch)``); ``make_policy("scripted", variant)`` gives a compiled one for ``playouts``.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overworlds.agents.player import Agent, PolicyAgent, SearchAgent
    from overworlds.agents.search import Search, SearchSettings, Thought
    from overworlds.agents.specs import Spec, make_agent, make_policy

_HOMES = {
    "Agent": "player",
    "PolicyAgent": "player",
    "SearchAgent": "player",
    "Search": "search",
    "SearchSettings": "search",
    "Thought": "search",
    "Spec": "specs",
    "make_agent": "specs",
    "make_policy": "specs",
}
"""Where the public names live; they are imported when first used, because search compiles."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"overworlds.agents.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Agent",
    "PolicyAgent",
    "Search",
    "SearchAgent",
    "SearchSettings",
    "Spec",
    "Thought",
    "make_agent",
    "make_policy",
]

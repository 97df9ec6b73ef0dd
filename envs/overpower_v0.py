"""OverPower for PettingZoo: ``overpower_v0.env(deck0="gotham_justice", deck1="random")``."""

from collections.abc import Mapping
from typing import Any

from overworlds.envs.core.aec import GameEnv, Illegal
from overworlds.envs.core.game import Variant, given_rules
from overworlds.envs.overpower import GAME


def env(
    render_mode: str | None = None,
    rules: Mapping[str, Any] | None = None,
    illegal: Illegal = "terminate",
    viewer: str | int | None = None,
    players: int = GAME.default_players,
    **more_rules: Any,
) -> GameEnv:
    """Make an OverPower environment.

    Args:
        render_mode: ``None``, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
        rules: rules that differ from the defaults, by name; ``overworlds show overpower_v0`` lists them.
        illegal: what an illegal action does, ``"terminate"`` or ``"raise"``.
        viewer: whose eyes ``render`` looks through; by default those of an onlooker who knows what is public.
        players: always 2.
        **more_rules: rules by keyword, such as ``deck0="gotham_justice"`` or ``code_rule=False``. A deck is a name,
            a path to a TOML file, ``"random"`` or ``"random:<seed>"``.
    """
    return GameEnv(Variant(GAME, players, given_rules(rules, more_rules)), render_mode, illegal, viewer)


raw_env = env
"""The same: the guarantees of PettingZoo's wrappers are built in, so there is nothing to unwrap."""

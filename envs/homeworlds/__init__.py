"""Homeworlds, a game of secret alignments among the stars for two to six players (John Cooper)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from overworlds.envs.core.game import ActionGroup, Game, Part, Rule, Variant
from overworlds.envs.homeworlds.position import RESET_OPTIONS, arrange, position
from overworlds.envs.homeworlds.state import MAX_PIECES_PER_KIND, RULES, slots_needed

FEWEST_PIECES_PER_KIND = 2


def pack(players: int, values: Mapping[str, Any]) -> np.ndarray:
    """Write the rules record."""
    rules = np.zeros(RULES.itemsize, np.uint8)
    r = rules.view(RULES)[0]
    r.players = players
    r.pieces_per_kind = values["pieces_per_kind"]
    r.slots = slots_needed(players, values["pieces_per_kind"])
    r.home_vanishes = values["abandoned_home"] == "vanishes"
    r.talk = values["talk"]
    r.divide_win = values["shared_win"] == "divided"
    r.turn_limit = values["turn_limit"] * players
    return rules


def parts(players: int, values: Mapping[str, Any]) -> tuple[Part, ...]:
    """The layout of observations."""
    from overworlds.envs.homeworlds.layout import observation_parts

    return observation_parts(players, slots_needed(players, values["pieces_per_kind"]), values["talk"])


def groups(players: int, values: Mapping[str, Any]) -> tuple[ActionGroup, ...]:
    """The layout of action ids."""
    from overworlds.envs.homeworlds.names import action_groups

    return action_groups(slots_needed(players, values["pieces_per_kind"]))


def action_names(variant: Variant, seat: int) -> tuple[str, ...]:
    """What each id means when that seat chooses it."""
    from overworlds.envs.homeworlds import names

    return names.action_names(variant, seat)


def ansi(variant: Variant, state: np.ndarray, viewer: int | None) -> str:
    """The table as text."""
    from overworlds.envs.homeworlds import render, view

    return render.ansi(view.table(variant, state, viewer))


def draw(variant: Variant, state: np.ndarray, viewer: int | None) -> np.ndarray:
    """The table as a picture."""
    from overworlds.envs.homeworlds import render, view

    return render.draw(view.table(variant, state, viewer))


GAME = Game(
    id="homeworlds_v0",
    title="Homeworlds",
    summary="open board, hidden alignments, elimination, shared win",
    players=range(2, 7),
    default_players=4,
    information="imperfect: everybody sees the board, alignments are secret (with two players nothing is)",
    chance="alignments are dealt at the start",
    utility="general-sum: Evil wins alone, Good wins together (with two players zero-sum)",
    rewards="terminal: +1 for every winner, -1 for the others; -1 on elimination; 0 for the living at the turn limit",
    rules=(
        Rule(
            "pieces_per_kind",
            range(FEWEST_PIECES_PER_KIND, MAX_PIECES_PER_KIND + 1),
            lambda players: 3 if players == 2 else 5,
            "pieces of each of the twelve kinds (default: 3 with two players, 5 with more)",
        ),
        Rule(
            "turn_limit",
            range(0, 10_001),
            100,
            "turns a player, set-up included, after which the game is truncated; 0: no limit",
        ),
        Rule(
            "abandoned_home",
            ("stays", "vanishes"),
            "stays",
            "the mover's homeworld left by its last ship stays until the turn ends, or vanishes at once",
        ),
        Rule("shared_win", ("whole", "divided"), "whole", "each winner gets +1, or the winners share it"),
        Rule("talk", (False, True), False, "every turn ends with a public, non-binding statement"),
    ),
    kernels_module="overworlds.envs.homeworlds.kernels",
    pack=pack,
    parts=parts,
    action_groups=groups,
    action_names=action_names,
    ansi=ansi,
    draw=draw,
    reset_options=RESET_OPTIONS,
    arrange=arrange,
    position=position,
)

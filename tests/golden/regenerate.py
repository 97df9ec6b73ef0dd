"""Recorded games that guard against silent change.

``python -m tests.golden.regenerate`` writes them anew, which is right only if behaviour was meant to change (and then
the game's version number goes up); with ``--check`` it compares and shows the difference.

Each game has digests of whole games in ``<game>.json`` and one game to read, step by step, in ``<game>.txt``. All are
played at random: the scripted players may become better without the rules having changed.
"""

import difflib
import hashlib
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

from overworlds.envs.core.aec import GameEnv
from overworlds.envs.core.game import Variant
from overworlds.envs.core.registry import GAMES, find_game
from overworlds.envs.core.rng import mix

from ..core.trace import trace

HERE = Path(__file__).parent
SEEDS = (0, 1, 2)
OTHER_RULES: dict[str, list[dict[str, Any]]] = {
    "homeworlds_v0": [{"talk": True}, {"abandoned_home": "vanishes", "pieces_per_kind": 4, "turn_limit": 20}],
    "overpower_v0": [
        {"deck0": "avengers", "deck1": "random:3"},
        {"events": False, "code_rule": False, "ladder": "instead", "ko_limit": 30, "battle_limit": 6},
    ],
}
READABLE: dict[str, dict[str, Any]] = {
    "homeworlds_v0": {"players": 3, "seed": 515},
}
"""Which game is written out: a short one in which much happens."""


def digests(game: str) -> str:
    """The digests of some games, as JSON, one a line."""
    jobs = [
        {"game": game, "players": players, "seed": seed, "rules": rules}
        for players in find_game(game).players
        for rules in [{}, *OTHER_RULES.get(game, [])]
        for seed in (SEEDS if not rules else SEEDS[:1])
    ]
    rows = []
    for job in jobs:
        played = trace(**job)
        del played["states"]  # how a state is laid out is nobody's business
        rows.append(json.dumps(job | played))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def playthrough(game: str) -> str:
    """One game in words: position, choices, what was chosen, and a digest of what the chooser saw."""
    about = READABLE.get(game, {"players": find_game(game).players[0], "seed": 0})
    env = GameEnv(Variant(find_game(game), about["players"]), render_mode="ansi")
    env.reset(seed=about["seed"])
    lines = [f"{game}, {about['players']} players, seed {about['seed']}", ""]
    lines += [f"{len(env.variant.parts)} parts of the observation, {env.variant.observation_size} numbers:"]
    lines += [f"  {part.name}: {part.size}" for part in env.variant.parts]
    made = 0
    while env.returns() is None:
        legal = env.legal_actions()
        action = int(legal[mix(about["seed"], made) % len(legal)])
        lines += ["", f"decision {made}, turn {env.turn}, {env.agent_selection}"]
        if env.game.position is not None:
            lines.append(f"  position: {env.position() or '-'}")
        observation = hashlib.sha256(env.observe(env.agent_selection)["observation"].tobytes()).hexdigest()[:16]
        lines.append(f"  observation: {observation}")
        names = ", ".join(f"{choice} {env.action_name(choice)}" for choice in legal)
        lines += textwrap.wrap(f"choices: {names}", 116, initial_indent="  ", subsequent_indent="    ")
        lines.append(f"  chosen: {env.action_name(action)}")
        env.step(action)
        made += 1
        while env.returns() is None and env.terminations[env.agent_selection]:
            lines.append(f"  {env.agent_selection} is out of the game")
            env.step(None)
    lines += ["", f"after {made} decisions and {env.turn} turns: {env.returns()}"]
    if env.game.position is not None:
        lines.append(f"  position: {env.position()}")
    return "\n".join(lines) + "\n"


def main(check: bool) -> int:
    """Write all files, or compare them; 1 if something differs."""
    different = 0
    for game in GAMES:
        for file, text in ((HERE / f"{game}.json", digests(game)), (HERE / f"{game}.txt", playthrough(game))):
            if not check:
                file.write_text(text, "utf-8")
                continue
            recorded = file.read_text("utf-8").splitlines() if file.exists() else []
            changes = list(difflib.unified_diff(recorded, text.splitlines(), file.name, "now", lineterm=""))
            if changes:
                different = 1
                print("\n".join(changes[:60]))
    return different


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))

"""Games recorded earlier are played again in a new process and must be the same, to the bit."""

import json

from overworlds.envs.core.registry import find_game

from .fresh import ROOT, run
from .games import EVERY_GAME

GOLDEN = ROOT / "tests" / "golden"


def test_recorded_games_are_played_again_exactly():
    """If behaviour was meant to change: raise the version, say so in the changelog, run tests.golden.regenerate."""
    run("-m", "tests.golden.regenerate", "--check", PYTHONHASHSEED="random")


@EVERY_GAME
def test_every_game_has_its_records(game):
    rows = json.loads((GOLDEN / f"{game}.json").read_text("utf-8"))
    assert {row["players"] for row in rows} == set(find_game(game).players)
    assert any(row["rules"] for row in rows)
    assert len({row["digest"] for row in rows}) == len(rows)


def test_the_homeworlds_playthrough_shows_much_of_the_game():
    text = (GOLDEN / "homeworlds_v0.txt").read_text("utf-8")
    chosen = {line.split()[1] for line in text.splitlines() if line.startswith("  chosen: ")}
    assert {"star", "ship", "construct", "trade", "move", "discover", "attack", "sacrifice", "pass"} <= chosen
    assert "catastrophe" in chosen
    assert "is out of the game" in text

"""OverPower on the command line: what is said is said of the right player, and which cards there are."""

import json

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME
from overworlds.envs.overpower.coverage import coverage
from overworlds.training import cli
from overworlds.training.demo import play


def test_a_demo_names_what_each_player_does():
    variant = Variant(GAME, 2, {"deck0": "avengers", "deck1": "weapon_x"})
    turns = list(play(variant, GAME.policy("scripted"), 3))
    assert {turn.player for turn in turns} == {0, 1}
    mine = ("Captain America", "Iron Man", "Hawkeye", "Scarlet Witch")
    theirs = ("Omega Red", "Deadpool", "Sabretooth", "Cable")
    for turn in turns:
        own, others = (mine, theirs) if turn.player == 0 else (theirs, mine)
        for action in turn.actions:
            assert not (action.startswith("place") and any(f" on {name}" in action for name in others)), action
            assert not (action.startswith("at ") and action[3:] in own), action


def test_coverage_as_a_file_and_as_a_table(tmp_path, capsys):
    cli._show_coverage(Variant(GAME), str(tmp_path / "cards.json"))
    written = json.loads((tmp_path / "cards.json").read_text("utf-8"))
    assert written == coverage()
    assert set(written) == {"specials", "inherents", "events"}
    for part in written.values():
        assert set(part) == {"implemented", "total", "missing"}
        assert part["implemented"] > part["total"] / 2
    cli._show_coverage(Variant(GAME), None)
    assert "884" in capsys.readouterr().out

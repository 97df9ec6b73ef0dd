"""Round robins and ratings."""

import json

import pytest
import typer
from typer.testing import CliRunner

from overworlds.envs import Variant, find_game
from overworlds.training.arena import arena, compare, hold_tournament, rate, seatings

VARIANT = Variant(find_game("homeworlds_v0"), 2)
WEAK, STRONG = "random", "search:sims=30,rollout=random"


def test_every_pair_meets():
    assert seatings(3, 2) == [(0, 1), (0, 2), (1, 2)]


def test_tables_are_filled_where_players_are_few():
    assert seatings(2, 4) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    assert seatings(5, 4) == [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4), (1, 2, 3, 4)]


def test_ties_count_as_half():
    wins, met = compare([{0: 1.0, 1: -1.0}, {0: 0.0, 1: 0.0}, {1: 1.0, 2: -1.0}], 3)
    assert met.tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert wins.tolist() == [[0, 1.5, 0], [0.5, 0, 1], [0, 0, 0]]


def test_ratings_are_elo():
    ratings, deviations = rate([{0: 1.0, 1: -1.0}] * 150 + [{0: -1.0, 1: 1.0}] * 50, 2)
    assert ratings[0] - ratings[1] == pytest.approx(191, abs=5)  # 400 log10 3
    assert ratings.sum() == pytest.approx(0)
    # The log odds of 200 games at 3 : 1 have a deviation of 1 / sqrt(200 · 0.75 · 0.25); a rating is half of them.
    assert deviations == pytest.approx([173.7 * 0.1633 / 2] * 2, rel=0.05)


def test_ties_draw_ratings_together():
    decided = [{0: 1.0, 1: -1.0}] * 9 + [{0: -1.0, 1: 1.0}]
    alone, more = rate(decided, 2)[0], rate(decided + [{0: 0.0, 1: 0.0}] * 10, 2)[0]
    assert 0 < more[0] < alone[0]


def test_uncertainty_shrinks_and_stays_where_all_games_are_won():
    few, many = (rate([{0: 1.0, 1: -1.0}] * games, 2)[1][0] for games in (5, 50))
    assert 50 < many < few


def test_a_tournament_ranks_the_stronger_first():
    result = hold_tournament(VARIANT, [WEAK, STRONG], 10)
    assert [standing.agent for standing in result.standings] == [STRONG, WEAK]
    assert result.games == 10
    assert result.standings[0].rating > 0 > result.standings[1].rating
    assert result.cross_table[0][0] is None
    assert result.cross_table[0][1] == pytest.approx(1 - result.cross_table[1][0])
    assert result.standings[0].score == result.cross_table[0][1]


@pytest.mark.parametrize("agents", [["random"], ["random", "random"]])
def test_two_different_players_are_needed(agents):
    with pytest.raises(ValueError, match="two different players"):
        hold_tournament(VARIANT, agents, 2)


def test_the_command_writes_everything(tmp_path):
    from PIL import Image

    app = typer.Typer()
    app.command()(arena)
    png, text = tmp_path / "arena.png", tmp_path / "arena.json"
    quick = "search:sims=2,rollout=random,cut=2"
    done = CliRunner().invoke(
        app,
        f"homeworlds_v0 random {quick} --games 2 --players 3 --rule turn_limit=6 --json {text} --picture {png}".split(),
        env={"COLUMNS": "160"},
    )
    assert done.exit_code == 0, done.output
    assert quick in done.output
    content = json.loads(text.read_text())
    assert {standing["agent"] for standing in content["standings"]} == {"random", quick}
    assert content["games"] == 4
    assert set(content) == {"game", "players", "rules", "seed", "games", "standings", "cross_table", "seconds"}
    with Image.open(png) as picture:
        assert picture.width > 300

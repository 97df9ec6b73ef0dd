"""Measuring strength: the numbers must be right, and say how sure they are."""

import json
import math
import re

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from overworlds.envs import Variant, find_game, playouts
from overworlds.training import evaluate as evaluation
from overworlds.training.evaluate import evaluate_players, play_games, seat_counts, wilson

VARIANT = Variant(find_game("homeworlds_v0"), 2)
FOUR = Variant(find_game("homeworlds_v0"), 4)
QUICK = Variant(find_game("homeworlds_v0"), 2, {"turn_limit": 10})
SEARCH = "search:sims=4,rollout=random,cut=2"
BOTH_DECKS = {"deck0": "avengers", "deck1": "brotherhood"}


def run(*arguments):
    app = typer.Typer()
    app.command()(evaluation.evaluate)
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "160"})


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [
        (0.0, 10, 0.0, 0.27753),  # Newcombe (1998) and others give these
        (0.1, 20, 0.02787, 0.30103),
        (0.5, 100, 0.40383, 0.59617),
        (81 / 263, 263, 0.2553, 0.3662),
        (1.0, 10, 0.72247, 1.0),
    ],
)
def test_wilson_interval(score, games, low, high):
    assert wilson(score, games) == pytest.approx((low, high), abs=5e-5)


def test_no_games_say_nothing():
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_wins_draws_and_losses_are_counted():
    assert seat_counts(np.array([1.0, 0.5, 0.0, -1.0])) == {
        "games": 4,
        "wins": 2,
        "draws": 1,
        "losses": 1,
        "score": 0.625,
    }


def test_a_player_against_itself_is_about_even():
    result = evaluate_players(VARIANT, "random", "random", 1000)
    assert result.low < 0.5 < result.high
    assert result.share == pytest.approx(0.5)
    assert result.wins + result.draws + result.losses == result.games == 1000
    assert result.score == (result.wins + result.draws / 2) / 1000
    assert [seat["games"] for seat in result.seats] == [500, 500]
    assert sum(seat["wins"] for seat in result.seats) == result.wins
    assert result.others == pytest.approx(1 - result.score)


def test_more_players_are_compared_with_their_share():
    result = evaluate_players(FOUR, "random", "random", 800)
    assert result.low < result.share < result.high
    assert result.share == pytest.approx(result.score / 4 + result.others * 3 / 4)
    assert result.mean_return < 0


def test_compiled_games_are_those_of_playouts():
    result = play_games(VARIANT, ["random", "random"], 70, seed=4)
    wanted = playouts(VARIANT, "random", 70, seed=4, rotate=True)
    assert (result.returns == wanted.returns).all()
    assert (result.decisions == wanted.decisions).all()


def test_searched_games_are_the_same_in_any_number_of_threads():
    one = play_games(QUICK, [SEARCH, "random"], 6, seed=2, threads=1)
    three = play_games(QUICK, [SEARCH, "random"], 6, seed=2, threads=3)
    fewer = play_games(QUICK, [SEARCH, "random"], 4, seed=2)
    for name in ("returns", "decisions", "turns", "truncated"):
        assert (getattr(one, name) == getattr(three, name)).all()
        assert (getattr(one, name)[:4] == getattr(fewer, name)).all()
    assert one.turns.max() <= 20


def test_seats_rotate_in_searched_games(monkeypatch):
    seen = []
    original = evaluation._play_game

    def spy(variant, agents, seed, shift, *more):
        seen.append((agents[0].name, shift))
        original(variant, agents, seed, shift, *more)

    monkeypatch.setattr(evaluation, "_play_game", spy)
    play_games(FOUR, [SEARCH, "random", "random", "random"], 5, seed=1, threads=1)
    assert seen == [(SEARCH, 0), (SEARCH, 1), (SEARCH, 2), (SEARCH, 3), (SEARCH, 0)]


def test_progress_counts_every_game():
    done = []
    play_games(QUICK, [SEARCH, "random"], 5, progress=done.append)
    assert sum(done) == 5


def test_errors_in_a_thread_come_out():
    with pytest.raises(ValueError, match="no player 'nobody'"):
        play_games(VARIANT, [SEARCH, "nobody"], 5)
    with pytest.raises(ValueError, match="2 specs, not 3"):
        play_games(VARIANT, ["random"] * 3, 5)


def test_the_command_writes_json(tmp_path):
    path = tmp_path / "result.json"
    done = run("homeworlds_v0", "random", "random", "--games", 100, "--players", 2, "--seed", 3, "--json", path)
    assert done.exit_code == 0, done.output
    assert "its share of 50.0%" in done.output
    content = json.loads(path.read_text())
    counts = {"games": 100, "wins": int, "draws": int, "losses": int, "score": float}
    lengths = {"mean": float, "min": int, "max": int}
    wanted = counts | {
        "game": "homeworlds_v0",
        "players": 2,
        "rules": dict,
        "a": "random",
        "b": "random",
        "seed": 3,
        "varieties": 0,
        "low": float,
        "high": float,
        "share": float,
        "others": float,
        "mean_return": float,
        "seats": [{"seat": seat} | counts | {"games": 50} for seat in (0, 1)],
        "lengths": {"decisions": lengths, "turns": lengths},
        "truncated": int,
        "seconds": float,
    }
    assert_like(content, wanted)
    again = evaluate_players(VARIANT, "random", "random", 100, seed=3)
    assert (again.wins, again.draws, again.losses) == (content["wins"], content["draws"], content["losses"])
    assert 0 <= content["low"] <= content["score"] <= content["high"] <= 1
    assert math.isclose(content["mean_return"], (content["wins"] - content["losses"]) / 100, abs_tol=1e-6)


def assert_like(content, wanted):
    """The same keys everywhere, and values of these types or exactly these."""
    if isinstance(wanted, type):
        assert type(content) is wanted
    elif isinstance(wanted, dict):
        assert set(content) == set(wanted)
        for name in wanted:
            assert_like(content[name], wanted[name])
    elif isinstance(wanted, list):
        assert len(content) == len(wanted)
        for one, other in zip(content, wanted, strict=True):
            assert_like(one, other)
    else:
        assert content == wanted


def test_json_on_the_standard_output_is_all_there_is():
    done = run("homeworlds_v0", "random", SEARCH, "--games", 2, "--rule", "turn_limit=5", "--json", "-")
    assert json.loads(done.stdout)["rules"]["turn_limit"] == 5


def test_games_are_divided_among_varieties_of_the_rules():
    decks = Variant(find_game("overpower_v0"))
    result = evaluate_players(decks, "scripted", "random", 10, seed=4, varieties=3)
    assert (result.games, result.varieties) == (12, 3)
    assert [seat["games"] for seat in result.seats] == [6, 6], "every deck is played by both"
    tables = decks.varieties(4, seed=4)[1:]
    wins = [(play_games(table, ["scripted", "random"], 4, seed=4).returns[:, 0] > 0).sum() for table in tables]
    assert result.wins == sum(wins)
    with pytest.raises(ValueError, match="homeworlds_v0 has no varieties"):
        evaluate_players(QUICK, "random", "random", 10, varieties=3)
    with pytest.raises(ValueError, match="deck0 and deck1 are given; leave out"):
        evaluate_players(Variant(decks.game, None, BOTH_DECKS), "random", "random", 10, varieties=3)
    output = run("overpower_v0", "random", "random", "--games", 6, "--varieties", 3).output
    assert "3 varieties of the rules" in " ".join(output.split())


def test_one_variety_is_a_drawn_one():
    decks = Variant(find_game("overpower_v0"))
    result = evaluate_players(decks, "random", "random", 2, seed=4, varieties=1)
    assert (result.games, result.varieties) == (2, 1)
    assert result.rules["deck0"] == [decks.varieties(2, seed=4)[1].values["deck0"]]


def test_only_decks_that_nobody_gave_vary(monkeypatch):
    played = []
    original = evaluation.play_games

    def spy(variant, *more):
        played.append(variant.values)
        return original(variant, *more)

    monkeypatch.setattr(evaluation, "play_games", spy)
    words = "--games", 3, "--varieties", 5, "--seed", 2, "--rule", "deck0=avengers", "--rule", "hand_size=7"
    done = run("overpower_v0", "random", "random", *words, "--json", "-")
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)
    assert [values["deck0"] for values in played] == ["avengers"] * 5
    assert len({values["deck1"] for values in played}) > 1
    assert content["rules"] == played[0] | {"deck1": [values["deck1"] for values in played]}
    assert content["games"] == 10, "each of the five is played from both seats"
    assert [seat["games"] for seat in content["seats"]] == [5, 5]


def test_the_table_has_the_games_that_were_played():
    output = run("overpower_v0", "random", "random", "--games", 1, "--varieties", 3).output
    assert re.search(r"all\W+6\W", output)
    assert "with --varieties rounded up" in " ".join(run("--help").output.split())


@pytest.mark.parametrize(
    ("game", "rules", "message"),
    [
        ("overpower_v0", BOTH_DECKS, "nothing is left to vary: deck0 and deck1 are given"),
        ("homeworlds_v0", {}, "homeworlds_v0 has no varieties"),
    ],
)
def test_without_anything_to_vary_nothing_starts(game, rules, message, monkeypatch):
    monkeypatch.setattr(evaluation, "game_progress", None)
    rules = [word for name, value in rules.items() for word in ("--rule", f"{name}={value}")]
    done = run(game, "random", "random", "--varieties", 2, *rules)
    assert message in str(done.exception)
    assert done.output == ""

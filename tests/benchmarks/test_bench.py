"""``overworlds bench``: that it measures what it says and says what it could not measure. Nothing here is timed."""

import importlib.util
import itertools
import json
import sys
from dataclasses import replace
from functools import partial

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from overworlds.benchmarks import bench as bench_module
from overworlds.benchmarks import footprint, ours, play
from overworlds.benchmarks.bench import INTERRUPTED, Plan, bench, make_plan, run
from overworlds.benchmarks.chart import bar_places, draw_chart
from overworlds.benchmarks.stopwatch import Measurement, Trial, UnavailableError, measure
from overworlds.benchmarks.targets import check_targets
from overworlds.envs import find_game, homeworlds_v0
from overworlds.envs.core.game import Variant

SPEEDS = [
    "numba-1",
    "numba-all",
    "numba-1-scripted",
    "batch-1",
    "batch-64",
    "batch-1024",
    "batch-4096",
    "batch-1024-all",
    "aec",
    "gym",
    "search-random",
    "search-scripted",
]

app = typer.Typer()
app.command()(bench)


def call(*options):
    return CliRunner().invoke(app, [str(option) for option in options], env={"COLUMNS": "400", "NO_COLOR": "1"})


def interrupt_at_once():
    raise KeyboardInterrupt


def endless(decisions):
    while True:
        yield decisions


def failing(error):
    raise error


# ---------------------------------------------------------------- whole runs


def test_a_tiny_run_writes_all_rows_and_draws_them(tmp_path, monkeypatch):
    monkeypatch.setattr(ours, "GAMES_TO_WARM_UP", 0)
    file, chart = tmp_path / "out.json", tmp_path / "out.png"
    speeds = [word for part in ("numba", "batch", "aec", "gym", "search") for word in ("--only", part)]
    whom = "--game", "homeworlds_v0", "--players", 2, "--no-peers"
    result = call("--seconds", 0.01, "--repeats", 2, *whom, *speeds, "--json", file, "--picture", chart)
    assert result.exit_code == 0, result.output
    written = json.loads(file.read_text())
    assert written["whole"]
    assert {row["subject"] for row in written["rows"]} == {"homeworlds_v0[2]"}
    missing = [each["api"] for each in written["missing"]]
    assert missing in ([], ["numba-1-scripted"])
    assert [row["api"] for row in written["rows"]] == [api for api in SPEEDS if api not in missing]
    for row in written["rows"]:
        assert row["best"] >= row["median"] > 0
        assert row["cpu_best"] > 0
        assert row["unit"] == ("simulations/s" if row["api"].startswith("search") else "steps/s")
        assert row["repeats"] == len(row["rates"]) == 2
        assert row["seconds"] == 0.01
    about = written["facts"]["machine"]
    assert about["cores"] >= 1
    assert {"numba", "numpy"} <= set(about["versions"])
    variant = Variant(find_game("homeworlds_v0"), 2)
    sizes = written["facts"]["subjects"]["homeworlds_v0[2]"]
    assert (sizes["observation_size"], sizes["num_actions"]) == (variant.observation_size, variant.num_actions)
    batch_ratio = next(each for each in written["ratios"] if each["what"] == "batch-1024 / numba-1")
    best = {row["api"]: row["best"] for row in written["rows"]}
    assert batch_ratio["ratio"] == pytest.approx(best["batch-1024"] / best["numba-1"])
    assert chart.read_bytes().startswith(b"\x89PNG")
    assert "numba-1" in result.output


def test_only_filters_by_name(tmp_path):
    file = tmp_path / "out.json"
    result = call(
        "--seconds", 0.01, "--repeats", 1, "--only", "[2] aec", "--only", "[3] aec", "--players", 3, "--json", file
    )
    assert result.exit_code == 0, result.output
    assert [(row["subject"], row["api"]) for row in json.loads(file.read_text())["rows"]] == [
        ("homeworlds_v0[3]", "aec")
    ]


def test_a_number_of_players_is_measured_where_there_is_such_a_game(monkeypatch):
    games = {
        "homeworlds_v0": find_game("homeworlds_v0"),
        "duel": replace(find_game("homeworlds_v0"), players=range(2, 3)),
    }
    monkeypatch.setattr(bench_module, "find_game", games.__getitem__)
    numbers = {n: [v.players for v in make_plan(list(games), [n], [], ()).variants] for n in (2, 5)}
    assert numbers == {2: [2, 2], 5: [5]}
    with pytest.raises(typer.BadParameter, match="2 players, not 5"):
        make_plan(["duel"], [5], [], ())


def test_missing_peers_are_named_with_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    file = tmp_path / "out.json"
    result = call("--seconds", 0.01, "--repeats", 1, "--only", "openspiel", "--json", file)
    assert result.exit_code == 0, result.output
    written = json.loads(file.read_text())
    assert written["rows"] == []
    assert [each["subject"] for each in written["missing"]] == [
        "openspiel/connect_four",
        "openspiel/chess",
        "openspiel/backgammon",
        "openspiel/gin_rummy",
    ]
    for each in written["missing"]:
        assert "pyspiel" in each["why"]
        assert "overworlds[bench]" in each["why"]
        assert each["subject"] in result.output


@pytest.mark.parametrize(
    ("module", "subject"),
    [
        ("pygame", "pettingzoo/connect_four_v3"),
        ("rlcard", "pettingzoo/texas_holdem_v4"),
        ("pyspiel", "openspiel/backgammon"),
        ("pyspiel", "openspiel/gin_rummy"),
        ("rlcard", "rlcard/uno"),
    ],
)
def test_peers_are_measured_where_installed(module, subject, tmp_path):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    file = tmp_path / "out.json"
    result = call("--seconds", 0.01, "--repeats", 1, "--only", subject, "--json", file)
    assert result.exit_code == 0, result.output
    (row,) = json.loads(file.read_text())["rows"]
    assert row["subject"] == subject
    assert row["best"] > 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--game", "homewords_v0"], "did you mean 'homeworlds_v0'"),
        (["--players", 7], "2 to 6 players, not 7"),
        (["--only", "nothing like it"], "nothing to measure is called so; there are homeworlds_v0[2] numba-1"),
        (["--seconds", 0], "must be more than 0"),
        (["--seconds", "nan"], "must be more than 0"),
        (["--repeats", 0], "must be 1 or more"),
        (["--json", "no/such/folder/out.json"], "there is no such folder"),
        (["--json", "."], "is a folder"),
        (["--json", "/dev/null"], "is not a file that could be replaced"),
        (["--picture", "no/such/folder/out.png"], "there is no such folder"),
        (["--picture", "out.txt"], "ends in .png"),
    ],
)
def test_bad_options_are_refused_before_anything_is_measured(options, complaint, monkeypatch):
    monkeypatch.setattr(bench_module, "run", partial(failing, AssertionError("measured")))
    result = call(*options)
    assert result.exit_code == 2
    assert complaint in result.output


def test_a_chart_without_matplotlib_is_refused_before_anything_is_measured(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(bench_module, "run", partial(failing, AssertionError("measured")))
    result = call("--picture", tmp_path / "out.png")
    assert result.exit_code == 2
    assert "matplotlib" in result.output
    assert "overworlds[bench]" in result.output


def test_ctrl_c_keeps_what_was_measured(tmp_path, monkeypatch):
    def interrupted():
        yield from (10, 10)
        raise KeyboardInterrupt

    trials = Trial("ours", "first", lambda: endless(10)), Trial("ours", "second", interrupted)
    late = Trial("ours", "third", lambda: endless(10))
    plan = Plan((Variant(find_game("homeworlds_v0"), 2),), (*trials, late), ())
    monkeypatch.setattr(bench_module, "make_plan", lambda *_: plan)
    file = tmp_path / "out.json"
    result = call("--seconds", 1e-9, "--repeats", 3, "--json", file)
    assert result.exit_code == INTERRUPTED
    written = json.loads(file.read_text())
    assert not written["whole"]
    assert {row["api"]: row["repeats"] for row in written["rows"]} == {"first": 2, "second": 1, "third": 1}


def test_ctrl_c_before_anything_is_measured_replaces_no_earlier_numbers(tmp_path, monkeypatch):
    plan = Plan((Variant(find_game("homeworlds_v0"), 2),), (Trial("ours", "first", interrupt_at_once),), ())
    monkeypatch.setattr(bench_module, "make_plan", lambda *_: plan)
    file = tmp_path / "out.json"
    file.write_text("earlier numbers")
    assert call("--seconds", 1e-9, "--json", file).exit_code == INTERRUPTED
    assert file.read_text() == "earlier numbers"


def test_numbers_on_the_standard_output_are_json_and_nothing_else():
    result = call("--seconds", 0.01, "--repeats", 1, "--only", "homeworlds_v0[2] aec", "--json", "-")
    assert [row["api"] for row in json.loads(result.stdout)["rows"]] == ["aec"]
    assert "steps per second" in result.stderr


# ---------------------------------------------------------------- parts


def test_trials_take_turns_and_the_first_round_does_not_count():
    measurements = [Measurement(Trial("ours", api, lambda: endless(1)), 1e-9) for api in "ab"]
    assert list(measure(measurements, repeats=2)) == ["ours a", "ours b"] * 3
    assert [len(each.rates) for each in measurements] == [2, 2]
    assert [len(each.cpu_rates) for each in measurements] == [2, 2]


def test_a_peer_that_fails_is_reported_and_ours_is_not_hushed_up():
    broken = Measurement(Trial("peer/game", "python", partial(failing, OSError("boom")), "peer"), 1e-9)
    fine = Measurement(Trial("ours", "aec", lambda: endless(1)), 1e-9)
    list(measure([broken, fine], repeats=1))
    assert broken.missing == "failed with OSError: boom"
    assert len(fine.rates) == 1
    with pytest.raises(OSError, match="boom"):
        list(measure([Measurement(Trial("ours", "aec", partial(failing, OSError("boom"))), 1e-9)], repeats=1))


def test_a_game_without_a_scripted_player_is_reported():
    with pytest.raises(UnavailableError, match="has no dreaming player"):
        ours.play_inside(Variant(find_game("homeworlds_v0"), 2), "dreaming", 1)


def test_aec_counts_decisions_only():
    made = []

    def make():
        made.append(homeworlds_v0.env(players=3))
        return made[0]

    games = play.play_aec(make)
    for _ in range(3):
        decisions = next(games)
        assert decisions == len(made[0].replay().actions) > 0


def test_the_lanes_of_a_batch_drift_apart_before_they_are_measured():
    from overworlds.envs import batch

    lanes = batch("homeworlds_v0", 32, players=2)
    assert ours.warm_up(lanes) > 0
    plies = lanes.states.view(lanes.game.kernels.STATE)["head"]["ply"]
    assert len(set(plies.ravel().tolist())) > 10


def test_outcomes_of_chance_are_drawn_by_their_probability():
    outcomes = [(7, 0.25), (8, 0.5), (9, 0.2499999)]
    assert [play.draw_outcome(outcomes, at) for at in (0.0, 0.2, 0.3, 0.7, 0.8, 0.99999999)] == [7, 7, 8, 8, 9, 9]


def test_targets_are_met_missed_or_not_measured():
    rows = [
        {"subject": "homeworlds_v0[2]", "api": "aec", "best": 90.0, "cpu_best": 180.0},
        {"subject": "homeworlds_v0[2]", "api": "numba-1", "best": 900.0, "cpu_best": 900.0},
        {"subject": "pettingzoo/connect_four_v3", "api": "aec", "best": 10.0, "cpu_best": 10.0},
        {"subject": "openspiel/chess", "api": "python", "best": 100.0, "cpu_best": 100.0},
        {"subject": "homeworlds_v0[2]", "api": "search-random", "best": 19_999.0, "cpu_best": 20_000.0},
    ]
    facts = {"homeworlds_v0[2]": {"cold_compile_seconds": 61.0, "warm_import_seconds": 1.0}}
    checked = check_targets(rows, facts)
    found = {each["what"]: (each["ratio"], each["met"]) for each in checked}
    assert checked[0]["cpu_ratio"] == 18.0
    assert found["aec / pettingzoo/connect_four_v3 aec"] == (9.0, True)
    assert found["numba-1 / openspiel/chess python"] == (9.0, False)
    assert found["batch-1024 / numba-1"] == (None, None)
    assert found["search-random"] == (19_999.0, False)
    assert found["cold_compile_seconds"] == (61.0, False)
    assert found["warm_import_seconds"] == (1.0, True)
    assert found["memory_growth_aec_mib"] == (None, None)
    assert check_targets(rows, {}) == []


def test_what_does_not_depend_on_the_players_is_measured_once_and_told_of_all(monkeypatch):
    plan = make_plan(["homeworlds_v0"], [2, 4], ["compile", "memory"], ())
    assert [(cost.name, variant.players) for cost, variant in plan.costs] == [
        ("compile", 2),
        ("memory", 2),
        ("memory", 4),
    ]
    asked = []

    def in_fresh_process(code, *arguments, **environment):
        asked.append(arguments)
        return {"game": float(len(asked)), "numba": 0.5, "cpu": 3.0} if code == footprint.FIRST_GAME else 0.25

    monkeypatch.setattr(footprint, "in_fresh_process", in_fresh_process)
    facts = run(plan, 0.01, 1, Console(quiet=True))["facts"]["subjects"]
    for subject in ("homeworlds_v0[2]", "homeworlds_v0[4]"):
        assert facts[subject]["cold_compile_seconds"] == 1.0
        assert facts[subject]["warm_import_seconds"] == 2.0
        assert facts[subject]["memory_growth_batch_mib"] == facts[subject]["memory_growth_aec_mib"] == 0.25


def test_memory_and_import_are_measured_in_processes_of_their_own():
    variant = Variant(find_game("homeworlds_v0"), 2)
    found = footprint.memory_growth(variant, steps=2_000)
    assert found["memory_steps"] == 2_000
    assert abs(found["memory_growth_batch_mib"]) < 100
    assert abs(found["memory_growth_aec_mib"]) < 100
    seconds = footprint.in_fresh_process(footprint.FIRST_GAME, "homeworlds_v0", 2)
    assert set(seconds) == {"numba", "game", "cpu"}
    with pytest.raises(RuntimeError, match="homeworlds_v0 in a new process failed:\nwhy"):
        footprint.in_fresh_process("raise SystemExit('why')", "homeworlds_v0")


@pytest.mark.slow
def test_compiling_is_measured_with_an_empty_cache():
    found = footprint.compile_and_import(Variant(find_game("homeworlds_v0"), 2))
    assert found["cold_compile_seconds"] > 2 * found["warm_import_seconds"] > 0


def test_bars_of_a_chart_stand_in_groups():
    rows = [
        {"subject": "a[2]", "api": "aec", "best": 5.0, "library": "overworlds"},
        {"subject": "a[4]", "api": "aec", "best": 5e6, "library": "overworlds"},
        {"subject": "peer/x", "api": "aec", "best": 50.0, "library": "peer"},
        {"subject": "peer/y", "api": "aec", "best": 50.0, "library": "peer"},
    ]
    places = bar_places(rows)
    assert [round(below - above, 1) for above, below in itertools.pairwise(places)] == [1.6, 1.6, 1.0]
    pytest.importorskip("matplotlib")
    about = {"cpu": "x", "cores": 2, "python": "3", "date": "2026-01-01T00:00:00"}
    assert draw_chart(rows, about, "svg").startswith(b"<?xml")

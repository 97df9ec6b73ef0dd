# ruff: noqa: E402 - without torch and Stable-Baselines3 these tests are skipped before they import
"""Training runs: from the first step to the summary, and on after an interruption."""

import errno
import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import typer
from typer.testing import CliRunner

from overworlds.agents.network import Advice, Shape, load_network, load_policy
from overworlds.envs import Policy, Variant, find_game, playouts
from overworlds.envs.core.kernel import POLICY, kernel
from overworlds.training import selfplay
from overworlds.training.config import TrainConfig, read_config
from overworlds.training.display import Display, curve
from overworlds.training.endings import endings
from overworlds.training.imitation import LateStarts, WinningTurns, imitate, scale_for, together, watch
from overworlds.training.selfplay import Progress, SelfPlay, checkpoints
from overworlds.training.train import command, train
from tests.agents.test_network import made

BOTH_DECKS = "--rule", "deck0=avengers", "--rule", "deck1=brotherhood"
TINY = """
players = 2
minutes = 0
seed = 3
width = 16
block_width = 12
imitate = "random"
imitate_decisions = 3000
games = 16
rollout = 16
batch = 64
evaluate_games = 10
final_games = 20
evaluate_seconds = 1.0
remember_seconds = 0.5
checkpoint_seconds = 0.5
late_starts = 0.0
imitate_late = 0.0
threads = 1

[opponents]
random = 0.5
self = 0.25
past = 0.25

[rules]
turn_limit = 15
"""

app = typer.Typer()
app.command()(train)


@pytest.fixture
def tiny(tmp_path):
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path / "tiny.toml"


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def in_process(*words):
    """The command in a process of its own."""
    script = "import typer; from overworlds.training.train import train; a = typer.Typer(); a.command()(train); a()"
    words = [sys.executable, "-c", script, *map(str, words)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition, process, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)


def steps_of(checkpoint):
    return json.loads((checkpoint / "progress.json").read_text())["steps"]


def test_a_run_writes_everything(tiny, tmp_path):
    folder = tmp_path / "run"
    result = run("homeworlds_v0", "--config", tiny, "--steps", 2000, "--out", folder)
    assert result.exit_code == 0, result.output
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["steps"] >= 2000
    assert summary["watched"] == "3,072 decisions of random"
    assert set(summary["time_shares"]) == {"environment", "opponents", "inference", "learning"}
    assert sum(summary["time_shares"].values()) == pytest.approx(1)
    last = summary["strength"]["random"]
    assert last["games"] == last["wins"] + last["draws"] + last["losses"] == 20
    assert last["low"] <= last["score"] <= last["high"]
    assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert list((folder / "tensorboard").rglob("events*"))
    assert TrainConfig.made(read_config(folder / "config.toml")).steps == 2000

    network = load_network(folder / "network.npz")
    assert network.about["strength"] == summary["strength"]
    assert network.about["command"].startswith(
        "overworlds train homeworlds_v0 --players 2 --minutes 0 --rule turn_limit=15 --steps 2000"
    )
    variant = TrainConfig.made(read_config(folder / "config.toml")).variant()
    player = load_policy(folder / "network.npz", variant)
    assert playouts(variant, [player, "random"], 10).returns.shape == (10, 2)


def test_goes_on_after_kill(tiny, tmp_path):
    folder = tmp_path / "run"
    process = in_process("homeworlds_v0", "--config", tiny, "--steps", 10**9, "--out", folder)
    wait_for(lambda: checkpoints(folder) and steps_of(checkpoints(folder)[-1]) > 0, process)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    kept = steps_of(checkpoints(folder)[-1])
    result = run("--resume", folder, "--steps", kept + 600)
    assert result.exit_code == 0, result.output
    summary = json.loads((folder / "summary.json").read_text())
    assert kept + 600 <= summary["steps"] < kept + 2000
    times = [entry["seconds"] for entry in summary["measurements"]]
    assert times == sorted(times)
    assert not list((folder / "checkpoints").glob("unfinished*")) or len(checkpoints(folder)) >= 1


def test_ctrl_c_saves_and_stops(tiny, tmp_path):
    folder = tmp_path / "run"
    process = in_process("homeworlds_v0", "--config", tiny, "--steps", 10**9, "--out", folder)
    wait_for(lambda: checkpoints(folder), process)
    before = checkpoints(folder)[-1].name
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert f"go on with: overworlds train --resume {folder}" in errors
    assert checkpoints(folder)[-1].name > before
    assert not (folder / "summary.json").exists()


def test_a_checkpoint_holds_the_whole_run(tiny, tmp_path):
    settings = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1500})
    first = SelfPlay(settings.fitted(), tmp_path, lambda *_: None)
    first.run()
    first.pool.remember(first.player(1.0))
    kept = first.save()
    second = SelfPlay(replace(settings, seed=8).fitted(), tmp_path, lambda *_: None)
    assert not (second.player().params == first.player().params).all()
    second.load(kept)
    assert (second.player().params == first.player().params).all()
    assert second.progress == first.progress
    assert second.model.num_timesteps == first.model.num_timesteps
    for a, b in zip(first.pool.past_policies(), second.pool.past_policies(), strict=True):
        assert (a.params == b.params).all()
    one, two = (each.policy.optimizer.state_dict()["state"] for each in (first, second))
    assert all((one[i]["exp_avg"] == two[i]["exp_avg"]).all() for i in one)


def test_a_full_disk_says_how_to_go_on_and_loses_nothing(tiny, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    assert run("homeworlds_v0", "--config", tiny, "--steps", 500, "--out", folder).exit_code == 0
    before = checkpoints(folder)
    with monkeypatch.context() as patched:

        def full(*_):
            raise OSError(errno.ENOSPC, "no space left")

        patched.setattr(os, "fsync", full)
        patched.setattr(TrainConfig, "save", lambda *_: None)  # which would complain at once
        result = run("--resume", folder, "--steps", 1000)
    assert result.exit_code != 0
    assert f"no space left; mend that and go on with: overworlds train --resume {folder}" in str(result.exception)
    assert sorted(os.listdir(folder / "checkpoints")) == [each.name for each in before], (
        "and leaves no half of one behind"
    )
    assert run("--resume", folder, "--steps", 1000).exit_code == 0


@kernel(POLICY)
def take_first(params, rules, state, legal, n, seed):
    """A player that is easy to learn."""
    return int(legal[0])


def test_watching_a_player_makes_the_network_agree_with_it(tiny, tmp_path):
    settings = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).fitted()
    learner = SelfPlay(settings, tmp_path, lambda *_: None).policy
    optimizer = torch.optim.Adam(learner.parameters(), 1e-2)
    chunks = watch([settings.variant()], Policy(take_first, np.zeros(1, np.float32)), 64, 64, seed=1, noise=0.3)
    agreements = [imitate(learner, optimizer, next(chunks), 256, 0.5)[1] for _ in range(6)]
    assert agreements[0] < agreements[-1]
    assert agreements[-1] > 0.97


@kernel(POLICY)
def take_last(params, rules, state, legal, n, seed):
    """Another one."""
    return int(legal[n - 1])


def test_the_learner_is_told_what_to_do_in_its_own_games(tiny):
    variant = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).variant()
    last, first = (Policy(each, np.zeros(1, np.float32)) for each in (take_last, take_first))
    chunk = next(watch([variant], last, 8, 200, 1, learner=lambda: first))
    legal = [np.flatnonzero(mask) for mask in chunk.masks]
    assert (chunk.actions == [each[-1] for each in legal]).all()
    stash_at = sum(part.size for part in itertools.takewhile(lambda part: part.name != "stash", variant.parts))
    watched, own = chunk.observations[:, stash_at : stash_at + 12].reshape(2, 200, 4, 12)
    assert (own[1, 1::2] == watched[1, 1::2]).all(), "there the learner has the second seat"
    assert (own[1, ::2] != watched[1, ::2]).any(axis=1).all(), "there it has made the first move"
    assert np.isnan(chunk.returns[: 4 * 200]).all()
    returns = chunk.returns[4 * 200 :].reshape(200, 4)
    assert np.isnan(returns[0, 1::2]).all()
    assert not np.isnan(returns[0, ::2]).any()


def test_scales_are_alike_in_all_blocks(tiny):
    variant = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).variant()
    chunk = next(watch([variant], variant.game.policy("random"), 16, 60, 1))
    shape = Shape.of(variant, 16, 12)
    scale = scale_for(chunk, shape)
    (systems,) = shape.blocks
    blocks = scale[systems.first_input : systems.end].reshape(systems.count, -1)
    assert (blocks == blocks[0]).all()
    seen = chunk.observations * scale
    typical = np.sqrt((seen**2).sum(axis=0) / (seen != 0).sum(axis=0).clip(1))
    outside = typical[: systems.first_input]
    assert np.allclose(outside[outside > 0], 1, atol=1e-4)
    plain = scale_for(chunk, replace(shape, blocks=()))
    assert (plain[: systems.first_input] == scale[: systems.first_input]).all()


def test_watched_returns_belong_to_the_one_who_decided(tiny):
    variant = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).variant()
    chunk = next(watch([variant], variant.game.policy("random"), 8, 200, 1))
    returns, masks = chunk.returns.reshape(200, 8), chunk.masks.reshape(200, 8, -1)
    assert masks[np.arange(200)[:, None], np.arange(8), chunk.actions.reshape(200, 8)].all()
    assert not np.isnan(returns[0]).any()
    assert set(np.unique(returns[~np.isnan(returns)])) == {-1, 0, 1}
    assert np.isnan(returns[-1]).any(), "games that go on have no result"


def test_a_sharpened_learner_likes_the_same_actions_more(tiny, tmp_path):
    settings = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).fitted()
    learner = SelfPlay(settings, tmp_path, lambda *_: None).policy
    chunk = next(watch([settings.variant()], settings.variant().game.policy("random"), 8, 20, 1))
    before = learner.choices(torch.as_tensor(chunk.observations), chunk.masks)
    learner.sharpen(3.0)
    after = learner.choices(torch.as_tensor(chunk.observations), chunk.masks)
    possible = before.logits > -1e6
    assert torch.allclose(after.logits[possible], 3 * before.logits[possible], atol=1e-5)
    assert (after.values == before.values).all()


# ---------------------------------------------------------------- settings


def test_settings_survive_their_file(tmp_path):
    settings = TrainConfig("homeworlds_v0", rules={"talk": True}, width=5, players=3)
    settings.save(tmp_path / "config.toml")
    assert TrainConfig.made(read_config(tmp_path / "config.toml")) == settings


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "which game?"),
        (["chess_v0"], "there is no game 'chess_v0'"),
        (["homeworlds_v0", "--players", "9"], "for 2 to 6 players"),
        (["homeworlds_v0", "--set", "bach=4"], "no setting 'bach'; did you mean 'batch'"),
        (["homeworlds_v0", "--set", "batch=many"], "'batch' cannot be 'many'"),
        (["homeworlds_v0", "--set", "batch=0"], "batch must be 1 or more"),
        (["homeworlds_v0", "--set", "sharpen=0"], "sharpen must be more than 0"),
        (["homeworlds_v0", "--set", "imitate=serch:sims=5"], "did you mean"),
        (["homeworlds_v0", "--set", "advisor=sripted"], "no player 'sripted'; did you mean 'scripted'"),
        (["homeworlds_v0", "--set", "batch"], "NAME=VALUE"),
        (["homeworlds_v0", "--set", "batch=64", "--set", "batch=32"], "setting 'batch' is given twice: 64 and 32"),
        (["homeworlds_v0", "--seed", "1", "--set", "seed=2"], "setting 'seed' is given twice: 1, and 2 by --set"),
        (["homeworlds_v0", "--rule", "talk=true", "--rule", "talk=false"], "rule 'talk' is given twice"),
        (["homeworlds_v0", "--set", 'opponents={"chess": 1}'], "has no player 'chess'"),
        (["homeworlds_v0", "--minutes", "0"], "a run needs an end"),
        (["homeworlds_v0", "--config", "missing.toml"], "cannot be read"),
        (["--resume", "nowhere"], "holds no run"),
        (["homeworlds_v0", "--set", "varieties=8"], "homeworlds_v0 has no varieties"),
        (["overpower_v0", *BOTH_DECKS, "--set", "varieties=8"], "deck0 and deck1 are given; leave out"),
    ],
)
def test_wrong_settings_are_explained(words, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert isinstance(result.exception, ValueError)
    assert reason in str(result.exception)
    assert os.listdir(tmp_path) == []


def test_a_run_is_never_overwritten_nor_changed_by_resuming(tmp_path):
    TrainConfig("homeworlds_v0", steps=5).save(tmp_path / "config.toml")
    assert "holds a run already" in str(run("homeworlds_v0", "--out", tmp_path).exception)
    assert "keeps its seed" in str(run("--resume", tmp_path, "--seed", 4).exception)


def test_a_run_can_begin_with_a_network(tiny, tmp_path):
    variant = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).variant()
    network = made(variant, width=24, block_width=20)
    network.save(tmp_path / "first.npz")
    words = ["--config", tiny, "--steps", 1, "--set", f"start={tmp_path / 'first.npz'}", "--set", "learning_rate=0.0"]
    result = run("homeworlds_v0", *words, "--out", tmp_path / "run")
    assert result.exit_code == 0, result.output
    trained = load_network(tmp_path / "run" / "network.npz")
    assert trained.shape == network.shape
    for name, weights in network.weights.items():
        np.testing.assert_allclose(trained.weights[name], weights, rtol=1e-5, atol=1e-7)
    assert trained.about["watched"] == "nobody"
    wrong = run("homeworlds_v0", "--players", 3, *words[2:], "--out", tmp_path / "wrong")
    assert "this network plays homeworlds_v0 with 2 players" in str(wrong.exception)
    assert not (tmp_path / "wrong").exists()


def test_a_learner_may_be_advised(tiny, tmp_path):
    folder = tmp_path / "run"
    words = "--set", "advisor=scripted", "--set", "imitate=", "--set", "evaluate_games=100"
    result = run("homeworlds_v0", "--config", tiny, "--steps", 500, "--out", folder, *words)
    assert result.exit_code == 0, result.output
    network = load_network(folder / "network.npz")
    assert network.shape.advice == Advice("scripted", 3, 40.0)
    assert "--set advisor=scripted" in network.about["command"]
    scores = json.loads((folder / "summary.json").read_text())["measurements"][0]
    assert scores["random"]["low"] > 0.6, "who trusts the scripted player beats random ones at once"


def test_the_command_says_how_to_do_it_again():
    settings = TrainConfig("homeworlds_v0", players=2, minutes=5, batch=77, rules={"talk": True}).fitted()
    text = command(settings)
    assert text == "overworlds train homeworlds_v0 --players 2 --minutes 5 --rule talk=true --set batch=77"


# ---------------------------------------------------------------- display


def test_the_display_shows_strength_with_intervals():
    from rich.console import Console

    against = {"games": 10, "wins": 6, "draws": 1, "losses": 3, "score": 0.65, "low": 0.35, "high": 0.87, "share": 0.5}
    progress = Progress(
        seconds=75, steps=5000, environment=1, opponents=2, inference=1, learning=6, steps_per_second=1234
    )
    progress.measurements = [{"seconds": 70, "steps": 4000, "imitated": 0, "random": against}]
    console = Console(width=100, record=True, force_terminal=False)
    display = Display("a run", 2.0, 0, console)
    console.print(display.panel("playing", progress))
    display.show("playing", progress)
    text = console.export_text()
    for words in (
        "1:15 of 2 minutes",
        "1,234 steps/s",
        "environment 10%, opponents 20%",
        "35.0% to 87.0%",
        "against random 65% (35% to 87%)",
    ):
        assert words in text


def test_curves_rise_with_scores():
    assert curve([0, 0.5, 1]) == "▁▅█"
    assert len(curve([0.1] * 500)) == 32


def test_a_learner_watches_several_varieties_of_a_game_at_once(tiny):
    variant = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).variant()
    varieties = [Variant(variant.game, 2, {"turn_limit": limit}) for limit in (5, 50)]
    chunk = next(watch(varieties, variant.game.policy("random"), 8, 40, 1))
    at = sum(part.size for part in itertools.takewhile(lambda part: part.name != "time", variant.parts))
    short, long = sorted(chunk.observations[:, at].reshape(2, -1).max(axis=1))
    assert long < 50 < short or short < 50 < long, "the same turns are a greater part of a smaller limit"


def test_varieties_of_a_game_with_decks_are_other_decks():
    base = Variant(find_game("overpower_v0"), None, {"ko_limit": 25})
    varieties = base.varieties(12, seed=3)
    assert varieties[0] is base
    assert len({(each.values["deck0"], each.values["deck1"]) for each in varieties}) == 12
    assert {each.values["ko_limit"] for each in varieties} == {25}
    again = base.varieties(12, seed=3)
    assert [each.digest for each in varieties] == [each.digest for each in again]


def test_a_deck_that_was_chosen_is_the_same_in_all_varieties():
    settings = TrainConfig("overpower_v0", rules={"deck1": "avengers"}, varieties=6).fitted()
    varieties = settings.variant().varieties(settings.varieties, settings.seed)
    assert {each.values["deck1"] for each in varieties} == {"avengers"}
    assert len({each.values["deck0"] for each in varieties}) == 6
    one = TrainConfig("overpower_v0", rules={"deck0": "avengers", "deck1": "brotherhood"}).fitted().variant()
    assert one.varieties(1, seed=0) == [one], "without varieties, all may be chosen"


def test_a_pickled_game_knows_which_decks_were_chosen():
    base = Variant(find_game("overpower_v0"), None, {"deck0": "random"}, seed=5)
    copied = pickle.loads(pickle.dumps(base))
    assert (copied.digest, copied.chosen) == (base.digest, {"deck0"})
    assert copied.varieties(3, seed=1)[2].digest == base.varieties(3, seed=1)[2].digest


def test_a_run_keeps_its_decks(tmp_path):
    deck = tmp_path / "mine.toml"
    deck.write_text(
        'characters = ["Batman (BS)", "Robin (BS)", "Nightwing (BS)", "Azrael (BS)"]\n'
        'mission = "Race Against Crime"\n[cards]\n"Fighting 5" = 56\n'
    )
    settings = TrainConfig("overpower_v0", rules={"deck0": str(deck), "deck1": "random"}, seed=3)
    assert settings.variant().digest == settings.variant().digest
    settings.fitted().save(tmp_path / "config.toml")
    deck.unlink()
    again = TrainConfig.made(read_config(tmp_path / "config.toml"))
    assert again.variant().digest == again.fitted().variant().digest
    assert set(again.rules) == {"deck0", "deck1"}
    assert again.rules["deck1"].startswith("random:")


def test_a_network_trained_with_many_decks_plays_others_without_a_warning(recwarn):
    base = Variant(find_game("overpower_v0"))
    about = {"rules": dict(base.values), "varied": ["deck0", "deck1"]}
    network = made(base, **about)
    network.check(Variant(base.game, None, {"deck0": "avengers"}))
    assert not recwarn.list
    with pytest.warns(UserWarning, match="trained with other rules"):
        network.check(Variant(base.game, None, {"deck0": "avengers", "hand_size": 7}))


def test_a_learner_may_watch_a_search(tiny):
    variant = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 1}).variant()
    chunk = next(watch([variant], "search:sims=20,rollout=random,value=none,cut=5,nodes=100", 4, 12, 1))
    assert len(chunk.actions) == 48
    assert chunk.masks[np.arange(48), chunk.actions].all()


def test_turns_that_won_are_known_and_shown_again():
    variant = Variant(find_game("homeworlds_v0"), 3, {"turn_limit": 30})
    chunk = next(watch([variant], variant.game.policy("random"), 64, 60, 5))
    decisions = [each.reshape(60, 64, *each.shape[1:]) for each in chunk]
    observations, _, _, returns, winning = decisions
    assert winning.any(axis=0).sum() > 10
    assert (returns[winning] > 0).all()
    for lane in range(64):
        for step in np.flatnonzero(winning[:, lane])[:-1]:
            assert winning[step + 1, lane] or observations[step + 1, lane, 0] > 0, "up to the end of the game"
    wins = WinningTurns(np.random.default_rng(0))
    assert wins.again(1000) == [], "nothing is remembered yet"
    wins.note(chunk)
    assert wins.known == winning.sum()
    shown = together(wins.again(1000))
    assert len(shown.actions) == pytest.approx(1000, abs=wins.known)
    assert shown.winning.all()
    assert np.isnan(shown.returns).all()


def test_watched_games_may_begin_late():
    variant = Variant(find_game("homeworlds_v0"), 3, {"turn_limit": 30})
    player = variant.game.policy("scripted")
    late = LateStarts(endings(variant, player, games=20, furthest=6, seed=3), 1.0)
    usual, often = (next(watch([variant], player, 16, 300, 1, late=each)) for each in (None, late))
    assert often.winning.sum() > 2 * usual.winning.sum() > 0
    assert often.masks[np.arange(len(often.actions)), often.actions].all()


def test_what_makes_learning_easier_becomes_less(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(selfplay, "ENDED_GAMES", 20)
    settings = TrainConfig.made(read_config(tiny) | {"game": "homeworlds_v0", "steps": 3000, "late_starts": 0.5})
    run = SelfPlay(replace(settings, rules={}, imitate="").fitted(), tmp_path, lambda *_: None)
    seen = []
    help_less = run.help_less

    def noted():
        help_less()
        seen.append((run.env.shaping, *run.env._late))

    monkeypatch.setattr(run, "help_less", noted)
    run.run()
    shaping, positions, share = zip(*seen, strict=True)
    assert shaping[0] == pytest.approx(1, abs=0.1)
    assert share[0] == pytest.approx(500, abs=50)
    assert (shaping[-1], share[-1]) == (0, 0)
    assert list(shaping) == sorted(shaping, reverse=True)
    assert list(share) == sorted(share, reverse=True)
    assert 0 < positions[0] < positions[-1], "first those nearest to the end"


def test_turns_that_won_are_recalled_while_it_plays_by_itself(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(selfplay, "ENDED_GAMES", 20)
    wanted = {"game": "homeworlds_v0", "rules": {}, "imitate": "scripted", "imitate_decisions": 1, "steps": 100}
    settings = TrainConfig.made(read_config(tiny) | wanted | {"imitate_late": 1.0, "wins_beside": 2.0})
    run = SelfPlay(settings.fitted(), tmp_path, lambda *_: None)
    run.run()
    assert run.wins.known > 0, "also if no game was won while it watched"
    rows = run.wins.again(100)[0]
    shown = [torch.as_tensor(array) for array in (rows.observations, rows.actions, rows.masks)]
    liked = run.policy.evaluate_actions(*shown)[1].mean()
    monkeypatch.setattr(run, "learning_rate", lambda: 1e-3)
    for _ in range(10):
        run.recall_wins()
    assert run.policy.evaluate_actions(*shown)[1].mean() > liked, "what won is liked better"

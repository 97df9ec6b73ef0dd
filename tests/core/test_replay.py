"""Recorded games are played again exactly, and say where and why they cannot be."""

import errno
import json
import os

import numpy as np
import pytest

from overworlds.envs import Replay
from overworlds.envs.core.replay import ReplayError, write_atomically

from .games import EVERY_GAME, EVERY_TABLE, bookkeeping, dealt, illegal_action, make, play_randomly


def recorded(game, path, players=None, steps=1_000_000, **rules):
    """A game that was played and saved."""
    env = dealt(game, players, seed=5, **rules)
    play_randomly(env, seed=5, steps=steps)
    env.replay().save(path)
    return env


def change(path, **fields):
    """Write other things into a saved replay."""
    content = json.loads(path.read_text()) | fields
    path.write_text(json.dumps(content))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.json"


@EVERY_TABLE
def test_a_saved_game_is_played_again(game, players, path):
    env = recorded(game, path, players)
    replay = Replay.load(path)
    assert replay == env.replay()
    assert replay.result == tuple(env.returns().values())
    *_, last = replay.play()
    assert last.state_bytes() == env.state_bytes()
    assert last.returns() == env.returns()


@EVERY_GAME
def test_a_game_in_progress_can_be_saved(game, path):
    env = recorded(game, path, steps=25)
    replay = Replay.load(path)
    assert replay.result is None
    *_, last = replay.play()
    assert bookkeeping(last)["observations"] == bookkeeping(env)["observations"]
    assert last.state_bytes() == env.state_bytes()


@EVERY_GAME
def test_playing_shows_every_step(game, path):
    recorded(game, path, steps=25)
    replay = Replay.load(path)
    assert sum(1 for _ in replay.play()) == len(replay.actions) + 1
    frames = [env.render() for env in replay.play(render_mode="ansi")]
    assert len(set(frames)) > 5


@EVERY_GAME
def test_rules_and_options_are_kept(game, path):
    recorded("homeworlds_v0", path, 3, talk=True, turn_limit=5)
    assert Replay.load(path).rules["talk"] is True
    position = {"position": "H0:b3+r1|0g3 H1:b2+y1|1g3", "to_move": np.int64(1), "alignments": "EG"}
    env = make("homeworlds_v0", 2)
    env.reset(seed=1, options=position)
    env.step(env.action_id("pass"))
    env.replay().save(path)
    *_, last = Replay.load(path).play()
    assert last.position() == env.position()
    with pytest.warns(UserWarning, match="ignores the reset option 'mood'"):
        env.reset(seed=1, options=position | {"mood": object()})
    env.step(env.action_id("pass"))
    env.replay().save(path)
    assert set(Replay.load(path).options) == set(position), "what means nothing is not kept"
    assert last.agent_selection == env.agent_selection == "player_0"


@EVERY_GAME
def test_a_game_ended_by_an_illegal_action_can_be_saved(game, path):
    env = dealt(game, seed=1)
    play_randomly(env, seed=1, steps=4)
    with pytest.warns(UserWarning, match="illegal"):
        env.step(illegal_action(env))
    env.replay().save(path)
    assert len(Replay.load(path).actions) == 4


@EVERY_GAME
def test_after_loading_bytes_there_is_nothing_to_replay(game):
    env = dealt(game, seed=1)
    env.load_state_bytes(env.state_bytes())
    with pytest.raises(RuntimeError, match="nothing to replay"):
        env.replay()
    env.reset(seed=1)
    env.resample("player_0", seed=1)
    with pytest.raises(RuntimeError, match="nothing to replay"):
        env.replay()
    env.reset(seed=1)
    env.replay()


# ---------------------------------------------------------------- what is wrong, and where


@EVERY_GAME
def test_an_illegal_move_is_named(game, path):
    env = recorded(game, path, steps=30)
    again = dealt(game, seed=5)
    actions = list(env.replay().actions)
    for action in actions[:12]:
        again.step(action)
        while again.terminations[again.agent_selection]:
            again.step(None)
    wrong = illegal_action(again)
    actions[12] = wrong
    change(path, actions=actions)
    with pytest.raises(ReplayError, match=rf"move 13 of {len(actions)} \(turn \d+\): illegal action {wrong}") as error:
        Replay.load(path)
    assert again.action_name(wrong) in str(error.value)


@EVERY_GAME
@pytest.mark.parametrize("action", [-1, 10**7, 2**64])
def test_a_move_out_of_range_is_named(game, path, action):
    env = recorded(game, path, steps=10)
    change(path, actions=[*env.replay().actions[:4], action])
    with pytest.raises(ReplayError, match="move 5 of 5"):
        Replay.load(path)


@EVERY_GAME
def test_a_wrong_result_is_named(game, path):
    env = recorded(game, path)
    result = [-gain - 1 for gain in env.returns().values()]
    change(path, result=result)
    with pytest.raises(ReplayError, match=r"after the last move the result is .* is recorded"):
        Replay.load(path)
    change(path, result=None)
    with pytest.raises(ReplayError, match="but None is recorded"):
        Replay.load(path)
    change(path, result=list(env.returns().values()), actions=list(env.replay().actions[:-1]))
    with pytest.raises(ReplayError, match="the result is None"):
        Replay.load(path)


@EVERY_GAME
def test_moves_after_the_end_are_named(game, path):
    env = recorded(game, path)
    actions = list(env.replay().actions)
    change(path, actions=[*actions, actions[-1]])
    with pytest.raises(ReplayError, match=f"the game ends at move {len(actions)}, but {len(actions) + 1} are recorded"):
        Replay.load(path)


@EVERY_GAME
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess_v0"}, "there is no game 'chess_v0'"),
        ({"players": 99}, "players, not 99"),
        ({"rules": {"no_such_rule": 1}}, "has no rule 'no_such_rule'"),
        ({"rules_digest": "0" * 16}, "made under other rules"),
        ({"seed": -1}, "a seed is a number"),
        ({"format_version": 99}, "format version 99; this version of overworlds reads version"),
        ({"format_version": None}, "format version None"),
        ({"format": "something"}, "not a replay of this project"),
        ({"actions": None}, "damaged"),
        ({"actions": ["x"]}, "damaged"),
        ({"actions": [1.5]}, "damaged"),
        ({"actions": [True]}, "damaged"),
        ({"actions": [float("inf")]}, "damaged"),
        ({"actions": [[1]]}, "damaged"),
        ({"actions": "12"}, "damaged"),
        ({"seed": 1.5}, "damaged"),
        ({"players": "two"}, "damaged"),
        ({"rules": 3}, "damaged"),
        ({"options": [1]}, "damaged"),
        ({"result": "won"}, "damaged"),
    ],
    ids=repr,
)
def test_wrong_content_is_named(game, path, fields, message):
    recorded(game, path, steps=10)
    change(path, **fields)
    with pytest.raises(ReplayError, match=message):
        Replay.load(path)


@EVERY_GAME
@pytest.mark.parametrize("field", ["game", "players", "rules", "rules_digest", "seed", "actions", "options", "result"])
def test_missing_content_is_named(game, path, field):
    recorded(game, path, steps=10)
    content = json.loads(path.read_text())
    del content[field]
    path.write_text(json.dumps(content))
    with pytest.raises(ReplayError, match=f"damaged.*{field}"):
        Replay.load(path)


@EVERY_GAME
def test_files_that_are_no_replays(game, path, tmp_path):
    recorded(game, path)
    whole = path.read_bytes()
    for content in (b"", whole[: len(whole) // 2], b"[]", b"3", b"\xff\xfe", b"hello", b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises(ReplayError, match=r"game\.json: not a replay"):
            Replay.load(path)
    with pytest.raises(ReplayError, match="cannot be read: No such file"):
        Replay.load(tmp_path / "nowhere.json")
    with pytest.raises(ReplayError, match="cannot be read"):
        Replay.load(tmp_path)


# ---------------------------------------------------------------- saving


@EVERY_GAME
def test_saving_is_all_or_nothing(game, path, monkeypatch):
    recorded(game, path, steps=10)
    before = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "no space left")

    for part in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, part, full)
            with pytest.raises(OSError, match=f"no space left: '{path}'"):
                recorded(game, path, steps=20)
        assert path.read_bytes() == before
        assert os.listdir(path.parent) == [path.name], "no temporary file stays behind"
    recorded(game, path, steps=20)
    assert len(Replay.load(path).actions) > 10


def test_writing_replaces_what_was_there(tmp_path):
    target = tmp_path / "file"
    for content in (b"long content", b"short"):
        write_atomically(target, content)
        assert target.read_bytes() == content
    write_atomically(str(target), b"as text path")
    assert target.read_bytes() == b"as text path"
    with pytest.raises(FileNotFoundError, match="no such folder"):
        write_atomically(tmp_path / "no" / "folder", b"x")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes in folders")
def test_writing_replaces_nothing_but_files(tmp_path):
    """A user who may write everywhere must not lose a device or a link by naming it."""
    target, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="is not a file that could be replaced"):
        write_atomically(pipe, b"x")
    assert pipe.is_fifo()
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write_atomically(tmp_path, b"x")
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "pipe"]


@EVERY_GAME
def test_a_replay_is_small(game, path):
    env = recorded(game, path)
    assert path.stat().st_size < 1_000 + 8 * len(env.replay().actions)

"""The examples run as they stand, with tiny settings."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST_EXAMPLE = 60


def run(name, *words):
    command = [sys.executable, EXAMPLES / name, *map(str, words)]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}  # tests may run side by side
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=one_thread)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def imported(name):
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_maskable_ppo():
    pytest.importorskip("sb3_contrib")
    lines = run("maskable_ppo.py", "--steps", 2048, "--games", 1)
    assert [line.split(":")[0] for line in lines[:2]] == ["before training", "after 2,048 steps"]
    assert all("of 1 games won against random" in line for line in lines[:2])


def test_maskable_ppo_is_short():
    assert len((EXAMPLES / "maskable_ppo.py").read_text().splitlines()) < LONGEST_EXAMPLE


def test_cleanrl_batch():
    pytest.importorskip("torch")
    words = ["--total-steps", "4096", "--num-envs", "32", "--num-steps", "64", "--hidden", "16", "--eval-games", "8"]
    lines = run("cleanrl_batch.py", *words)
    assert lines[0].startswith("before: ")
    assert lines[-1].startswith("4,096 steps, ")
    assert "against random, value loss" in lines[-1]


def test_rllib_says_what_to_install():
    if importlib.util.find_spec("ray"):
        pytest.skip("Ray is installed here; check_rllib.py runs the example")
    result = subprocess.run([sys.executable, EXAMPLES / "rllib_aec.py"], capture_output=True, text=True)
    assert result.returncode == 1
    assert 'pip install "ray[rllib]==2.60.*"' in result.stderr


# ---------------------------------------------------------------- advantages along the decisions of a seat


def test_advantages_follow_each_seat_to_its_next_decision():
    """Checked by hand: seats 0, 1, 1, 0 decide, then a new game begins with seat 1."""
    pytest.importorskip("torch")
    advantages = imported("cleanrl_batch").advantages
    seats = np.array([[0], [1], [1], [0], [1]])
    values = np.array([[0.1], [0.2], [0.3], [0.4], [0.5]], np.float32)
    rewards = np.zeros((5, 1, 2), np.float32)
    rewards[1, 0] = [0.25, 0.0]  # what seat 1 does first is worth something to seat 0
    rewards[3, 0] = [1.0, -1.0]  # the end
    dones = np.array([[False], [False], [False], [True], [False]])
    result, usable = advantages(rewards, dones, seats, values, np.array([0.7], np.float32), np.array([0]), 0.9, 0.5)
    last_of_0 = 1.0 - 0.4
    second_of_1 = -1.0 - 0.3
    first_of_1 = 0.9 * 0.3 - 0.2 + 0.45 * second_of_1
    first_of_0 = 0.25 + 0.9 * 0.4 - 0.1 + 0.45 * last_of_0
    np.testing.assert_allclose(result[:4, 0], [first_of_0, first_of_1, second_of_1, last_of_0], rtol=1e-5)
    assert usable[:, 0].tolist() == [True, True, True, True, False], "seat 1 of the new game has no future yet"

"""What importing costs: no optional library, and nothing of the games that are not played."""

import json

import pytest

from overworlds.envs.core.registry import GAMES, find_game

from .fresh import run
from .games import EVERY_GAME

OPTIONAL = {"pygame", "torch", "stable_baselines3", "sb3_contrib", "matplotlib", "tensorboard", "PIL", "psutil"}
SHOW = "import json, sys; print(json.dumps(sorted(sys.modules)))"


def modules_after(code: str, *options: str) -> set[str]:
    """The modules that are loaded after this code, in a new process."""
    return set(json.loads(run(*options, "-c", f"{code}\n{SHOW}").stdout.splitlines()[-1]))


def test_importing_the_environments_imports_no_extra_and_compiles_nothing():
    loaded = modules_after("import overworlds.envs")
    assert not loaded & OPTIONAL
    assert "numba" not in loaded
    assert not {find_game(game).kernels_module for game in GAMES} & loaded


PLAY = """
from overworlds.envs import {game}
env = {game}.env(render_mode="ansi")
env.reset(seed=0)
for _ in range(20):
    env.step(int(env.legal_actions()[-1]))
print(len(env.render()))
"""


@EVERY_GAME
def test_playing_a_game_loads_nothing_of_another(game):
    loaded = modules_after(PLAY.format(game=game))
    assert find_game(game).kernels_module in loaded
    for other in GAMES:
        if other != game:
            package = GAMES[other]
            assert not {name for name in loaded if name == package or name.startswith(package + ".")}
    assert not loaded & OPTIONAL, "text needs none of the extras"


@EVERY_GAME
def test_a_game_plays_where_python_drops_docstrings(game):
    run("-OO", "-c", PLAY.format(game=game))


@EVERY_GAME
def test_text_works_and_pictures_say_what_they_need_where_pygame_is_missing(game):
    code = "import sys; sys.modules['pygame'] = None\n" + PLAY.format(game=game)
    run("-c", code)
    picture = code.replace('"ansi"', '"rgb_array"')
    with pytest.raises(AssertionError, match=r"pip install .*overworlds\[render\]"):
        run("-c", picture)


@EVERY_GAME
def test_describing_a_game_compiles_nothing(game):
    code = f"from overworlds.envs import find_game, Variant; v = Variant(find_game({game!r})); print(v.digest)"
    assert find_game(game).kernels_module not in modules_after(code)


def test_unknown_names_are_attribute_errors():
    import overworlds.envs

    with pytest.raises(AttributeError, match="no attribute 'chess_v0'"):
        _ = overworlds.envs.chess_v0
    with pytest.raises(ValueError, match="did you mean 'homeworlds_v0'"):
        find_game("homeworlds")
    for name in overworlds.envs.__all__:
        assert getattr(overworlds.envs, name) is not None

"""The command line: results, and what wrong input gets."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from overworlds.envs import Variant, find_game
from overworlds.training import arena, cli, evaluate
from overworlds.training.cli import app, main
from overworlds.training.demo import play, rollouts_per_second
from overworlds.training.warmup import clear_outdated, is_current, modules_to_compile

from ..homeworlds import referee

OPENING = "H0:b3+r1|0g3 H1:b2+y1|1g3"


def run(*arguments: str) -> str:
    """The output of a command that succeeds."""
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.stdout


# ---------------------------------------------------------------- what there is


def test_without_a_command_there_is_help():
    assert "Usage: overworlds" in run()
    assert "perft" in run("--help")


def test_version_is_the_packages():
    assert run("--version").startswith("overworlds 0.")


def test_list_has_every_game():
    assert "homeworlds_v0" in run("list")


def test_show_prints_facts_rules_actions_observation_and_players():
    shown = run("show", "homeworlds_v0", "--players", "2")
    for text in ("alignments are secret", "pieces_per_kind", "discover", "captures", "to_move", "random"):
        assert text in shown
    assert "with 2 players" in shown


def test_show_as_json_agrees_with_the_environment(tmp_path):
    facts = json.loads(run("show", "homeworlds_v0", "--players", "3", "--json", "-"))
    variant = Variant(find_game("homeworlds_v0"), 3)
    assert facts["actions"]["count"] == variant.num_actions == facts["actions"]["groups"][-1]["last"] + 1
    assert facts["observation"]["length"] == variant.observation_size == facts["observation"]["parts"][-1]["last"] + 1
    assert facts["rules"][0] | {"name": "pieces_per_kind", "default": 5} == facts["rules"][0]
    path = tmp_path / "facts.json"
    run("show", "homeworlds_v0", "--players", "3", "--json", str(path))
    assert json.loads(path.read_text("utf-8")) == facts


def test_show_follows_the_chosen_rules():
    talking = json.loads(run("show", "homeworlds_v0", "--rule", "talk=true", "--json", "-"))
    assert "statements" in [part["name"] for part in talking["observation"]["parts"]]
    assert "statements" not in run("show", "homeworlds_v0", "--json", "-")


def test_show_as_markdown_is_a_page():
    assert "| `abandoned_home` | `'stays'` |" in run("show", "homeworlds_v0", "--markdown")


# ---------------------------------------------------------------- perft


def boards(*arguments: str) -> list[int]:
    """The numbers of the second column."""
    rows = [line.split("│") for line in run("perft", *arguments).splitlines() if line.startswith("│")]
    return [int(row[2].replace(",", "")) for row in rows]


@pytest.mark.parametrize("abandoned_home", ["stays", "vanishes"])
@pytest.mark.parametrize(
    ("position", "players", "counts"),
    [
        (OPENING, 2, [5, 25, 80, 411]),
        ("H0:b1+g1|0y3 H1:r2+y3|1b3", 2, [5, 20, 134, 176]),
        (OPENING + " H2:g1+y3|2b3", 3, [5, 25, 125, 400]),
    ],
)
def test_perft_counts_the_known_rows(position, players, counts, abandoned_home):
    options = "--players", str(players), "--depth", str(len(counts)), "--abandoned-home", abandoned_home
    assert boards(position, *options) == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "players", "count"),
    [
        (OPENING, 2, 2213),
        ("H0:b1+g1|0y3 H1:r2+y3|1b3", 2, 1117),
        (OPENING + " H2:g1+y3|2b3", 3, 2055),
    ],
)
def test_perft_counts_the_fifth_turn(position, players, count):
    assert boards(position, "--players", str(players), "--depth", "5")[-1] == count


def test_perft_from_the_empty_table_counts_set_ups():
    pairs_of_stars = 12 * 13 // 2
    assert boards("homeworlds_v0", "--players", "2", "--depth", "1") == [12 * pairs_of_stars]


@pytest.mark.parametrize(
    ("position", "players"),
    [
        ("H0:b3+r1|0r3 H1:b2+y1|0r3,1g1", 2),  # player 0 can take player 1's home: nothing follows
        ("H0:b3+r1|0r3 H1:b2+y1|0r3,1g1 H2:g1+y3|2b3", 3),  # here the other two play on
    ],
)
def test_perft_counts_eliminations_as_the_referee_does(position, players):
    counts = [referee.perft(referee.parse(position, players), 0, depth) for depth in (1, 2)]
    assert boards(position, "--players", str(players), "--depth", "2") == counts


# ---------------------------------------------------------------- demo and warmup


def test_demo_shows_a_game_and_saves_its_picture(tmp_path):
    path = tmp_path / "table.png"
    shown = run("demo", "--players", "3", "--turns", "6", "--seconds", "0", "--picture", str(path))
    assert "player_2: star" in shown
    assert path.read_bytes().startswith(b"\x89PNG")


def test_demo_measures_rollouts():
    assert "games/s" in run("demo", "--players", "2", "--turns", "2", "--seconds", "0.001")
    speed = rollouts_per_second(Variant(find_game("homeworlds_v0"), 2), "random", 0.01, threads=1)
    assert speed.steps > 3 * speed.games > 0, "setting up takes three decisions"


def test_a_demo_game_ends_and_repeats_with_its_seed():
    variant = Variant(find_game("homeworlds_v0"), 2)
    policy = variant.game.policy("random")
    game, again, other = (list(play(variant, policy, seed)) for seed in (1, 1, 2))
    assert [turn.actions for turn in game] == [turn.actions for turn in again]
    assert [turn.actions for turn in game] != [turn.actions for turn in other]
    assert game[-1].state.tobytes() == again[-1].state.tobytes()


def test_warmup_needs_no_extra():
    """Without pygame there are no pictures, but there is nothing to compile in them either."""
    program = (
        "import sys; sys.modules['pygame'] = None\n"
        "from overworlds.training.warmup import compile_modules, modules_to_compile\n"
        "compile_modules(modules_to_compile(['overpower_v0']), lambda module: None)\n"
        "assert 'overworlds.envs.overpower.rules' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)


def test_warmup_compiles_all_modules_and_says_where():
    assert "overworlds.envs.core.batch" in modules_to_compile(["homeworlds_v0"])
    assert "overworlds.envs.homeworlds.kernels" in modules_to_compile(["homeworlds_v0"])
    assert "compiled code: " in run("warmup", "homeworlds_v0")


def test_clearing_the_cache_keeps_what_this_version_uses(tmp_path):
    from overworlds.envs.core.kernel import source_digest

    module = "envs.core.batch"
    kept = [f"{module}-{source_digest('overworlds.' + module)}{checked}" for checked in ("", "-checked")]
    outdated = [f"{module}-0123456789abcdef", "envs.checkers.rules-0123456789abcdef"]
    for name in kept + outdated:
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").write_bytes(b"1234")
    assert all(is_current(tmp_path / name) for name in kept)
    assert clear_outdated(tmp_path) == 8
    assert sorted(folder.name for folder in tmp_path.iterdir()) == sorted(kept)


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shw"], "No such command"),
        (["show"], "Missing argument"),
        (["show", "homeworld_v0"], "did you mean 'homeworlds_v0'"),
        (["show", "homeworlds_v0", "--players", "7"], "2 to 6 players, not 7"),
        (["show", "homeworlds_v0", "--players", "two"], "--players"),
        (["show", "homeworlds_v0", "--rule", "talk"], "NAME=VALUE"),
        (["show", "homeworlds_v0", "--rule", "tlak=true"], "did you mean 'talk'"),
        (["show", "homeworlds_v0", "--rule", "talk=maybe"], "False or True, not 'maybe'"),
        (["show", "homeworlds_v0", "--rule", "talk=true", "--rule", "talk=false"], "is given twice: True and False"),
        (["show", "homeworlds_v0", "--rule", "talk=true", "--rule", "talk=true"], "rule 'talk' is given twice"),
        (["show", "homeworlds_v0", "--json", "/no/such/folder/x.json"], "there is no such folder"),
        (["show", "homeworlds_v0", "--coverage"], "homeworlds_v0 has no cards"),
        (["warmup", "chess"], "there is no game 'chess'"),
        (["perft", "H0:b3+r1|0g3 H1:b2+y1", "--players", "2"], "cannot read the system 'H1:b2+y1'"),
        (["perft", OPENING, "--players", "2", "--to-move", "5"], "to_move must be a seat"),
        (["perft", OPENING, "--players", "2", "--depth", "0"], "--depth"),
        (["perft", OPENING, "--players", "2", "--abandoned-home", "stay"], "'stays' or 'vanishes'"),
        (["perft", "--abandoned-home", "stays", "--rule", "abandoned_home=stays"], "'abandoned_home' is given twice"),
        (["perft", "--rule", "turn_limit=9"], "without a turn limit: leave out the rule 'turn_limit'"),
        (["perft", "--players", "2", "--to-move", "1"], "seat 0 sets up first"),
        (["demo", "--players", "1"], "2 to 6 players, not 1"),
        (["demo", "--turns", "1", "--picture", "/no/such/folder/x.png"], "there is no such folder"),
        (["demo", "--turns", "1", "--picture", "x.txt"], "must end in .png"),
        (["demo", "--turns", "1", "--viewer", "9"], "there is no player 9"),
        (["bench", "--secnds", "1"], "No such option"),
    ],
)
def test_wrong_input_gets_one_clear_line(arguments, message, capsys, monkeypatch):
    monkeypatch.delenv("OVERWORLDS_DEBUG", raising=False)
    assert main(arguments) == 2
    said = capsys.readouterr().err.strip()
    assert message in said
    assert said.startswith("overworlds: ")
    assert "\n" not in said


def test_debug_shows_the_traceback(capsys, monkeypatch):
    monkeypatch.setenv("OVERWORLDS_DEBUG", "1")
    assert main(["show", "chess"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_ends_with_130(capsys, monkeypatch):
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "out", interrupt)
    assert main(["list"]) == 130
    assert capsys.readouterr().err.strip() == "overworlds: interrupted"


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom overworlds.training.cli import main\nassert main(['--help']) == 0\n"
        "heavy = {'numba', 'numpy', 'gymnasium', 'pettingzoo', 'torch', 'pygame', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["evaluate", "arena"])
def test_results_that_could_not_be_written_are_refused_before_any_game(command, capsys, monkeypatch):
    def play(*_arguments, **_options):
        raise AssertionError("played")

    for module in (arena, evaluate):
        monkeypatch.setattr(module, "play_games", play)
    assert main([command, "homeworlds_v0", "random", "random", "--players", "2", "--json", "/no/such/x.json"]) == 2
    assert "/no/such: there is no such folder" in capsys.readouterr().err


# ---------------------------------------------------------------- decks


def test_an_error_of_several_lines_keeps_them(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("OVERWORLDS_DEBUG", raising=False)
    deck = tmp_path / "bad.toml"
    deck.write_text("characters = []\n", "utf-8")
    assert main(["evaluate", "overpower_v0", "random", "random", "--rule", f"deck0={deck}"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "overworlds: rule 'deck0': bad.toml: 'mission' is missing"
    assert len(said) > 2
    assert all("rule 'deck0': bad.toml: " in line for line in said)


def test_all_wrong_rules_are_named_at_once(capsys, monkeypatch):
    monkeypatch.delenv("OVERWORLDS_DEBUG", raising=False)
    wrong = "hand_size=99", "lader=also", "ladder=foo"
    assert main(["show", "overpower_v0", *(word for text in wrong for word in ("--rule", text))]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "overworlds: overpower_v0 has no rule 'lader'; did you mean 'ladder'?",
        "rule 'ladder' must be 'also' or 'instead', not 'foo'",
        "rule 'hand_size' must be a whole number from 4 to 12, not 99",
    ]


RANDOM_DECKS = ("--rule", "deck0=random", "--rule", "deck1=random")


@pytest.mark.parametrize(
    ("command", "games"),
    [
        (("evaluate", "overpower_v0", "random", "random", "--games", "4", "--json", "-"), "rules"),
        (("arena", "overpower_v0", "random", "scripted", "--games", "4", "--json", "-"), "rules"),
        (("watch", "overpower_v0", "random"), None),
        (("demo", "overpower_v0", "--turns", "3", "--seconds", "0"), None),
    ],
)
def test_a_seed_draws_random_decks_too(command, games):
    def result(seed):
        shown = run(*command, *RANDOM_DECKS, "--seed", seed)
        return json.loads(shown)[games] if games else shown

    once = result("0")
    assert once == result("0")
    assert once != result("1")
    if games:
        assert once["deck0"] != once["deck1"]

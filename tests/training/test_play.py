"""Playing and watching in the terminal."""

import re

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from overworlds.envs import Replay
from overworlds.training.play import cards_called, matching, play
from overworlds.training.watch import Moment, moments_of, played, recorded, watch

from ..homeworlds.tabletop import table

OPPONENT = "search:sims=5,rollout=random,cut=2"
SET_UP = ["star b3", "star r1", "ship g3"]


def run(command, *arguments, typed=()):
    app = typer.Typer()
    app.command()(command)
    typed = "".join(f"{line}\n" for line in typed)
    return CliRunner().invoke(app, [str(each) for each in arguments], input=typed, env={"COLUMNS": "160"})


@pytest.fixture
def replay_file(tmp_path):
    return tmp_path / "game.json"


def play_two(replay_file, typed, *more, seed=5):
    base = ("homeworlds_v0", "--players", 2, "--seed", seed, "--against", OPPONENT, "--save", replay_file)
    return run(play, *base, *more, typed=typed)


# ---------------------------------------------------------------- playing


def test_words_choose_a_move_when_only_one_contains_them():
    names = {1: "pass", 2: "construct green at H0", 3: "construct green at H1", 4: "go to H1"}
    assert matching("2", names) == {2: "construct green at H0"}
    assert matching("GREEN h1", names) == {3: "construct green at H1"}
    assert matching("construct", names) == {2: "construct green at H0", 3: "construct green at H1"}
    assert matching("pass", names | {5: "pass again"}) == {1: "pass"}
    assert matching("", names) == matching("9", names) == matching("fly", names) == {}


def test_a_game_by_name_number_and_end_of_input(replay_file):
    done = play_two(replay_file, ["star b3", "star r1", "12"])
    assert done.exit_code == 0, done.output
    assert "you: star b3" in done.output
    assert "you: ship y3" in done.output
    assert f"player_1 ({OPPONENT}): star" in done.output
    assert "stopped." in done.output
    replay = Replay.load(replay_file)
    assert replay.seed == 5
    assert replay.result is None
    assert len(replay.actions) == 6


def test_a_whole_game_ends_with_the_result(replay_file):
    done = play_two(replay_file, [*SET_UP, *["pass", "end turn"] * 30], "--rule", "turn_limit=4")
    assert re.search(r"you (win|lose)|a draw", done.output)
    assert "player_1: " in done.output
    assert Replay.load(replay_file).result is not None


def test_undo_takes_back_my_last_decision(replay_file):
    play_two(replay_file, [*SET_UP, "undo", "undo", "star y2", "quit"])
    replay = Replay.load(replay_file)
    names = [table(players=2).variant.action_names(0)[action] for action in replay.actions]
    assert names == ["star b3", "star y2"]


def test_undo_at_the_start_has_nothing_to_take_back(replay_file):
    assert "nothing of yours" in play_two(replay_file, ["undo"]).output


def test_filtering_shows_what_is_left(replay_file):
    output = play_two(replay_file, ["star g", "nonsense", "star g2"]).output
    shown = output.split("move> ")[1]
    assert re.findall(r"star \w\d", shown) == ["star g1", "star g2", "star g3"]
    assert "no move is or contains 'nonsense'" in output
    assert "you: star g2" in output


def test_a_hint_has_statistics(replay_file):
    done = play_two(replay_file, [*SET_UP, "hint"], "--hint", "search:sims=100,rollout=random")
    assert done.exit_code == 0, done.output
    assert "100 simulations" in done.output
    assert re.search(r"(construct green|trade g3|pass)[^\n]* \d+%[^\n]* [+-][01]\.\d\d", done.output)


def test_hints_are_the_same_whenever_one_asks(replay_file):
    done = play_two(replay_file, [*SET_UP, "hint", "hint"], "--hint", "search:sims=100,rollout=random")
    first, second = done.output.split("move> ")[-3:-1]
    assert "100 simulations" in first
    assert first == second


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("random", "hints come from a search, such as --hint search:ms=1000, not from 'random'"),
        ("scripted", "hints come from a search"),
        ("search:smis=5", "search has no option 'smis'; did you mean 'sims'"),
        ("search:rollout=nobody", "no player 'nobody'"),
    ],
)
def test_whoever_cannot_give_hints_is_refused_before_the_game(player, message, replay_file):
    done = play_two(replay_file, ["star b3"], "--hint", player)
    assert message in str(done.exception)
    assert done.output == ""
    assert not replay_file.exists()


def test_help_table_moves_and_save(replay_file):
    output = play_two(replay_file, ["help", "table", "moves", "save"]).output
    assert "take back your last decision" in output
    assert output.count("player_0: the first star") == 2
    assert output.count("12 star y3") == 2
    assert output.count("saved to") == 2


def test_a_card_is_found_by_its_name_or_its_beginning():
    cards = ["Batman (BS)", "Batman: Batarang", "Batman: The Dark Knight", "Azrael: Battle Armor", "Energy 5"]
    assert cards_called("Batarang", cards) == cards_called("batman: batarang", cards) == ["Batman: Batarang"]
    assert cards_called("bata", cards) == ["Batman: Batarang"]
    assert cards_called("batt", cards) == ["Azrael: Battle Armor"]
    assert cards_called("Batman", cards) == ["Batman (BS)"]
    assert cards_called("batman: ", cards) == ["Batman: Batarang", "Batman: The Dark Knight"]
    assert cards_called("knight", cards) == ["Batman: The Dark Knight"]
    assert cards_called("nonsense", cards) == []
    assert cards_called("", cards) == cards


def test_the_person_may_ask_what_a_card_does(replay_file):
    typed = ["help", "card batarang", "CARD Superman", "card 661216.01", "card bat", "card Batarangs"]
    done = run(
        play, "overpower_v0", "--seed", 3, "--against", "random", "--save", replay_file, typed=[*typed, "by Robin"]
    )
    assert done.exit_code == 0, done.output
    answers = done.output.split("move> ")[1:]
    assert "card NAME" in answers[0]
    assert answers[1].startswith("Batman: Batarang: Attack an enemy for 4 Fighting; then one more attack")
    assert answers[2].startswith("Superman (BS): Energy 7, Fighting 4")
    assert "Neither player may use Power cards of Intellect" in answers[3]
    assert "Azrael: Battle Armor" in answers[4]
    assert "no card begins with or contains 'Batarangs'; did you mean" in answers[5]
    assert answers[6].startswith("you: by Robin")


def test_games_without_cards_have_no_command_for_them(replay_file):
    output = play_two(replay_file, ["help", "card x"]).output
    assert "card NAME" not in output
    assert "no move is or contains 'card x'" in output


def test_any_seat_against_several_opponents(replay_file):
    arguments = ["--players", 4, "--seat", 2, "--seed", 1, "--save", replay_file]
    opponents = ["--against", "random", "--against", OPPONENT, "--against", "random"]
    done = run(play, "homeworlds_v0", *arguments, *opponents, typed=SET_UP)
    assert done.exit_code == 0, done.output
    names = ["player_0 (search", "player_1 (random", "you: star b3", "player_3 (random"]
    places = [done.output.index(name) for name in names]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", 4, "--against", "random", "--against", "random"], "need 3 opponents, not 2"),
        (["--players", 2, "--seat", 2], "no player 2 here"),
        (["--against", "nobody"], "no player 'nobody'"),
        (["--save", "no/such/folder/game.json"], "there is no such folder"),
    ],
)
def test_wrong_wishes_are_refused(arguments, message):
    assert message in str(run(play, "homeworlds_v0", *arguments).exception)


# ---------------------------------------------------------------- watching


def test_moments_are_turns():
    variant = table(players=2, turn_limit=5).variant
    moments = list(moments_of(played(variant, ["random", "random"], 3)))
    assert moments[0].player is None
    assert [moment.player for moment in moments[1:5]] == [0, 1, 0, 1]
    assert [moment.turn for moment in moments] == list(range(len(moments)))
    assert len(moments[1].actions) == 3


def test_a_recorded_game_is_shown_as_it_was_played(replay_file):
    env = table(players=2, seed=4)
    for name in [*SET_UP, "star y2"]:
        env.step(env.action_id(name))
    env.replay().save(replay_file)
    moments = list(moments_of(recorded(replay_file)))
    assert [moment.actions for moment in moments] == [(), tuple(SET_UP), ("star y2",)]
    done = run(watch, "--replay", replay_file)
    assert done.exit_code == 0, done.output
    assert "turn 1, player_0: star b3, star r1, ship g3" in done.output


def test_watching_shows_every_turn():
    done = run(watch, "homeworlds_v0", "random", OPPONENT, "--rule", "turn_limit=3", "--seed", 2)
    assert done.exit_code == 0, done.output
    assert [int(turn) for turn in re.findall(r"^turn (\d+), player_", done.output, re.MULTILINE)] == list(range(1, 7))


def test_step_by_step_and_back():
    typed = ["", "", "b", "4", "99", "q"]
    arguments = "homeworlds_v0", "random", "--players", 2, "--rule", "turn_limit=3", "--step"
    done = run(watch, *arguments, typed=typed)
    assert done.exit_code == 0, done.output
    assert [int(turn) for turn in re.findall(r"Homeworlds   turn (\d+)", done.output)] == [0, 1, 2, 1, 4, 6]


def test_pictures_are_saved(tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    arguments = "homeworlds_v0", "random", "--players", 2, "--rule", "turn_limit=2", "--quiet", "--picture"
    for name in ("table.png", "game.gif"):
        done = run(watch, *arguments, tmp_path / name)
        assert done.exit_code == 0, done.output
        assert done.stdout == ""
    with Image.open(tmp_path / "game.gif") as animation:
        assert animation.n_frames == 5
        assert animation.width <= 800
    with Image.open(tmp_path / "table.png") as picture:
        assert picture.width >= animation.width


def test_the_viewer_sees_its_own_alignment():
    variant = table(players=2).variant
    moment = Moment(variant, variant.deal(5), 0, None)
    assert "secret" in moment.text(0).plain
    assert "secret" not in moment.text(None).plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a game"),
        (["homeworlds_v0", "random", "--replay", "x.json"], "name no game and no players"),
        (["homeworlds_v0", "random", "--picture", "game.bmp"], "must end in .png or .gif"),
        (["homeworlds_v0", "random", "random", "--players", "3"], "one player for all seats or 3"),
        (["--replay", "no-such-file.json"], "cannot be read"),
        (["homeworlds_v0", "random", "--players", "2", "--viewer", "2"], "there is no player 2 here"),
        (["overpower_v0", "random", "--viewer", "5"], "there is no player 5 here"),
    ],
)
def test_wrong_wishes_for_watching_are_refused(arguments, message):
    done = run(watch, *arguments)
    assert message in str(done.exception)
    assert done.stdout == ""


def test_nobody_watches_a_recorded_game_from_a_seat_that_it_has_not(replay_file):
    table(players=2, seed=4).replay().save(replay_file)
    assert run(watch, "--replay", replay_file, "--viewer", 1).exit_code == 0
    assert "there is no player 2 here" in str(run(watch, "--replay", replay_file, "--viewer", 2).exception)

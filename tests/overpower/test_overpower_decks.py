"""Decks: the files that come with the game, what the validator refuses, random decks, options."""

from pathlib import Path

import pytest

from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME
from overworlds.envs.overpower.cards import cards, characters, find_card, find_character
from overworlds.envs.overpower.decks import Deck, deck_names, find_deck, random_deck, read_deck, violations
from overworlds.envs.overpower.names import team_names
from overworlds.envs.overpower.words import compile_program

FILL = "Fighting 5"
TEAM = ("Batman (BS)", "Robin (BS)", "Nightwing (BS)", "Azrael (BS)")


def deck(team=TEAM, mission="Race Against Crime", **counts):
    cards_ = {find_card(name, "test"): n for name, n in (counts or {FILL: 56}).items()}
    return Deck("test", tuple(find_character(name, "test") for name in team), mission, cards_)


def problems(*args, **kwargs):
    return "\n".join(violations(*args, **kwargs))


def legal_text(**changes):
    """A deck file that is legal, but for the changes."""
    entries = {"characters": str(list(TEAM)), "mission": '"Race Against Crime"'} | changes
    cards_ = entries.pop("cards", f'"{FILL}" = 56')
    return "\n".join(f"{key} = {value}" for key, value in entries.items()) + f"\n[cards]\n{cards_}\n"


def refused(folder, text):
    """What is said of a deck file when a game is to be made with it."""
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"mine\.toml: ") as caught:
        Variant(GAME, 2, {"deck0": str(path)})
    return str(caught.value)


def test_there_are_decks_for_both_worlds():
    sets = [{character.name.rpartition(" (")[2][:2] for character in find_deck(name).team} for name in deck_names()]
    assert len(sets) >= 12
    assert sum(bool(each & {"BS", "JL"}) for each in sets) >= 6
    assert sum(bool(each & {"OP", "PS", "MC", "IQ"}) for each in sets) >= 6


@pytest.mark.parametrize("name", deck_names())
def test_decks_that_come_with_the_game_are_legal_and_have_a_plan(name):
    assert len(find_deck(name).plan) > 40
    find_deck(name, events=False)


def test_rule_15_size():
    assert "at least 56 cards, not 55" in problems(deck(**{FILL: 55}))
    assert problems(deck(**{FILL: 51}), events=False) == ""
    assert "at least 51 cards, not 50" in problems(deck(**{FILL: 50}), events=False)
    assert "4 characters, not 3" in problems(deck(TEAM[:3]))


def test_rule_15_a_mission_of_the_pool():
    assert "no Mission 'Race Against Time'" in problems(deck(mission="Race Against Time"))


def test_rule_16_one_per_deck_and_usable_cards():
    assert "One Per Deck, but there are 2" in problems(deck(**{FILL: 56, "Any-Power 6": 2}))
    assert problems(deck(**{FILL: 90})) == ""
    assert "nobody on the team could ever use it" in problems(deck(**{FILL: 56, "Strength 8": 1}))
    assert "nobody on the team could ever use it" in problems(deck(**{FILL: 56, "Joker: Double Cross": 1}))


def test_rule_16_an_inherent_ability_may_make_cards_usable():
    canary = ("Black Canary (JL)", "Superman (BS)", "Steel (BS)", "Superboy (BS)")  # Intellect 5 at most
    assert problems(deck(canary, **{"Fighting 1": 55, "Ally: Oracle": 1})) == ""  # a Hero's, of Intellect
    for team, ally in ((canary, "Ally: Kristoff Vernard"), (("Supergirl (BS)", *canary[1:]), "Ally: Oracle")):
        assert f"{ally}: nobody on the team could ever use it" in problems(deck(team, **{"Fighting 1": 55, ally: 1}))


def test_rule_17_clones():
    team = ("Wolverine (OP)", "Wolverine (IQ)", *TEAM[:2])
    assert "Wolverine is on the team already (The Clone Rule)" in problems(deck(team))


def test_rule_18_points_by_ranks():
    team = ("Superman (BS)", "Batman (BS)", "Wonder Woman (JL)", "Azrael (BS)")
    assert "16 ranks may have 76 points, not 80" in problems(deck(team))
    assert problems(deck(team), sum_rule=False) == ""
    light = ("Wolverine (OP)", "Cyclops (OP)", "Storm (OP)", "Rogue (OP)")
    assert problems(deck(light)) == ""  # 12 ranks, 57 points
    heavy = ("Spider-Man (OP)", "Iron Man (OP)", "Venom (OP)", "Rogue (OP)")
    assert "12 ranks may have 58 points, not 72" in problems(deck(heavy))


def test_rule_14_events_belong_to_their_mission():
    event = next(c.name for c in cards().values() if c.mission == "Fatal Attractions" and c.effect)
    assert "belongs to the Mission 'Fatal Attractions'" in problems(deck(**{FILL: 56, event: 1}))


def test_rule_72_the_code_rule_makes_cards_unusable():
    found = problems(deck(**{FILL: 56, "Ally: Lady Shiva": 1}))
    assert found == (
        "Ally: Lady Shiva: a Villain's card, which nobody on the team may use (The DC OverPower Code Rule)"
    )
    assert problems(deck(**{FILL: 56, "Ally: Lady Shiva": 1}), code_rule=False) == ""


def test_cards_not_implemented_are_refused():
    missing = next(c for c in cards().values() if c.function and not c.effect)
    assert f"this card (function {missing.function}) is not implemented yet" in problems(
        deck(**{FILL: 56, missing.name: 1})
    )


def test_errors_name_file_card_and_word():
    with pytest.raises(ValueError, match=r"my.toml: there is no card 'Fightin 5'; did you mean 'Fighting 5'"):
        read_deck("characters = []\nmission = 'x'\n[cards]\n'Fightin 5' = 1", "my.toml")
    with pytest.raises(ValueError, match=r"my.toml: 'mission' is missing"):
        read_deck("characters = []\n[cards]", "my.toml")
    with pytest.raises(ValueError, match=r"my.toml: the number of 'Fighting 5' must be 1 or more, not 0"):
        read_deck("characters = []\nmission = 'x'\n[cards]\n'Fighting 5' = 0", "my.toml")
    with pytest.raises(ValueError, match=r"more than one 'Wolverine': 'Wolverine \(IQ\)', 'Wolverine \(OP\)'"):
        read_deck("characters = ['Wolverine']\nmission = 'x'\n[cards]", "my.toml")
    with pytest.raises(ValueError, match=r"specials.csv: Nobody: unknown word 'smash'"):
        compile_program("smash 4 E", "specials.csv: Nobody")
    with pytest.raises(ValueError, match="'attack' does not know the word 'loudly'"):
        compile_program("attack 4 E loudly", "specials.csv: Nobody")
    with pytest.raises(ValueError, match="a deck is the name of a deck"):
        Variant(GAME, 2, {"deck0": "gotham_justise"})
    with pytest.raises(ValueError, match="there is no deck file"):
        Variant(GAME, 2, {"deck0": "nowhere.toml"})


def test_a_wrong_deck_file_is_refused_before_the_game(tmp_path):
    team = str(["Wolverine (OP)", "Wolverine (IQ)", *TEAM[:2]])
    assert "not a TOML file" in refused(tmp_path, "characters = [")
    assert "nested too deep" in refused(tmp_path, f"characters = {'[' * 5000}{']' * 5000}")
    assert "'characters' must be a list of names, not 'Batman (BS)'" in refused(
        tmp_path, legal_text(characters='"Batman (BS)"')
    )
    assert "'mission' must be a text, not 7" in refused(tmp_path, legal_text(mission="7"))
    assert "'cards' must be a table" in refused(tmp_path, "characters = []\nmission = ''\ncards = 3")
    assert "unknown 'missions'; did you mean 'mission'" in refused(tmp_path, legal_text(missions='"x"'))
    assert "no character 'Batmann'; did you mean 'Batman (BS)'" in refused(
        tmp_path, legal_text(characters='["Batmann"]')
    )
    assert "no card 'Fighting 9'" in refused(tmp_path, legal_text(cards='"Fighting 9" = 1'))
    everything = refused(tmp_path, legal_text(characters=team, cards=f'"{FILL}" = 50\n"Any-Power 6" = 2'))
    assert "The Clone Rule" in everything
    assert "One Per Deck, but there are 2" in everything
    assert "at least 56 cards, not 52" in everything
    assert refused(tmp_path, legal_text(cards='"Fighting 5" = 91')).count("\n- ") == 1
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="cannot be read"):
        Variant(GAME, 2, {"deck0": str(tmp_path / "mine.toml")})


def test_a_game_keeps_the_deck_that_it_was_made_with(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(legal_text(), "utf-8")
    before = Variant(GAME, 2, {"deck0": path})
    assert Variant(GAME, 2, before.values).digest == before.digest
    names = before.action_names(0)
    path.write_text(legal_text(cards='"Fighting 6" = 56'), "utf-8")
    after = Variant(GAME, 2, {"deck0": path})
    assert "play Fighting 6" in after.action_names(0)
    assert before.game.action_names(before, 0) == names
    find_deck.cache_clear()
    with pytest.raises(ValueError, match=r"mine\.toml: the deck file is not the one that this game was made with"):
        Variant(GAME, 2, before.values)


def test_the_page_lists_every_deck_with_its_team():
    page = (Path(__file__).parents[2] / "envs" / "overpower" / "README.md").read_text("utf-8")
    for name in deck_names():
        found = find_deck(name)
        assert f"| `{name}` | {', '.join(team_names(found))} | {found.mission} |" in page


def test_random_decks_are_legal_seeded_and_various():
    teams = set()
    for seed in range(60):
        found = random_deck(seed)
        assert violations(found) == []
        teams.add(found.team)
    assert len(teams) > 55
    assert random_deck(7) == random_deck(7)
    assert violations(random_deck(3, code_rule=False, events=False), code_rule=False, events=False) == []


def test_a_random_deck_keeps_its_seed():
    variant = Variant(GAME, 2, {"deck0": "random"})
    assert variant.values["deck0"].startswith("random:")
    assert Variant(GAME, 2, variant.values).digest == variant.digest


def test_every_card_says_where_it_comes_from():
    assert all(card.provenance for card in [*cards().values(), *characters().values()])


def test_everything_that_is_not_known_is_named_at_once(tmp_path):
    text = legal_text(characters='["Batman (BS)", "Robbin (BS)", "Nobody", "Azrael (BS)"]',
                      cards=f'"{FILL}" = 50\n"Energie 5" = 3\n"Fighting 6" = 0\n"Bat Gun" = 1')  # fmt: skip
    lines = refused(tmp_path, text).splitlines()
    assert len(lines) == 5
    for line, name in zip(lines, ("Energie 5", "Fighting 6", "Bat Gun", "Robbin (BS)", "Nobody"), strict=True):
        assert "mine.toml: " in line
        assert repr(name) in line


def test_ruling_69_specials_of_characters_who_are_not_on_the_team_are_refused_even_if_a_card_would_lend_them():
    counts = {FILL: 54, "Hobgoblin: Goblin Cache": 1, "Green Goblin: Explosive Pumpkins": 1}
    team = ("Hobgoblin (OP)", *TEAM[:2], "Green Goblin (IQ)")
    assert problems(deck(team, **counts), code_rule=False, sum_rule=False) == ""
    found = problems(deck((*team[:3], "Azrael (BS)"), **counts), code_rule=False, sum_rule=False)
    assert found.startswith("Green Goblin: Explosive Pumpkins: nobody on the team could ever use it")

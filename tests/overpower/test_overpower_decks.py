"""Decks: the files that come with the game, what the validator refuses, random decks, options."""

import pickle
import re
from pathlib import Path

import pytest

from overworlds.envs import Replay, overpower_v0
from overworlds.envs.core.game import Variant
from overworlds.envs.overpower import GAME
from overworlds.envs.overpower.cards import cards, characters, find_card, find_character
from overworlds.envs.overpower.decks import Deck, deck_names, find_deck, random_deck, violations
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


def refused(folder, text, **rules):
    """What is said of a deck file when a game is to be made with it."""
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"mine\.toml: ") as caught:
        Variant(GAME, 2, {"deck0": str(path)} | rules)
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


@pytest.mark.parametrize("name", deck_names())
def test_a_plan_speaks_of_characters_and_cards_of_its_deck(name):
    found = find_deck(name)
    own = {character.character for character in found.team} | {card.name.partition(": ")[2] for card in found.kinds}
    others = {character.character for character in characters().values()}
    others |= {card.name.partition(": ")[2] for card in cards().values() if card.owner}
    named = {each for each in others if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", found.plan)}
    assert named, "a plan names somebody or something"
    assert not [each for each in named - own if not any(each in longer for longer in named & own)]


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
    without_character = [c for c in cards().values() if c.owner in ("Holocaust", "Onslaught", "Post")]
    assert len(without_character) == 3
    for card in (missing, *without_character):
        found = problems(deck(**{FILL: 56, card.name: 1}))
        assert f"{card.name}: this card (function {card.function}) is not implemented yet" in found


def test_errors_name_file_card_and_word():
    with pytest.raises(ValueError, match=r"my.toml: there is no card 'Fightin 5'; did you mean 'Fighting 5'"):
        find_card("Fightin 5", "my.toml")
    with pytest.raises(ValueError, match=r"more than one 'Wolverine': 'Wolverine \(IQ\)', 'Wolverine \(OP\)'"):
        find_character("Wolverine", "my.toml")
    with pytest.raises(ValueError, match=r"specials.csv: Nobody: unknown word 'smash'"):
        compile_program("smash 4 E", "specials.csv: Nobody")
    with pytest.raises(ValueError, match="'attack' does not know the word 'loudly'"):
        compile_program("attack 4 E loudly", "specials.csv: Nobody")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("gotham_justise", "there is no deck 'gotham_justise': .*; did you mean 'gotham_justice'"),
        ("nowhere.toml", "there is no deck file 'nowhere.toml'"),
        ("random:x", r"the seed of a random deck is a number from 0 to 2\*\*63 - 1"),
        (f"random:{2**63}", r"the seed of a random deck is a number from 0 to 2\*\*63 - 1"),
        ("random:" + "7" * 5000, r"the seed of a random deck is a number from 0 to 2\*\*63 - 1, as in 'random:7'$"),
        ("mine.toml {]}", "mine.toml: the deck is damaged"),
        (7, "must be .*'random:<seed>', not 7"),
        (None, "must be .*'random:<seed>', not None"),
    ],
)
def test_errors_about_a_deck_name_its_rule(value, words):
    for rule in ("deck0", "deck1"):
        with pytest.raises(ValueError, match=f"^rule '{rule}'(: | ){words}"):
            Variant(GAME, 2, {rule: value})


def test_a_wrong_deck_file_is_refused_before_the_game(tmp_path):
    team = str(["Wolverine (OP)", "Wolverine (IQ)", *TEAM[:2]])
    assert "not a TOML file" in refused(tmp_path, "characters = [")
    assert "nested too deep" in refused(tmp_path, f"characters = {'[' * 5000}{']' * 5000}")
    assert "'characters' must be a list of names, not 'Batman (BS)'" in refused(
        tmp_path, legal_text(characters='"Batman (BS)"')
    )
    assert r"'name' must be a text in one line, not 'two\nlines'" in refused(tmp_path, legal_text(name=r'"two\nlines"'))
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
    too_many = refused(tmp_path, legal_text(cards='"Fighting 5" = 91'))
    assert too_many == "rule 'deck0': mine.toml: this implementation holds at most 90 cards a deck, not 91"
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
    path.unlink()
    find_deck.cache_clear()
    assert Variant(GAME, 2, before.values).digest == before.digest


def test_a_game_with_a_deck_file_goes_on_without_it(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("plan = 'wait'\n" + legal_text(name="'Mine'"), "utf-8")
    env = overpower_v0.env(deck0=path, render_mode="ansi")
    env.reset(seed=1)
    for _ in range(10):
        env.step(env.legal_actions()[0])
    kept, table = pickle.dumps(env), env.render()
    env.replay().save(tmp_path / "game.json")
    cards_ = (
        "\n".join(reversed(legal_text(name="'Mine'").splitlines()[:3])) + f"\n\n# other bytes\n[cards]\n'{FILL}' = 56"
    )
    path.write_text(cards_, "utf-8")
    assert Variant(GAME, 2, {"deck0": path}).values == env.variant.values
    path.unlink()
    find_deck.cache_clear()
    assert pickle.loads(kept).render() == table
    assert "Mine" in table
    assert Replay.load(tmp_path / "game.json").rules == env.variant.values


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


def test_a_seed_draws_the_random_decks_and_not_twice_the_same():
    once, again, other = (Variant(GAME, 2, dict.fromkeys(("deck0", "deck1"), "random"), seed) for seed in (5, 5, 6))
    assert once.values == again.values
    assert len({deck for variant in (once, other) for deck in variant.values.values() if "random:" in str(deck)}) == 4
    assert Variant(GAME, 2, {"deck0": "random"}).values != Variant(GAME, 2, {"deck0": "random"}).values


def test_every_card_says_where_it_comes_from():
    assert all(card.provenance for card in [*cards().values(), *characters().values()])


def test_everything_that_is_not_known_is_named_at_once(tmp_path):
    text = legal_text(characters='["Batman (BS)", "Robbin (BS)", "Nobody", "Azrael (BS)"]',
                      cards=f'"{FILL}" = 50\n"Energie 5" = 3\n"Fighting 6" = 0\n"Bat Gun" = 1')  # fmt: skip
    lines = refused(tmp_path, text).splitlines()
    assert all(line.startswith("rule 'deck0': mine.toml: ") for line in lines)
    unknown = ("Robbin (BS)", "Nobody", "Bat Gun", "Energie 5", "Fighting 6")
    for line, words in zip(lines, (*map(repr, unknown), "at least 56 cards, not 54"), strict=True):
        assert words in line


def test_everything_that_is_wrong_is_said_of_both_decks_at_once(tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("misson = 'Might Over Mind'\n", "utf-8")
    team = str(["Wolverine (OP)", "Wolverine (IQ)", "Nightwing (BS)"])
    cards_ = f'"{FILL}" = 40\n"Fightin 5" = 3\n"Any-Power 6" = 2\n"Joker: Double Cross" = 1'
    said = refused(tmp_path, legal_text(characters=team, mission='"Dark"', cards=cards_), deck1=other).splitlines()
    expected = [
        ("deck0", "mine.toml: there is no card 'Fightin 5'; did you mean 'Fighting 5'"),
        ("deck0", "mine.toml: a team has 4 characters, not 3 (Building Your Deck)"),
        ("deck0", "mine.toml: Wolverine (IQ): Wolverine is on the team already (The Clone Rule)"),
        ("deck0", "mine.toml: there is no Mission 'Dark'"),
        ("deck0", "mine.toml: Any-Power 6: One Per Deck, but there are 2 (Building Your Deck)"),
        ("deck0", "mine.toml: Joker: Double Cross: nobody on the team could ever use it (Building Your Deck)"),
        ("deck0", "mine.toml: a deck has at least 56 cards, not 46 (Building Your Deck)"),
        ("deck1", "other.toml: unknown 'misson'; did you mean 'mission'?"),
        ("deck1", "other.toml: 'characters' is missing"),
        ("deck1", "other.toml: 'mission' is missing"),
        ("deck1", "other.toml: 'cards' is missing"),
    ]
    for line, (rule, words) in zip(said, expected, strict=True):
        assert line.startswith(f"rule '{rule}': {words}")
    assert len(refused(tmp_path, legal_text(misson="'x'"), deck1="nowhere.toml").splitlines()) == 2


def test_what_is_unknown_counts_as_if_it_were_right(tmp_path):
    alone = refused(tmp_path, legal_text(cards='"Fightin 5" = 56'))
    assert alone.count("\n") == 0
    alone = refused(tmp_path, legal_text(characters='["Batmann", "Joker (BS)", "Bane (BS)", "Robin (BS)"]'))
    assert alone.count("\n") == 0


def test_a_number_of_cards_is_a_whole_number(tmp_path):
    for number, shown in (("2.0", "2.0"), ("true", "True"), ('"2"', "'2'"), ("-1", "-1")):
        said = refused(tmp_path, legal_text(cards=f'"{FILL}" = 56\n"Fighting 4" = {number}'))
        assert said.endswith(f"the number of 'Fighting 4' must be a whole number, 1 or more, not {shown}")
    said = refused(
        tmp_path, legal_text(cards="[cards.power]\n" + "\n".join(f'"Fighting {n}" = 8' for n in range(1, 8)))
    )
    assert said.endswith("mine.toml: 'power' is a table: cards stand in [cards] itself, each with its number")
    said = refused(tmp_path, legal_text(plan=str(list(range(1000)))))
    assert len(said) < 120


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(legal_text(), "utf-8-sig")
    assert Variant(GAME, 2, {"deck0": path}).values["deck0"].startswith("mine.toml {")


def test_names_may_be_written_in_other_ways():
    for name, written in (
        ("Training: EF +4", "Training: FE +4"),
        ("Teamwork: 6F then EI +1 +2", "Teamwork: 6F then IE +1 +2"),
        ("MultiPower EFS 3", "MultiPower SEF 3"),
        ("Flying Kick: 7 Fighting +2", "Flying Kick"),
    ):
        assert find_card(written, "test").name == name
    for written in ("The Flash (JL)", "The Flash", "Flash (JL)", "Flash"):
        assert find_character(written, "test").name == "The Flash (JL)"
    assert find_character("Comm. Gordon & G.C.P.D. (BS)", "test").name == "Comm. Gordon And The G.C.P.D. (BS)"


def test_ruling_69_specials_of_characters_who_are_not_on_the_team_are_refused_even_if_a_card_would_lend_them():
    counts = {FILL: 54, "Hobgoblin: Goblin Cache": 1, "Green Goblin: Explosive Pumpkins": 1}
    team = ("Hobgoblin (OP)", *TEAM[:2], "Green Goblin (IQ)")
    assert problems(deck(team, **counts), code_rule=False, sum_rule=False) == ""
    found = problems(deck((*team[:3], "Azrael (BS)"), **counts), code_rule=False, sum_rule=False)
    assert found.startswith("Green Goblin: Explosive Pumpkins: nobody on the team could ever use it")

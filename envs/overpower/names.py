"""What the action ids of OverPower mean, in words."""

from overworlds.envs.core.game import ActionGroup
from overworlds.envs.overpower import actions
from overworlds.envs.overpower.decks import Deck
from overworlds.envs.overpower.icons import TYPE_NAMES
from overworlds.envs.overpower.state import KINDS, MISSIONS, TEAM_SIZE


def action_groups() -> tuple[ActionGroup, ...]:
    """All ids in order."""
    team, each = TEAM_SIZE, TEAM_SIZE * KINDS
    return (
        ActionGroup("done", 1, "stop placing, or make no further attack"),
        ActionGroup("pass", 1, "pass the turn"),
        ActionGroup("concede", 1, "concede the battle"),
        ActionGroup("fight", 1, "do not concede before the battle"),
        ActionGroup("take", 1, "no defensive action: let the attack or the card take effect"),
        ActionGroup("alone", 1, "play the card without a second one"),
        ActionGroup(
            "number",
            MISSIONS + 1,
            "so many Missions from Defeated to Completed, or which effect, or which of several cards of one name",
        ),
        ActionGroup("type", 5, "as Energy, Fighting, Strength, Intellect, Any-Power"),
        ActionGroup("own", team, "the own character: user, defender, new target, or Reserve"),
        ActionGroup("foe", team, "the enemy character that is attacked"),
        ActionGroup("venture", (MISSIONS + 1) ** 2, "0 to 7 Missions from Reserve, 0 to 7 from Completed"),
        ActionGroup(
            "play", KINDS, "the card of this kind in hand, by its place in the deck's list", of="my_cards", across=True
        ),
        ActionGroup(
            "play placed",
            each,
            "for each own character: the card of this kind placed on it",
            of="my_cards",
            across=True,
        ),
        ActionGroup("keep", KINDS, "of duplicates in hand, keep this kind", of="my_cards", across=True),
        ActionGroup("discard", KINDS, "discard this kind from hand", of="my_cards", across=True),
        ActionGroup("fetch", KINDS, "choose this kind from an own pile", of="my_cards", across=True),
        ActionGroup("place", each, "for each own character: place this kind on it", of="my_cards", across=True),
        ActionGroup(
            "take placed",
            each,
            "for each enemy character: it loses this kind, placed on it",
            of="foe_cards",
            across=True,
        ),
        ActionGroup(
            "own hit",
            each,
            "for each own character: the hit with this kind of the enemy's cards",
            of="foe_cards",
            across=True,
        ),
        ActionGroup(
            "foe hit",
            each,
            "for each enemy character: the hit with this kind of the own cards",
            of="my_cards",
            across=True,
        ),
        ActionGroup(
            "foe card", KINDS, "this kind of the enemy's cards, in a pile or in effect", of="foe_cards", across=True
        ),
        ActionGroup(
            "discard placed",
            each,
            "for each own character: discard this kind, placed on it",
            of="my_cards",
            across=True,
        ),
    )


def card_names(deck: Deck) -> list[str]:
    """The names of a deck's kinds; places without a card have a number only."""
    names = [card.name for card in deck.kinds]
    return names + [f"no card {kind}" for kind in range(len(names), KINDS)]


def team_names(deck: Deck) -> list[str]:
    """The names of a team, without their sets."""
    return [character.name.rpartition(" (")[0] for character in deck.team]


def action_names(decks: tuple[Deck, Deck], seat: int) -> tuple[str, ...]:
    """The names of all ids when this seat chooses them."""
    own_cards, foe_cards = card_names(decks[seat]), card_names(decks[1 - seat])
    own_team, foe_team = team_names(decks[seat]), team_names(decks[1 - seat])
    names = ["done", "pass", "concede", "fight", "take it", "alone"]
    names += [f"choose {number}" for number in range(MISSIONS + 1)]
    names += [f"as {name}" for name in TYPE_NAMES]
    names += [f"by {name}" for name in own_team]
    names += [f"at {name}" for name in foe_team]
    for reserve in range(MISSIONS + 1):
        names += [f"venture {reserve} from Reserve, {completed} from Completed" for completed in range(MISSIONS + 1)]
    names += [f"play {card}" for card in own_cards]
    names += [f"play {card}, placed on {owner}" for owner in own_team for card in own_cards]
    names += [f"keep {card}" for card in own_cards]
    names += [f"discard {card}" for card in own_cards]
    names += [f"fetch {card}" for card in own_cards]
    names += [f"place {card} on {owner}" for owner in own_team for card in own_cards]
    names += [f"remove {card}, placed on {owner}" for owner in foe_team for card in foe_cards]
    names += [f"{card}, a hit on my {owner}" for owner in own_team for card in foe_cards]
    names += [f"{card}, a hit on his {owner}" for owner in foe_team for card in own_cards]
    names += [f"his {card}" for card in foe_cards]
    names += [f"discard {card}, placed on {owner}" for owner in own_team for card in own_cards]
    assert len(names) == actions.COUNT
    return tuple(names)

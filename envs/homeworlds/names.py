"""What the action ids of Homeworlds mean, in words."""

from overworlds.envs.core.game import ActionGroup, Variant
from overworlds.envs.core.kernel import MAX_PLAYERS
from overworlds.envs.homeworlds import actions
from overworlds.envs.homeworlds.actions import slot_of
from overworlds.envs.homeworlds.pieces import COLOUR_NAMES, KINDS, PIECE_NAMES

OTHERS = MAX_PLAYERS - 1


def action_groups(slots: int) -> tuple[ActionGroup, ...]:
    """All ids in order; the last group repeats for every system."""
    return (
        ActionGroup("pass", 1, "take no action this turn"),
        ActionGroup("stop", 1, "use no more actions of the sacrifice"),
        ActionGroup("end turn", 1, "trigger no more catastrophes"),
        ActionGroup("star", KINDS, "set up: a marker of the homeworld (b1 b2 b3 g1 … y3)"),
        ActionGroup("ship", KINDS, "set up: the first ship"),
        ActionGroup("discover", KINDS, "the moving ship goes to a new system with this marker"),
        ActionGroup("for colour", 4, "the traded ship takes this colour (blue, green, red, yellow)"),
        ActionGroup("owned by", OTHERS, "attack the ship of the player 1, 2, … seats to the left"),
        ActionGroup("say nothing", 1, "table talk: no statement"),
        ActionGroup("claim", 2, "table talk: I am good, I am evil"),
        ActionGroup("accuse", OTHERS, "table talk: the player 1, 2, … seats to the left is evil"),
        ActionGroup("vouch", OTHERS, "table talk: that player is good"),
        ActionGroup(
            "in a system",
            actions.PER_SYSTEM * slots,
            "for each system: construct (4 colours), trade (12 kinds), move (12), attack (12), sacrifice (12), "
            "catastrophe (4 colours), go there (1)",
            of="systems",
        ),
    )


def system_name(slot: int, players: int) -> str:
    """``H<seat>`` where that seat set up home, else ``S<slot>``."""
    return f"H{slot}" if slot < players else f"S{slot}"


def action_names(variant: Variant, seat: int) -> tuple[str, ...]:
    """The names of all ids when this seat chooses them."""
    players = variant.players
    others = [f"player_{(seat + left) % players}" for left in range(1, players)]
    others += [f"nobody ({left} seats to the left)" for left in range(players, MAX_PLAYERS)]
    names = ["pass", "stop", "end turn"]
    names += [f"star {piece}" for piece in PIECE_NAMES]
    names += [f"ship {piece}" for piece in PIECE_NAMES]
    names += [f"discover {piece}" for piece in PIECE_NAMES]
    names += [f"for {colour}" for colour in COLOUR_NAMES]
    names += [f"the one of {other}" for other in others]
    names += ["say nothing", "say: I am good", "say: I am evil"]
    names += [f"say: {other} is evil" for other in others]
    names += [f"say: {other} is good" for other in others]
    for system in range((variant.num_actions - actions.SYSTEM) // actions.PER_SYSTEM):
        place = system_name(slot_of(system, seat, players), players)
        names += [f"construct {colour} at {place}" for colour in COLOUR_NAMES]
        names += [f"trade {piece} at {place}" for piece in PIECE_NAMES]
        names += [f"move {piece} from {place}" for piece in PIECE_NAMES]
        names += [f"attack {piece} at {place}" for piece in PIECE_NAMES]
        names += [f"sacrifice {piece} at {place}" for piece in PIECE_NAMES]
        names += [f"catastrophe {colour} at {place}" for colour in COLOUR_NAMES]
        names.append(f"go to {place}")
    return tuple(names)

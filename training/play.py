"""``overworlds play``: a game in the terminal, against any player."""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from overworlds.envs.core.game import did_you_mean
from overworlds.training.options import (
    AGENT_HELP,
    GameArgument,
    PlayersOption,
    RuleOption,
    checked_target,
    chosen_variant,
)
from overworlds.training.telling import Account, state_of

if TYPE_CHECKING:
    from overworlds.agents.player import Agent, SearchAgent
    from overworlds.envs.core.game import Variant

HINTS = 5
"""How many choices a hint shows."""
HINT_PLAYER = "search:ms=1000"
COMMANDS = {
    "help": "this list",
    "moves": "show all moves again",
    "table": "show the table again",
    "hint": "let search think about this decision, and show what it thinks",
    "undo": "take back your last decision, and all that came after it",
    "save": "save the game now",
    "quit": "save the game and stop",
}

CARD = "card"
"""The command about a card, in games that have a glossary."""


class Quit(Exception):
    """The person at the terminal wants to stop."""


class Game:
    """A game between a person and other players."""

    def __init__(
        self,
        variant: "Variant",
        seat: int,
        opponents: "Sequence[Agent]",
        adviser: "SearchAgent",
        seed: int,
        replay_file: Path,
        console: Console,
        read: Callable[[], str],
    ) -> None:
        """Deal a game.

        Args:
            variant: the game with its players and rules.
            seat: the person's.
            opponents: who plays the other seats, beginning to the person's left.
            adviser: who gives hints.
            seed: names the game.
            replay_file: where the game is saved.
            console: where to show it.
            read: gives the next line that the person types, or raises EOFError.
        """
        from overworlds.envs.core.aec import GameEnv

        self.env = GameEnv(variant, "ansi", "raise", seat)
        self.variant = variant
        self.seat = variant.seat(seat)
        self.seed = seed
        self.opponents = {(self.seat + left) % variant.players: each for left, each in enumerate(opponents, start=1)}
        self.adviser = adviser
        self.replay_file = replay_file
        self.console = console
        self.read = read
        self.env.reset(seed)
        self.account = Account(variant, self.seat)
        self.actions: list[tuple[int, int]] = []
        """Seat and action of every decision so far."""

    # ------------------------------------------------------------ the course of the game

    def run(self) -> None:
        """Play to the end, or until the person stops; either way the game is saved."""
        try:
            while self.env.returns() is None:
                if self.to_move == self.seat:
                    self.decide()
                else:
                    self.let_play(self.opponents[self.to_move])
        except (Quit, EOFError):
            self.console.print("stopped.")
        else:
            self.show_table()
            self.show_result()
        finally:
            self.save()

    @property
    def to_move(self) -> int:
        """The seat that decides."""
        return self.variant.seat(self.env.agent_selection)

    def step(self, action: int) -> None:
        """Make a decision, and let whoever it eliminated step out."""
        self.actions.append((self.to_move, action))
        self.env.step(action)
        while self.env.returns() is None and self.env.terminations[self.env.agent_selection]:
            self.env.step(None)

    def let_play(self, opponent: "Agent") -> None:
        """Another player's decision."""
        mover = self.env.agent_selection
        with self.console.status(f"{mover} ({escape(opponent.name)}) thinks …"):
            action = opponent.act(self.env)
        assert action is not None
        before = state_of(self.env)
        self.step(action)
        for told in self.account.of(before, action, state_of(self.env)):
            self.console.print(f"{mover} ({opponent.name}): {told}", style="cyan", markup=False)

    def take_back(self) -> bool:
        """Go back to the person's last decision; whether there was one."""
        mine = [number for number, (seat, _) in enumerate(self.actions) if seat == self.seat]
        if not mine:
            return False
        kept = self.actions[: mine[-1]]
        self.actions = []
        self.env.reset(self.seed)
        for _, action in kept:
            self.step(action)
        return True

    def save(self) -> None:
        """Write the replay."""
        self.env.replay().save(self.replay_file)
        self.console.print(f"saved to {self.replay_file}: overworlds watch --replay shows it", markup=False)

    # ------------------------------------------------------------ talking with the person

    def decide(self) -> None:
        """The person's decision: read lines until one of them is a move."""
        legal = [int(action) for action in self.env.legal_actions()]
        names = {number: self.env.action_name(action) for number, action in enumerate(legal, start=1)}
        self.show_table()
        self.show_moves(names)
        count = len(self.actions)
        while len(self.actions) == count:
            self.console.print("move> ", end="")
            line = self.read().strip()
            word, _, name = line.partition(" ")
            if word.lower() == CARD and self.glossary:
                self.show_card(name.strip())
                continue
            if line.lower() in COMMANDS and line.lower() not in names.values():
                if self.obey(line.lower(), names):
                    return
                continue
            found = matching(line, names)
            if len(found) == 1:
                number = next(iter(found))
                self.console.print(f"you: {names[number]}", style="bold", markup=False)
                self.step(legal[number - 1])
            elif found:
                self.show_moves(found)
            else:
                self.console.print(f"no move is or contains {line!r}; 'help' lists what else you can say", markup=False)

    def obey(self, command: str, names: dict[int, str]) -> bool:
        """Do what a command says; whether another decision is due now."""
        if command == "quit":
            raise Quit
        if command == "undo":
            if self.take_back():
                return True
            self.console.print("there is nothing of yours to take back")
        elif command == "hint":
            self.show_hint()
        elif command == "save":
            self.save()
        elif command == "table":
            self.show_table()
        elif command == "moves":
            self.show_moves(names)
        else:
            self.show_help()
        return False

    def show_table(self) -> None:
        """The table as the person sees it."""
        self.console.print(Text.from_ansi(str(self.env.render())), soft_wrap=True)

    def show_moves(self, names: dict[int, str]) -> None:
        """Moves with their numbers."""
        cells = [f"[bold]{number:>3}[/bold] {escape(name)}" for number, name in names.items()]
        self.console.print(Columns(cells, column_first=True, padding=(0, 3)))

    def show_help(self) -> None:
        """What can be typed."""
        table = Table.grid(padding=(0, 2))
        table.add_row("a number", "the move with this number")
        table.add_row("a name, or parts of it", "the move that contains them; if there are several, they are listed")
        for command, meaning in COMMANDS.items():
            table.add_row(command, meaning)
        if self.glossary:
            table.add_row(f"{CARD} NAME", "what this card does, or this character: the name or how it begins")
        self.console.print(table)

    @functools.cached_property
    def glossary(self) -> Mapping[str, str]:
        """What the cards of the game do, by name; empty for games without cards."""
        words = self.variant.game.glossary
        return {} if words is None else words(self.variant)

    def show_card(self, name: str) -> None:
        """What a card does, or which cards the name could mean."""
        found = cards_called(name, self.glossary)
        if len(found) == 1:
            self.console.print(f"{found[0]}: {self.glossary[found[0]]}", markup=False, highlight=False, soft_wrap=True)
        elif found:
            self.console.print(Columns([escape(each) for each in found], column_first=True, padding=(0, 3)))
        else:
            hint = did_you_mean(name, self.glossary)
            self.console.print(f"no card begins with or contains {name!r}{hint}", markup=False)

    def show_hint(self) -> None:
        """What search thinks of the choices."""
        self.adviser.reset(self.seed)  # whoever asks again hears the same
        with self.console.status("thinking …"):
            thought = self.adviser.think(self.env)
        table = Table("move", "simulations", "expected result", title=f"{thought.sims:,} simulations")
        for action, visits, value in list(zip(thought.actions, thought.visits, thought.values, strict=True))[:HINTS]:
            table.add_row(escape(self.env.action_name(int(action))), f"{visits / thought.sims:.0%}", f"{value:+.2f}")
        self.console.print(table)

    def show_result(self) -> None:
        """Who got what."""
        results = self.env.returns() or {}
        mine = results[self.variant.agents[self.seat]]
        self.console.print("you win" if mine > 0 else "you lose" if mine < 0 else "a draw", style="bold")
        for agent, result in results.items():
            self.console.print(f"  {agent}: {result:+g}")


def matching(line: str, names: dict[int, str]) -> dict[int, str]:
    """The moves that a line means: the one with its number or name, else all that contain its words."""
    if re.fullmatch(r"\d+", line):
        return {number: name for number, name in names.items() if number == int(line)}
    exact = {number: name for number, name in names.items() if name.lower() == line.lower()}
    if exact:
        return exact
    words = line.lower().split()
    return {number: name for number, name in names.items() if words and all(word in name.lower() for word in words)}


def cards_called(name: str, cards: Iterable[str]) -> list[str]:
    """The cards that a name means: the one that is called so, else all that begin so, else all with its words.

    The name of a card may be given with or without what comes before a colon and what is added in brackets.
    """
    wanted = name.lower()

    def names(card: str) -> tuple[str, ...]:
        low = card.lower()
        return low, low.partition(": ")[2], low.rpartition(" (")[0]

    cards = list(cards)
    for fits in (
        lambda card: wanted in names(card),
        lambda card: any(each.startswith(wanted) for each in names(card)),
        lambda card: all(word in card.lower() for word in wanted.split()),
    ):
        found = [card for card in cards if fits(card)]
        if found:
            return found
    return []


# ---------------------------------------------------------------- the command


def adviser_for(spec: str, variant: "Variant", seed: int) -> "SearchAgent":
    """Who gives hints: a search."""
    from overworlds.agents.player import SearchAgent
    from overworlds.agents.specs import make_agent

    adviser = make_agent(spec, variant, seed)
    if not isinstance(adviser, SearchAgent):
        raise ValueError(f"hints come from a search, such as --hint {HINT_PLAYER}, not from {spec!r}")
    return adviser


def play(
    game: GameArgument,
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help=f"Who plays the other seats: {AGENT_HELP}. Once for all of them (by default search), or repeated: "
            "one for each, beginning to your left.",
        ),
    ] = None,
    players: PlayersOption = None,
    rule: RuleOption = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Deal this game; by default a new one.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the replay is saved; by default GAME-SEED.json here.")
    ] = None,
    hint: Annotated[str, typer.Option(metavar="AGENT", help="The search that gives hints.")] = HINT_PLAYER,
) -> None:
    """Play a game in the terminal.

    Type a move's number, or words of its name; `help` lists what else you can say: `hint`, `undo`, `quit` and more,
    in a game of cards also `card NAME`, for what a card does.
    Lines can also be piped in. The game is saved as a replay when it ends or you stop.

    `overworlds play homeworlds_v0 --players 2 --seat 0 --against search:ms=500`
    """
    from overworlds.agents.specs import make_agent
    from overworlds.envs.core.game import fresh_seed
    from overworlds.envs.core.rng import mix

    dealt = fresh_seed() if seed is None else seed
    variant = chosen_variant(game, players, rule, dealt)
    variant.seat(seat)
    specs = against or ["search"]
    if len(specs) == 1:
        specs = specs * (variant.players - 1)
    if len(specs) != variant.players - 1:
        raise ValueError(f"{variant.players} players need {variant.players - 1} opponents, not {len(specs)}")
    target = checked_target(save or Path(f"{variant.game.id}-{dealt}.json"))
    opponents = [make_agent(spec, variant, int(mix(dealt, left))) for left, spec in enumerate(specs)]
    adviser = adviser_for(hint, variant, dealt)
    console = Console()
    console.print(
        f"{variant.game.title}, seed {dealt}: you are player_{seat}, against {', '.join(specs)}", markup=False
    )
    Game(variant, seat, opponents, adviser, dealt, target, console, input).run()

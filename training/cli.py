"""The command line: ``overworlds --help``.

Commands import what they need when they run, so that ``--help`` and ``list`` stay quick.
"""

import importlib
import importlib.metadata
import os
import sys
import time
import traceback
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from overworlds.training.options import (
    GameArgument,
    JsonOption,
    PlayersOption,
    RuleOption,
    chosen_variant,
    write_json,
)

if TYPE_CHECKING:
    from overworlds.envs.core.game import Variant
    from overworlds.training.demo import Turn

INTERRUPTED = 130
WRONG = 2
SHOW_SECONDS = 12.0
"""How long a live demo game takes at most on the screen."""
SLOWEST_FRAME = 0.4

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="overworlds",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings=HELP_OPTIONS,
)


def out() -> Console:
    """Where results go."""
    return Console()


def version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        typer.echo(f"overworlds {importlib.metadata.version('overworlds')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def overworlds(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version and stop.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error. OVERWORLDS_DEBUG=1 does the same.")
    ] = False,
) -> None:
    """Tabletop games as fast multi-agent environments.

    Start with `overworlds list`, then `overworlds show homeworlds_v0`.
    """
    if debug:
        os.environ["OVERWORLDS_DEBUG"] = "1"
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


# ---------------------------------------------------------------- what there is


@app.command("list")
def list_games() -> None:
    """List the games of the collection."""
    from overworlds.envs.core.game import Variant
    from overworlds.envs.core.registry import GAMES, find_game
    from overworlds.training.documentation import seats

    table = Table("game", "players", "kind of problem", "actions", "observation")
    table.columns[0].no_wrap = True
    for game in map(find_game, GAMES):
        variant = Variant(game)
        players = seats(game.players.start, game.players.stop - 1, "-")
        sizes = f"{variant.num_actions:,}", f"{variant.observation_size:,}"
        table.add_row(game.id, players, game.summary, *sizes)
    out().print(table)


@app.command()
def show(
    game: GameArgument,
    players: PlayersOption = None,
    rule: RuleOption = None,
    json_file: JsonOption = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the section of the game's page that is made from them.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Instead: which cards the rules know, and which they do not yet.")
    ] = False,
) -> None:
    """Show a game: its facts, rules, action ids, observation, reset options and compiled players.

    Layouts depend on the number of players and on the rules:
    `overworlds show homeworlds_v0 --players 2 --rule talk=true`.

    For a program to read: `overworlds show homeworlds_v0 --json -`.
    """
    from overworlds.training import documentation

    variant = chosen_variant(game, players, rule)
    if coverage:
        _show_coverage(variant, json_file)
    elif markdown:
        typer.echo(documentation.page(variant))
    elif json_file is not None:
        write_json(json_file, documentation.facts(variant))
    else:
        _print_facts(documentation.facts(variant))


def _show_coverage(variant: "Variant", json_file: str | None) -> None:
    """How many cards of each sort are implemented."""
    if variant.game.coverage is None:
        raise ValueError(f"{variant.game.id} has no cards: --coverage is for card games")
    counted = variant.game.coverage()
    if json_file is not None:
        write_json(json_file, counted)
        return
    rows = [(name, each["implemented"], each["total"], ", ".join(each["missing"])) for name, each in counted.items()]
    _print_table("cards", ("sort", "implemented", "of", "missing"), rows)


def _print_facts(about: dict[str, Any]) -> None:
    """All facts of a game as tables."""
    from overworlds.training.documentation import players_words, span

    console, players = out(), about["players"]
    console.print(f"\n[bold]{about['title']}[/bold] ({about['id']}): {about['summary']}\n")
    _print_table(
        None,
        ("", ""),
        [
            ("players", players_words(players)),
            *((name, about[name]) for name in ("information", "chance", "utility", "rewards")),
            ("state", f"{about['state_bytes']:,} bytes"),
        ],
    )
    _print_table(
        "rules to choose",
        ("rule", "default", "allowed", "meaning"),
        [(rule["name"], repr(rule["default"]), rule["allowed"], rule["meaning"]) for rule in about["rules"]],
    )
    shown = f"with {about['shown_for']['players']} players"
    _print_table(
        f"{about['actions']['count']:,} action ids {shown}",
        ("ids", "action", "meaning"),
        [(span(group), group["name"], group["meaning"]) for group in about["actions"]["groups"]],
    )
    _print_table(
        f"observation: {about['observation']['length']:,} numbers {shown}",
        ("index", "part", "values", "meaning"),
        [
            (span(part), part["name"], f"{part['low']}…{part['high']}", part["meaning"])
            for part in about["observation"]["parts"]
        ],
    )
    _print_table("reset options", ("option", "meaning"), about["reset_options"].items())
    _print_table("compiled players", ("name", "plays"), about["policies"].items())


def _print_table(title: str | None, headings: Sequence[str], rows: Any) -> None:
    from rich.markup import escape

    table = Table(*headings, title=title, title_justify="left", title_style="bold", show_header=any(headings))
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    out().print(table)


# ---------------------------------------------------------------- compiling ahead


@app.command()
def warmup(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game; by default all.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Also remove what other versions left in the cache.")] = False,
) -> None:
    """Compile everything now, and say where the compiled code is kept.

    Without this, a game is compiled when it is first made. The cache is in your user cache folder, or in
    NUMBA_CACHE_DIR.

    After an upgrade: `overworlds warmup --clear`.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from overworlds.envs.core.kernel import cache_root
    from overworlds.envs.core.registry import GAMES, find_game
    from overworlds.training.warmup import clear_outdated, compile_modules, modules_to_compile, size_of

    modules = modules_to_compile([find_game(game).id] if game else list(GAMES))
    began = time.perf_counter()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("compiling", total=len(modules))

        def begin(module: str) -> None:
            progress.update(task, description=module.removeprefix("overworlds.envs."))
            progress.advance(task, 0 if module == modules[0] else 1)

        compile_modules(modules, begin)
        progress.update(task, completed=len(modules), description="compiled")
    typer.echo(f"ready after {time.perf_counter() - began:.1f} s")
    root = cache_root()
    if root is None:
        typer.echo("no folder for compiled code can be written: set NUMBA_CACHE_DIR, or every process compiles anew")
        return
    if clear:
        typer.echo(f"removed {clear_outdated(root) / 1e6:.1f} MB of other versions")
    typer.echo(f"compiled code: {root} ({size_of(root) / 1e6:.1f} MB)")


# ---------------------------------------------------------------- counting boards


@app.command()
def perft(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] [POSITION]",
            help="The game (by default homeworlds_v0) and a position in quotes (by default the empty table).",
            show_default=False,
        ),
    ] = None,
    players: PlayersOption = None,
    depth: Annotated[int, typer.Option(min=1, help="How many turns to look ahead.")] = 3,
    to_move: Annotated[int, typer.Option(help="The seat whose turn it is.")] = 0,
    abandoned_home: Annotated[
        str | None, typer.Option(metavar="stays|vanishes", help="Short for --rule abandoned_home=…")
    ] = None,
    rule: RuleOption = None,
) -> None:
    """Count the distinct boards after 1, 2, … turns.

    A board is the position's text and the player to move; equal boards reached in different ways count once. A whole
    turn is one step of depth, catastrophes at its end included. Alignments do not matter: dead players are skipped,
    and play goes on until one player is left; that board counts at its depth and has no turns after it. There is no
    turn limit.

    `overworlds perft "H0:b3+r1|0g3 H1:b2+y1|1g3" --players 2 --depth 5` counts 5, 25, 80, 411 and 2,213 boards.
    """
    from rich.progress import Progress

    from overworlds.benchmarks import perft as counting
    from overworlds.envs.core.registry import GAMES, find_game

    words = list(words or ())
    game = words.pop(0) if words and (words[0] in GAMES or ":" not in words[0]) else "homeworlds_v0"
    if find_game(game).position is None:
        raise ValueError(f"{game} has no text for its positions, so that boards cannot be counted")
    chosen = [*(rule or ()), *([f"abandoned_home={abandoned_home}"] if abandoned_home else ())]
    if any(text.startswith("turn_limit=") for text in chosen):
        raise ValueError("boards are counted without a turn limit: leave out the rule 'turn_limit'")
    variant = chosen_variant(game, players, [*chosen, "turn_limit=0"])
    start = counting.starting_state(variant, " ".join(words) or None, to_move)
    table = Table("turns", "boards", "seconds")
    for column in table.columns:
        column.justify = "right"
    began = time.perf_counter()
    try:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("", total=None)

            def report(turns: int, done: int, boards: int) -> None:
                progress.update(task, description=f"turn {turns} of {depth}", completed=done, total=boards)

            for turns, boards in enumerate(counting.perft(variant, start, depth, report), start=1):
                table.add_row(str(turns), f"{boards:,}", f"{time.perf_counter() - began:.1f}")
    finally:  # after Ctrl-C, what was counted so far
        out().print(table)


# ---------------------------------------------------------------- commands that live elsewhere


def add_from_elsewhere(name: str, function: str, about: str) -> None:
    """Add a command whose function, ``module:name``, is imported only when it runs, because that takes a while."""
    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}

    @app.command(name, help=about, add_help_option=False, context_settings=anything)
    def run(context: typer.Context) -> None:
        module, _, attribute = function.partition(":")
        inner = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
        inner.command(context_settings=HELP_OPTIONS)(getattr(importlib.import_module(module), attribute))
        code = inner(args=context.args, prog_name=f"overworlds {name}", standalone_mode=False)
        if code:
            raise typer.Exit(code)


add_from_elsewhere("bench", "overworlds.benchmarks.bench:bench", "Measure steps per second, beside other libraries.")
add_from_elsewhere("train", "overworlds.training.train:train", "Train a player by self-play.")
add_from_elsewhere("evaluate", "overworlds.training.evaluate:evaluate", "Let one player meet another, many times.")
add_from_elsewhere("arena", "overworlds.training.arena:arena", "Rate several players against each other.")
add_from_elsewhere("play", "overworlds.training.play:play", "Play a game yourself, in the terminal.")
add_from_elsewhere("watch", "overworlds.training.watch:watch", "Watch a game of others, or a recorded one.")


# ---------------------------------------------------------------- a first look


@app.command()
def demo(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="The game that is shown.")] = "homeworlds_v0",
    players: PlayersOption = None,
    rule: RuleOption = None,
    seed: Annotated[int, typer.Option(help="Another seed shows another game.")] = 0,
    turns: Annotated[int | None, typer.Option(min=1, help="Stop the game after so many turns.")] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the last table as a picture, such as game.png.")
    ] = None,
    viewer: Annotated[
        int | None,
        typer.Option(
            min=0, help="Look through the eyes of this seat; by default, of an onlooker, who hears all decisions."
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, help="How long each speed is measured; 0 measures none.")] = 1.0,
) -> None:
    """Play and show a game, then measure how many of them a second can be played.

    In a terminal the game runs before your eyes; elsewhere a few tables of it are printed.

    Another game, with a picture of its end: `overworlds demo --players 2 --seed 7 --picture game.png`.
    """
    from overworlds.training import demo as showing

    console = out()
    if picture is not None:
        showing.check_picture(picture)
    variant = chosen_variant(game, players, rule, seed)
    console.print(f"[bold]A game of {variant.game.title}[/bold], {variant.players} scripted players, seed {seed}")
    viewer = None if viewer is None else variant.seat(viewer)
    played = list(islice(showing.play(variant, variant.game.policy("scripted"), seed, viewer), turns))
    _show_game(console, variant, played, viewer)
    if picture is not None:
        showing.save_picture(variant.game.draw(variant, played[-1].state, viewer), picture)
        console.print(f"the table as a picture: {picture}")
    if seconds > 0:
        _print_speeds(console, game, rule, seed, seconds)


def _show_game(console: Console, variant: "Variant", game: "Sequence[Turn]", viewer: int | None) -> None:
    """The game on a terminal, or a few tables of it elsewhere."""
    from rich.live import Live

    if console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            for turn in game:
                live.update(_frame(variant, turn, viewer), refresh=True)
                time.sleep(min(SLOWEST_FRAME, SHOW_SECONDS / len(game)))
        numbers = {len(game)}
    else:
        numbers = {min(variant.players, len(game)), (len(game) + 1) // 2, len(game)}
    for number in sorted(numbers):
        console.print(_frame(variant, game[number - 1], viewer), soft_wrap=True)


def _frame(variant: "Variant", turn: "Turn", viewer: int | None) -> Any:
    """The table after a turn, and what was done in it."""
    from rich.text import Text

    table = Text.from_ansi(variant.game.ansi(variant, turn.state, viewer))
    return Text("\n").join([Text(), table, Text(f"player_{turn.player}: {', '.join(turn.actions)}", style="bold")])


def _print_speeds(console: Console, game: str, rule: Sequence[str] | None, seed: int, seconds: float) -> None:
    """Whole games inside numba, by players, policy and threads."""
    from overworlds.envs.core.registry import find_game
    from overworlds.training.demo import rollouts_per_second

    cores = os.cpu_count() or 1
    table = Table("players", "who plays", "threads", "games/s", "steps/s", title="Rollouts per second, inside numba")
    for column in table.columns[2:]:
        column.justify = "right"
    with console.status("measuring …"):
        for players in sorted({find_game(game).players.start, find_game(game).default_players}):
            variant = chosen_variant(game, players, rule, seed)
            for name, threads in dict.fromkeys([("random", 1), ("random", cores), ("scripted", 1)]):
                speed = rollouts_per_second(variant, name, seconds, threads)
                table.add_row(str(players), name, str(threads), f"{speed.games:,.0f}", f"{speed.steps:,.0f}")
    console.print(table)


# ---------------------------------------------------------------- running


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command: 0 if all went well, 2 with the reason on the standard error if not, 130 after Ctrl-C."""
    try:
        code = app(args=arguments, prog_name="overworlds", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        if os.environ.get("OVERWORLDS_DEBUG", "0") not in ("", "0"):
            traceback.print_exc()
        else:
            print(f"overworlds: {_in_words(error)}", file=sys.stderr)
        return WRONG
    if code == INTERRUPTED:
        print("overworlds: interrupted", file=sys.stderr)
    return code if isinstance(code, int) else 0


def _in_words(error: Exception) -> str:
    """An error in words; one that is not about the input also says what kind it is and how to see more."""
    if hasattr(error, "format_message"):  # a wrong command, argument or option
        command = getattr(getattr(error, "ctx", None), "command_path", "overworlds")
        return f"{error.format_message()} (see {command} --help)".replace("\n", " ")
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, ValueError | TypeError | ImportError | NotImplementedError):
        return str(error)
    return f"{type(error).__name__}: {error} (--debug shows where)".replace("\n", " ")


if __name__ == "__main__":
    sys.exit(main())

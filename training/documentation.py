"""The facts of the games as data and as Markdown, and the sections of the READMEs that are made from them.

``python -m overworlds.training.documentation`` (``make docs``) writes those sections anew; a test compares.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from overworlds.envs.core.game import Game, Variant
from overworlds.envs.core.registry import GAMES, find_game
from overworlds.envs.core.replay import write_atomically

ROOT = Path(__file__).resolve().parents[1]
"""The root of the source tree, where this is a checkout."""

# ---------------------------------------------------------------- facts


def facts(variant: Variant) -> dict[str, Any]:
    """All that a game says about itself, for one number of players and one choice of rules."""
    game = variant.game
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "players": {"from": game.players.start, "to": game.players.stop - 1, "default": game.default_players},
        "information": game.information,
        "chance": game.chance,
        "utility": game.utility,
        "rewards": game.rewards,
        "shown_for": {"players": variant.players, "rules": variant.values},
        "rules": [
            {
                "name": rule.name,
                "default": rule.default_for(variant.players),
                "allowed": rule.describe_allowed(),
                "meaning": rule.meaning,
            }
            for rule in game.rules
        ],
        "actions": {
            "count": variant.num_actions,
            "groups": _with_ranges(
                (group.size, {"name": group.name, "meaning": group.meaning}) for group in variant.action_groups
            ),
        },
        "observation": {
            "length": variant.observation_size,
            "parts": _with_ranges(
                (part.size, {"name": part.name, "low": part.low, "high": part.high, "meaning": part.meaning})
                for part in variant.parts
            ),
        },
        "reset_options": dict(game.reset_options),
        "policies": {name: meaning for name, (_, meaning) in game.kernels.POLICIES.items()},
        "state_bytes": variant.state_bytes,
    }


def _with_ranges(stretches: Iterable[tuple[int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Stretches one after the other, each with its first and its last number."""
    placed, first = [], 0
    for size, about in stretches:
        placed.append({"first": first, "last": first + size - 1} | about)
        first += size
    return placed


def span(stretch: dict[str, Any]) -> str:
    """``7`` or ``3-14``."""
    first, last = stretch["first"], stretch["last"]
    return str(first) if first == last else f"{first}–{last}"


def seats(first: int, last: int, between: str) -> str:
    """``2`` or ``2-6``."""
    return str(first) if first == last else f"{first}{between}{last}"


def players_words(players: dict[str, int]) -> str:
    """``2``, or ``2 to 6, by default 4``."""
    default = f", by default {players['default']}" if players["from"] != players["to"] else ""
    return seats(players["from"], players["to"], " to ") + default


# ---------------------------------------------------------------- Markdown


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(_cell(each) for each in line) + " |" for line in lines)


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def table_of_games() -> str:
    """The README's table of all games."""
    rows = []
    for game in map(find_game, GAMES):
        variant = Variant(game)
        page = f"envs/{game.name}/README.md"
        players = seats(game.players.start, game.players.stop - 1, "–")
        size = f"{variant.num_actions:,} actions, {variant.observation_size:,} numbers"
        rows.append((f"[`{game.id}`]({page})", players, game.summary, game.information, size))
    return table(("game", "players", "kind of problem", "information", "size with default players"), rows)


def table_of_checkpoints() -> str:
    """The table of the networks that come with the package, from what their files say."""
    from overworlds.agents.network import CHECKPOINTS, load_network

    rows = []
    for path in sorted(CHECKPOINTS.glob("*.npz")):
        about = load_network(path).about
        against = {name: about["strength"].get(name) for name in ("random", "scripted")}
        strengths = (_strength(each, about["players"]) if each else "not measured" for each in against.values())
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        rows.append((f"`{path.name}`", *strengths, size, f"{about['minutes']:.0f} minutes", f"`{about['command']}`"))
    return table(("network", "against random", "against scripted", "size", "trained for", "command"), rows)


def _strength(counts: dict[str, Any], players: int) -> str:
    score = f"{counts['score']:.1%} ({counts['low']:.1%} to {counts['high']:.1%})"
    if players > 2:
        score += f", where the share is {counts['share']:.1%}"
    return f"{score}: {counts['wins']} won, {counts['draws']} drawn, {counts['losses']} lost"


def page(variant: Variant) -> str:
    """The generated section of a game's page."""
    about = facts(variant)
    game, players = variant.game, variant.players
    return "\n\n".join(
        [
            _facts_table(about),
            f"### Rules to choose\n\nGiven by name: `{game.id}.env(rules={{…}})`, or as keywords.\n\n"
            + table(
                ("rule", "default", "allowed", "meaning"),
                ((f"`{r['name']}`", f"`{r['default']!r}`", r["allowed"], r["meaning"]) for r in about["rules"]),
            ),
            f"### Actions\n\nWith {players} players and default rules there are {variant.num_actions:,} ids.\n\n"
            + table(
                ("ids", "action", "meaning"),
                ((span(g), g["name"], g["meaning"]) for g in about["actions"]["groups"]),
            ),
            f"### Observation\n\nWith {players} players and default rules, {variant.observation_size:,} small "
            "numbers (int8).\n\n"
            + table(
                ("index", "part", "values", "meaning"),
                (
                    (span(p), f"`{p['name']}`", f"{p['low']}…{p['high']}", p["meaning"])
                    for p in about["observation"]["parts"]
                ),
            ),
            "### Sizes\n\n" + _sizes_table(game),
            *_reset_options(about),
            "### Compiled players\n\nFor `playouts`, and as `opponents` of the Gymnasium view:\n\n"
            + table(("name", "plays"), ((f"`{name}`", text) for name, text in about["policies"].items())),
        ]
    )


def _reset_options(about: dict[str, Any]) -> list[str]:
    """The section about what ``reset`` takes, if it takes anything."""
    options = [(f"`{name}`", text) for name, text in about["reset_options"].items()]
    head = "### Reset options\n\n`env.reset(seed, options={…})` takes:\n\n"
    return [head + table(("option", "meaning"), options)] if options else []


def _facts_table(about: dict[str, Any]) -> str:
    players = about["players"]
    return table(
        ("", ""),
        (
            ("import", f"`from overworlds.envs import {about['id']}`"),
            ("players", players_words(players)),
            ("kind of problem", about["summary"]),
            ("information", about["information"]),
            ("chance", about["chance"]),
            ("utility", about["utility"]),
            ("rewards", about["rewards"]),
            ("state", f"{about['state_bytes']:,} bytes"),
        ),
    )


def _sizes_table(game: Game) -> str:
    variants = [Variant(game, players) for players in game.players]
    return table(
        ("players", *(str(variant.players) for variant in variants)),
        (
            ("actions", *(f"{variant.num_actions:,}" for variant in variants)),
            ("observation", *(f"{variant.observation_size:,}" for variant in variants)),
        ),
    )


# ---------------------------------------------------------------- sections of files


def sections() -> dict[Path, dict[str, str]]:
    """Every file with generated sections, and what belongs into each, by the section's name."""
    made = {
        ROOT / "README.md": {"games": table_of_games()},
        ROOT / "agents" / "README.md": {"checkpoints": table_of_checkpoints()},
    }
    for game in map(find_game, GAMES):
        made[ROOT / "envs" / game.name / "README.md"] = {"facts": page(Variant(game))}
    return made


def renewed(text: str, name: str, content: str) -> str:
    """The text with what stands between the markers of this section replaced."""
    start, end = f"<!-- generated: {name}, by make docs -->", f"<!-- end: {name} -->"
    pattern = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"expected one section between {start!r} and {end!r}")
    return pattern.sub(lambda _: f"{start}\n{content}\n{end}", text)


def renewed_files() -> dict[Path, str]:
    """What each file with generated sections should be."""
    files = {}
    for path, contents in sections().items():
        if not path.exists():
            raise ValueError(f"{path} is missing: the documentation is written in a checkout, not in an installed copy")
        text = path.read_text("utf-8")
        for name, content in contents.items():
            text = renewed(text, name, content)
        files[path] = text
    return files


def main() -> None:
    """Write all generated sections."""
    for path, text in renewed_files().items():
        changed = text != path.read_text("utf-8")
        if changed:
            write_atomically(path, text.encode())
        print(f"{path.relative_to(ROOT)}: {'written' if changed else 'up to date'}")


if __name__ == "__main__":
    main()

"""Trained networks as players: a small network in numba, without torch.

Where an observation has blocks of the same layout (`Part.blocks`: one for each system, card …) with actions about them
(`ActionGroup.of`), the network looks at all blocks of a part with the same weights, and weighs the actions that are
about a block by what it saw there:

- the *table* is what is seen beside the blocks, and those of them that are landmarks; one layer reads it;
- a layer reads every block that is not empty, and what the table's layer says;
- a second layer of the table reads the first one, and for each part the sum of what its blocks' layer says;
- a second layer of every block reads its first one, and what the table's second layer says.

Actions about a block are weighed by its second layer; other actions and the value by the table's. All layers are
rectified: max(0, x). Without blocks this is a perceptron with two hidden layers.

A network may have an *advisor*: one of the game's own players, who is asked some times what it would choose. Each time
an action is named it weighs more, by as much as the network trusts such advice in this situation, which the table's
second layer says.

A network is a file of weights with a description of where they come from. Loaded, it is one flat row of numbers, so
that a trained player is a compiled policy like any other. What is zero is skipped, only the legal actions are weighed,
and only blocks that these are about are looked at twice, which makes a decision cost microseconds.
"""

import json
import math
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numba
import numpy as np

from overworlds.envs.core.advance import header
from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import POLICY, VALUE, addresses, borrowed, jit, kernel, observe_at, policy_at
from overworlds.envs.core.replay import write_atomically
from overworlds.envs.core.rng import WORD, mix

FORMAT = 3
"""Version of the file format."""
CHECKPOINTS = Path(__file__).parent / "checkpoints"
"""The networks that come with the package."""

# The row of numbers begins with what is good for this process and this use only:
TEMPERATURE = 0  # 0: the best action; else actions are drawn from softmax(logits / temperature)
OBSERVER = 1  # where the game's observe kernel is: four 16-bit pieces, exact as floats
ADVISOR = OBSERVER + 4  # where the advisor is, in the same way; 0: there is none
LASTING = ADVISOR + 4  # from here on it is the same in every process: sizes, then for each group of blocks its own
INPUTS, ACTIONS, WIDTH, BLOCK_WIDTH, GROUPS, ASKS, FREEDOM = range(LASTING, LASTING + 7)
FIRST_GROUP = LASTING + 7
COUNT, FIRST_INPUT, BLOCK_INPUTS, BLOCK_ACTIONS, LANDMARKS = range(5)  # of a group, as in `Blocks`
GROUP = 5
# Then for every action the block that it is about, counted over all groups, or -1; and which of the actions about it,
# or of those about no block, it is. Then the arrays of `Shape.arrays`, in their order.
POOLED = 0.25
"""What the sum over the blocks of a group is multiplied by, since there are several."""

# ---------------------------------------------------------------- thinking, compiled

# A sum may be taken in any order: this is what lets the compiler use vector instructions.
quick = numba.njit(nogil=True, fastmath={"reassoc", "contract"})

if numba.config.DISABLE_JIT:
    _functions: list[Any] = [None]

    def place_of(function: Any) -> int:
        """A number, not 0, by which `observer_at` and `advisor_at` find this function."""
        if function not in _functions:
            _functions.append(function)
        return _functions.index(function)

    def observer_at(place):
        """The function with this number."""
        return _functions[place]

    advisor_at = observer_at
else:
    observer_at, advisor_at = observe_at, policy_at

    def place_of(function: Any) -> int:
        """Where this kernel is in memory."""
        return int(addresses(function)[0])


def pieces_of(place: int) -> list[int]:
    """A place in memory as four 16-bit pieces, exact as floats."""
    return [(place >> (16 * i)) & 0xFFFF for i in range(4)]


@quick
def add_row(target, row, factor):
    """Add ``factor`` times a row of weights."""
    for i in range(len(target)):
        target[i] += factor * row[i]


@quick
def weigh(layer, row):
    """The sum of products of a layer and a row of weights."""
    total = np.float32(0.0)
    for i in range(len(layer)):
        total += layer[i] * row[i]
    return total


@jit
def add_layer(params, weights, inputs, layer):
    """Add a layer's sums over its inputs, most of which are zero; where its weights end."""
    width = len(layer)
    for i in range(len(inputs)):
        if inputs[i] != 0:
            at = weights + i * width
            add_row(layer, params[at : at + width], np.float32(inputs[i]))
    return weights + len(inputs) * width


@jit
def add_biases(params, at, layer):
    """Add what does not depend on any input; where it ends."""
    add_row(layer, params[at : at + len(layer)], np.float32(1.0))
    return at + len(layer)


@jit
def rectify(layer):
    """Cut off what is negative."""
    for i in range(len(layer)):
        layer[i] = max(layer[i], np.float32(0.0))


@jit
def is_empty(block):
    """Is there nothing in this block?"""
    for i in range(len(block)):
        if block[i] != 0:
            return False
    return True


@jit
def size_of(params, group, what):
    """One of the sizes of a group of blocks."""
    return int(params[FIRST_GROUP + GROUP * group + what])


@jit
def action_map(params):
    """Where the table of actions begins."""
    return FIRST_GROUP + GROUP * int(params[GROUPS])


@jit
def look_at_table(params, seen, table):
    """The first layer of the table, over what is seen beside the blocks, and landmarks; where its weights end."""
    weights = action_map(params) + 2 * int(params[ACTIONS])
    at = 0
    for group in range(int(params[GROUPS])):
        first, size = size_of(params, group, FIRST_INPUT), size_of(params, group, BLOCK_INPUTS)
        weights = add_layer(params, weights, seen[at : first + size_of(params, group, LANDMARKS) * size], table)
        at = first + size_of(params, group, COUNT) * size
    weights = add_layer(params, weights, seen[at:], table)
    weights = add_biases(params, weights, table)
    rectify(table)
    return weights


@jit
def look_at_blocks(params, weights, group, seen, table, blocks, present, pooled):
    """The first layer of every block of a group, and its sum over all of them; where its weights end."""
    width, size = blocks.shape[1], size_of(params, group, BLOCK_INPUTS)
    first = size_of(params, group, FIRST_INPUT)
    told = np.zeros(width, np.float32)
    weights = add_layer(params, weights, table, told)
    places = weights + size * width
    for i in range(len(blocks)):
        block = seen[first + i * size : first + (i + 1) * size]
        present[i] = not is_empty(block)
        if present[i]:
            blocks[i] = told
            add_layer(params, weights, block, blocks[i])
            add_biases(params, places + i * width, blocks[i])
            rectify(blocks[i])
            for j in range(width):
                pooled[j] += np.float32(POOLED) * blocks[i, j]
    return places + len(blocks) * width


@jit
def count_blocks(params):
    """How many blocks there are in all groups."""
    total = 0
    for group in range(int(params[GROUPS])):
        total += size_of(params, group, COUNT)
    return total


@jit
def place_at(params, which):
    """Where the observer or the advisor is."""
    place = 0
    for i in range(4):
        place |= int(params[which + i]) << (16 * i)
    return place


@jit
def think(params, rules, state, seat, blocks, present):
    """The first layers of all blocks and the last one of the table for what this seat sees; where its weights end."""
    seen = np.empty(int(params[INPUTS]), np.int8)
    observer_at(place_at(params, OBSERVER))(rules, state, seat, seen)
    width, block_width, groups = int(params[WIDTH]), int(params[BLOCK_WIDTH]), int(params[GROUPS])
    both = np.zeros(width + groups * block_width, np.float32)  # the table's first layer, then the sums over blocks
    weights = look_at_table(params, seen, both[:width])
    at = 0
    for group in range(groups):
        end = at + size_of(params, group, COUNT)
        pooled = both[width + group * block_width : width + (group + 1) * block_width]
        weights = look_at_blocks(params, weights, group, seen, both[:width], blocks[at:end], present[at:end], pooled)
        at = end
    table = np.zeros(width, np.float32)
    weights = add_layer(params, weights, both, table)
    weights = add_biases(params, weights, table)
    rectify(table)
    return table, weights


@jit
def look_again(params, weights, table, told, is_told, before, block):
    """The second layer of a block; ``told``, what the table says to its group, is computed once."""
    width = len(block)
    after = weights + len(table) * width
    if not is_told:
        add_layer(params, weights, table, told)
        add_biases(params, after + width * width, told)
    block[:] = told
    add_layer(params, after, before, block)
    rectify(block)


@jit
def weigh_actions(params, weights, table, before, present, legal, n, logits):
    """The logits of the legal actions."""
    groups, width = int(params[GROUPS]), int(params[BLOCK_WIDTH])
    others = int(params[ACTIONS])
    for group in range(groups):
        others -= size_of(params, group, COUNT) * size_of(params, group, BLOCK_ACTIONS)
    blocks = np.zeros_like(before)
    looked = np.zeros(len(before), np.bool_)
    told = np.zeros((groups, width), np.float32)
    is_told = np.zeros(groups, np.bool_)
    for i in range(n):
        entry = action_map(params) + 2 * int(legal[i])
        block, which = int(params[entry]), int(params[entry + 1])
        layer, at, count = table, weights, others
        if block >= 0:
            at += others * (len(table) + 1)
            group, last = 0, size_of(params, 0, COUNT)
            while block >= last:
                at += (len(table) + width + 1) * width + size_of(params, group, BLOCK_ACTIONS) * (width + 1)
                group += 1
                last += size_of(params, group, COUNT)
            if present[block] and not looked[block]:
                look_again(params, at, table, told[group], is_told[group], before[block], blocks[block])
                looked[block] = is_told[group] = True
            layer, count = blocks[block], size_of(params, group, BLOCK_ACTIONS)
            at += (len(table) + width + 1) * width
        row = at + which * len(layer)
        logits[i] = weigh(layer, params[row : row + len(layer)]) + params[at + count * len(layer) + which]


@jit
def last_weights(params, table, which):
    """What the table's last layer says of the value (``which`` is 0), or of the trust in the advisor (1)."""
    at = len(params) - (which + 1) * (len(table) + 1)
    return weigh(table, params[at : at + len(table)]) + params[at + len(table)]


@jit
def take_advice(params, table, rules, state, legal, n, seed, logits):
    """Add to the logits of what the advisor, if there is one, would choose, each time that it is asked."""
    place = place_at(params, ADVISOR)
    if place == 0:
        return
    trust = last_weights(params, table, 1)
    for time in range(int(params[ASKS])):
        advised = advisor_at(place)(params[FREEDOM : FREEDOM + 1], rules, state, legal, n, mix(seed, 1 + time))
        for i in range(n):
            if legal[i] == advised:
                logits[i] += trust


@jit
def drawn(logits, n, temperature, seed):
    """A random place, more likely where the logit is greater."""
    most = logits[0]
    for i in range(n):
        most = max(most, logits[i])
    total = 0.0
    for i in range(n):
        logits[i] = math.exp((logits[i] - most) / temperature)
        total += logits[i]
    left = (mix(seed, 0) & WORD) / (WORD + 1) * total
    for i in range(n):
        left -= logits[i]
        if left < 0:
            return i
    return n - 1


@kernel(POLICY)
def play_network(params, rules, state, legal, n, seed):
    """The action that the network likes best, or one drawn by its liking."""
    params = borrowed(params)
    blocks = np.zeros((count_blocks(params), int(params[BLOCK_WIDTH])), np.float32)
    present = np.zeros(len(blocks), np.bool_)
    table, weights = think(params, rules, state, int(header(state).to_move), blocks, present)
    logits = np.empty(n, np.float32)
    weigh_actions(params, weights, table, blocks, present, legal, n, logits)
    take_advice(params, table, rules, state, legal, n, seed, logits)
    best = 0
    for i in range(1, n):
        if logits[i] > logits[best]:
            best = i
    if params[TEMPERATURE] > 0:
        best = drawn(logits, n, params[TEMPERATURE], seed)
    return int(legal[best])


@kernel(VALUE)
def value_for(params, rules, state, seat):
    """What the network expects this seat to gain from here to the end of the game."""
    params = borrowed(params)
    blocks = np.zeros((count_blocks(params), int(params[BLOCK_WIDTH])), np.float32)
    table, _ = think(params, rules, state, seat, blocks, np.zeros(len(blocks), np.bool_))
    return last_weights(params, table, 0)


# ---------------------------------------------------------------- networks and their files


@dataclass(frozen=True)
class Blocks:
    """A part of observations that consists of blocks, and the actions about them."""

    name: str
    """Of the part."""
    count: int
    """How many blocks."""
    first_input: int
    """Where they begin in the observation."""
    inputs: int
    """The size of one."""
    actions: int
    """How many actions there are about each."""
    landmarks: int = 0
    """How many of the first ones the table's layer reads, too."""

    @property
    def end(self) -> int:
        """Where they end in the observation."""
        return self.first_input + self.count * self.inputs


@dataclass(frozen=True)
class Advice:
    """Who tells a network what to do."""

    of: str = ""
    """The name of one of the game's players; empty: nobody."""
    asks: int = 1
    """How often that player is asked at every decision."""
    freedom: float = 0.0
    """By how much a choice of its may seem worse to it than its best one, besides what is usual; what that means is the
    player's business."""


UNADVISED = Advice()


@dataclass(frozen=True)
class Shape:
    """The sizes of a network."""

    inputs: int
    actions: int
    width: int
    """Of the layers of the table."""
    block_width: int
    """Of the layers of the blocks."""
    blocks: tuple[Blocks, ...]
    """In the order of the observation."""
    groups: tuple[tuple[str, int, bool], ...]
    """The stretches of action ids: the part of the observation that they are about, if any, how many, and in which
    order, as in `ActionGroup`."""
    advice: Advice = UNADVISED

    @classmethod
    def of(cls, variant: Variant, width: int, block_width: int, advice: Advice = UNADVISED) -> "Shape":
        """The shape for a variant, with all blocks of its observation that there are actions about."""
        blocks, at = [], 0
        for part in variant.parts:
            about = sum(group.size for group in variant.action_groups if group.of == part.name)
            if about:
                sizes = part.blocks, at, part.size // part.blocks, about // part.blocks, part.landmarks
                blocks.append(Blocks(part.name, *sizes))
            at += part.size
        groups: list[tuple[str, int, bool]] = []
        for group in variant.action_groups:
            if groups and not group.of and not groups[-1][0]:
                groups[-1] = "", groups[-1][1] + group.size, False
            else:
                groups.append((group.of, group.size, group.across))
        widths = width, block_width if blocks else 0
        return cls(variant.observation_size, variant.num_actions, *widths, tuple(blocks), tuple(groups), advice)

    @classmethod
    def read(cls, content: Any) -> "Shape":
        """A shape from its JSON; a ValueError if it is none."""
        try:
            blocks = tuple(Blocks(**each) for each in content["blocks"])
            groups = tuple((str(of), size, bool(across)) for of, size, across in content["groups"])
            advice = Advice(**content.get("advice", {}))
            shape = cls(**content | {"blocks": blocks, "groups": groups, "advice": advice})
        except (KeyError, TypeError, ValueError):
            raise ValueError("it does not say what shape it has") from None
        counts = [shape.inputs, shape.actions, shape.width, shape.block_width, *(size for _, size, _ in groups)]
        counts += [size for each in blocks for name, size in asdict(each).items() if name != "name"]
        counts += [advice.asks]
        if not all(isinstance(size, int) and size >= 0 for size in counts) or not isinstance(advice.of, str):
            raise ValueError(f"there is no {shape}")
        return shape

    @property
    def others(self) -> int:
        """How many actions are about no block."""
        return self.actions - sum(blocks.count * blocks.actions for blocks in self.blocks)

    def table_inputs(self) -> np.ndarray:
        """Which numbers of an observation the table's layer reads: those in no block, and landmarks."""
        inside = np.zeros(self.inputs, np.bool_)
        for blocks in self.blocks:
            inside[blocks.first_input + blocks.landmarks * blocks.inputs : blocks.end] = True
        return np.flatnonzero(~inside)

    def action_map(self) -> np.ndarray:
        """For each action: the block it is about, counted over all parts, or -1; and which of the actions about it."""
        firsts, first = {}, 0
        for blocks in self.blocks:
            firsts[blocks.name] = first, blocks.count
            first += blocks.count
        used = dict.fromkeys(["", *firsts], 0)
        rows: list[np.ndarray] = []
        for of, size, across in self.groups:
            first, count = firsts.get(of, (-1, 1))
            if not of:
                block, which = np.full(size, -1), np.arange(size)
            elif across:
                which, block = np.divmod(np.arange(size), count)
            else:
                block, which = np.divmod(np.arange(size), size // count)
            rows.append(np.stack([block + (first if of else 0), which + used[of]], axis=1))
            used[of] += size // count
        return np.concatenate(rows)

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """The names and sizes of all weights, in the order of the flat row; layers are ``[inputs, outputs]``."""
        table, block = self.width, self.block_width
        found: dict[str, tuple[int, ...]] = {"table_1": (len(self.table_inputs()), table), "table_biases_1": (table,)}
        for blocks in self.blocks:
            found |= {
                f"{blocks.name}_told_1": (table, block),
                f"{blocks.name}_1": (blocks.inputs, block),
                f"{blocks.name}_places": (blocks.count, block),
            }
        found |= {
            "table_2": (table + len(self.blocks) * block, table),
            "table_biases_2": (table,),
            "actions": (self.others, table),
            "action_biases": (self.others,),
        }
        for blocks in self.blocks:
            found |= {
                f"{blocks.name}_told_2": (table, block),
                f"{blocks.name}_2": (block, block),
                f"{blocks.name}_biases_2": (block,),
                f"{blocks.name}_actions": (blocks.actions, block),
                f"{blocks.name}_action_biases": (blocks.actions,),
            }
        if self.advice.of:
            found |= {"trust": (table,), "trust_bias": (1,)}
        return found | {"value": (table,), "value_bias": (1,)}


@dataclass(frozen=True)
class Network:
    """The weights of a trained player, and where they come from."""

    shape: Shape
    weights: Mapping[str, np.ndarray]
    """By the names of `Shape.arrays`."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Game, players, rules and which of them were varied; for files that ship: command, date and measured strength."""

    def __post_init__(self) -> None:
        """Check that all weights are there."""
        for name, size in self.shape.arrays().items():
            if name not in self.weights:
                raise ValueError(f"it has no {name!r}")
            array = self.weights[name]
            if array.shape != size:
                raise ValueError(f"{name!r} of shape {array.shape} does not fit: it must be {size}")
            if array.dtype != np.float32 or not np.isfinite(array).all():
                raise ValueError(f"{name!r} are not all finite 32-bit floats")

    def row(self, variant: Variant, temperature: float = 0.0) -> np.ndarray:
        """The numbers that `play_network` and `value_for` take, for use in this process only."""
        if not 0 <= temperature < math.inf:
            raise ValueError(f"a temperature is 0 (the best action) or more, not {temperature}")
        shape = self.shape
        advice = shape.advice
        advisor = place_of(variant.game.policy(advice.of).kernel) if advice.of else 0
        start = [temperature, *pieces_of(place_of(variant.game.kernels.observe)), *pieces_of(advisor)]
        start += [shape.inputs, shape.actions, shape.width, shape.block_width, len(shape.blocks)]
        start += [advice.asks, advice.freedom]
        for blocks in shape.blocks:
            start += [blocks.count, blocks.first_input, blocks.inputs, blocks.actions, blocks.landmarks]
        weights = (self.weights[name].ravel() for name in shape.arrays())
        return np.concatenate([start, shape.action_map().ravel(), *weights], dtype=np.float32, casting="same_kind")

    def check(self, variant: Variant) -> None:
        """Raise a ValueError unless this network plays this variant; warn where its rules differ."""
        made_for = self.about.get("game"), self.about.get("players")
        if made_for != (variant.game.id, variant.players):
            raise ValueError(
                f"this network plays {made_for[0]} with {made_for[1]} players, not {variant.game.id} with "
                f"{variant.players}; train one with: overworlds train {variant.game.id} --players {variant.players}"
            )
        advice = self.shape.advice
        if advice.of and advice.of not in variant.game.kernels.POLICIES:
            raise ValueError(f"this network is advised by {advice.of!r}, and {variant.game.id} has no such player")
        if self.shape != Shape.of(variant, self.shape.width, self.shape.block_width, advice):
            raise ValueError(
                f"this network takes {self.shape.inputs} numbers and chooses among {self.shape.actions} actions, but "
                f"{variant.game.id} with these rules has {variant.observation_size} and {variant.num_actions}, or "
                "they are laid out differently"
            )
        if not self._was_trained_for(variant):
            warnings.warn(
                f"this network was trained with other rules of {variant.game.id}; how well it plays here is not known",
                stacklevel=3,
            )

    def _was_trained_for(self, variant: Variant) -> bool:
        """Are these the rules it was trained with, but for what was varied?"""
        known, varied = self.about.get("rules", {}), self.about.get("varied", ())
        return all(name in varied or (name in known and known[name] == now) for name, now in variant.values.items())

    def save(self, path: str | Path) -> None:
        """Write the file, atomically."""
        content = BytesIO()
        about = json.dumps({"format": FORMAT, "shape": asdict(self.shape), **self.about}, ensure_ascii=False)
        np.savez_compressed(content, allow_pickle=False, about=np.array(about), **self.weights)
        write_atomically(Path(path), content.getvalue())


@dataclass(frozen=True)
class NetworkPolicy(Policy):
    """A network as a player. Pickled, it takes its weights along and finds the game's kernels anew."""

    origin: tuple[Network, Variant, float] | None = None
    """Made from this network, for this variant, with this temperature."""

    def __reduce__(self) -> tuple:
        return network_policy, self.origin


def network_policy(network: Network, variant: Variant, temperature: float = 0.0) -> NetworkPolicy:
    """A player for this variant: the best action each time, or drawn from softmax(logits / temperature)."""
    network.check(variant)
    way = f"drawn at temperature {temperature:g}" if temperature else "always the best action"
    numbers = network.row(variant, temperature)
    return NetworkPolicy(play_network, numbers, f"a trained network, {way}", (network, variant, temperature))


def load_network(path: str | Path) -> Network:
    """Read a network's file; a ValueError says what is wrong with it."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, EOFError, ValueError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{str(path)!r} is not a network, or is damaged: {error}") from error
    try:
        return _network(arrays)
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is not a network this version can use: {error}") from None


def _network(arrays: dict[str, np.ndarray]) -> Network:
    """The network in these arrays, if they are one."""
    if "about" not in arrays:
        raise ValueError("it has no 'about'")
    about = json.loads(str(arrays.pop("about")))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"it is not of format {FORMAT}")
    return Network(Shape.read(about.pop("shape", None)), arrays, about)


def shipped_checkpoint(variant: Variant) -> Path:
    """Where the network for this game and number of players is, if one comes with the package."""
    return CHECKPOINTS / f"{variant.game.id}-{variant.players}.npz"


def load_policy(path: str | Path | None, variant: Variant, temperature: float = 0.0) -> Policy:
    """A trained player for this variant.

    Args:
        path: the file of a network; None takes the one that comes with the package.
        variant: what it shall play.
        temperature: 0 always takes the best action; 1 draws actions as often as the network was trained to.
    """
    if path is None:
        path = shipped_checkpoint(variant)
        if not path.is_file():
            raise ValueError(
                f"no trained network comes with {variant.game.id} for {variant.players} players; "
                f"train one with: overworlds train {variant.game.id} --players {variant.players}"
            )
    return network_policy(load_network(path), variant, temperature)

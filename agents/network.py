"""Trained networks as players: a small network in numba, without torch.

Where an observation has blocks of the same layout (`Part.blocks`: one for each system, card …), the network looks at
each of them with the same weights, and weighs the actions that are about a block by what it saw there:

- the *table* is what is seen beside the blocks; one layer reads it;
- a layer reads every block that is not empty, and what the table's layer says;
- a second layer of the table reads the first one, and the sum of what the blocks' layer says;
- a second layer of every block reads its first one, and what the table's second layer says.

Actions about a block are weighed by its second layer; other actions and the value by the table's. All layers are
rectified: max(0, x). Without blocks this is a perceptron with two hidden layers.

A network is a file of weights with a description of where they come from. Loaded, it is one flat row of numbers, so
that a trained player is a compiled policy like any other. What is zero is skipped, and only the legal actions are
weighed, which makes a decision cost microseconds.
"""

import json
import math
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numba
import numpy as np

from overworlds.envs.core.advance import header
from overworlds.envs.core.game import Policy, Variant
from overworlds.envs.core.kernel import POLICY, VALUE, addresses, borrowed, jit, kernel, observe_at
from overworlds.envs.core.replay import write_atomically
from overworlds.envs.core.rng import WORD, mix

FORMAT = 2
"""Version of the file format."""
CHECKPOINTS = Path(__file__).parent / "checkpoints"
"""The networks that come with the package."""

# The row of numbers begins with what is not a weight:
TEMPERATURE = 0  # 0: the best action; else actions are drawn from softmax(logits / temperature)
OBSERVER = 1  # where the game's observe kernel is: four 16-bit pieces, exact as floats
SHAPE = OBSERVER + 4  # the fields of `Shape`, in their order
INPUTS, ACTIONS, BLOCKS, FIRST_INPUT, BLOCK_INPUTS, FIRST_ACTION, BLOCK_ACTIONS, WIDTH, BLOCK_WIDTH = range(
    SHAPE, SHAPE + 9
)
WEIGHTS = SHAPE + 9
# Then the arrays of `Shape.arrays`, in their order.
POOLED = 0.25
"""What the sum over all blocks is multiplied by, since there are several."""

# ---------------------------------------------------------------- thinking, compiled

# A sum may be taken in any order: this is what lets the compiler use vector instructions.
quick = numba.njit(nogil=True, fastmath={"reassoc", "contract"})

if numba.config.DISABLE_JIT:
    _observers: list[Any] = []

    def place_of(observe: Any) -> int:
        """A number by which `observer_at` finds this function."""
        if observe not in _observers:
            _observers.append(observe)
        return _observers.index(observe)

    def observer_at(place):
        """The function with this number."""
        return _observers[place]

else:
    observer_at = observe_at

    def place_of(observe: Any) -> int:
        """Where this kernel is in memory."""
        return int(addresses(observe)[0])


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
def look_at_table(params, seen, table):
    """The first layer of the table, over what is seen before and after the blocks; where its weights end."""
    first, blocks_end = int(params[FIRST_INPUT]), int(params[FIRST_INPUT] + params[BLOCKS] * params[BLOCK_INPUTS])
    weights = add_layer(params, WEIGHTS, seen[:first], table)
    weights = add_layer(params, weights, seen[blocks_end:], table)
    weights = add_biases(params, weights, table)
    rectify(table)
    return weights


@jit
def look_at_blocks(params, weights, seen, table, blocks, present):
    """The first layer of every block, and its sum over all blocks, behind that of the table; where its weights end."""
    width, size, first = blocks.shape[1], int(params[BLOCK_INPUTS]), int(params[FIRST_INPUT])
    told = np.zeros(width, np.float32)
    weights = add_layer(params, weights, table[: int(params[WIDTH])], told)
    places = weights + size * width
    pooled = table[int(params[WIDTH]) :]
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
def think(params, rules, state, seat, blocks, present):
    """The last layers of the table and the blocks for what this seat sees, and where their weights end."""
    place = 0
    for i in range(4):
        place |= int(params[OBSERVER + i]) << (16 * i)
    seen = np.empty(int(params[INPUTS]), np.int8)
    observer_at(place)(rules, state, seat, seen)
    width, block_width = int(params[WIDTH]), int(params[BLOCK_WIDTH])
    both = np.zeros(width + block_width, np.float32)  # the table's first layer, then the sum over the blocks
    weights = look_at_table(params, seen, both[:width])
    weights = look_at_blocks(params, weights, seen, both, blocks, present)
    table = np.zeros(width, np.float32)
    weights = add_layer(params, weights, both, table)
    weights = add_biases(params, weights, table)
    rectify(table)
    return table, weights


@jit
def look_again(params, weights, table, before, present, blocks):
    """The second layer of every block; where its weights end."""
    width = blocks.shape[1]
    told = np.zeros(width, np.float32)
    weights = add_layer(params, weights, table, told)
    add_biases(params, weights + width * width, told)
    for i in range(len(blocks)):
        if present[i]:
            blocks[i] = told
            add_layer(params, weights, before[i], blocks[i])
            rectify(blocks[i])
    return weights + (width + 1) * width


@jit
def weigh_actions(params, weights, table, blocks, legal, n, logits):
    """The logits of the legal actions."""
    first, each = int(params[FIRST_ACTION]), int(params[BLOCK_ACTIONS])
    about_blocks = len(blocks) * each
    others = int(params[ACTIONS]) - about_blocks
    block_weights = weights + others * (len(table) + 1)
    for i in range(n):
        action = int(legal[i])
        if first <= action < first + about_blocks:
            block, which = divmod(action - first, each)
            layer, at, count = blocks[block], block_weights, each
        else:
            which = action if action < first else action - about_blocks
            layer, at, count = table, weights, others
        row = at + which * len(layer)
        logits[i] = weigh(layer, params[row : row + len(layer)]) + params[at + count * len(layer) + which]


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
    shape = int(params[BLOCKS]), int(params[BLOCK_WIDTH])
    before, blocks, present = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape[0], np.bool_)
    table, weights = think(params, rules, state, int(header(state).to_move), before, present)
    weights = look_again(params, weights, table, before, present, blocks)
    logits = np.empty(n, np.float32)
    weigh_actions(params, weights, table, blocks, legal, n, logits)
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
    shape = int(params[BLOCKS]), int(params[BLOCK_WIDTH])
    table, _ = think(params, rules, state, seat, np.zeros(shape, np.float32), np.zeros(shape[0], np.bool_))
    weights = len(params) - len(table) - 1
    return weigh(table, params[weights : weights + len(table)]) + params[len(params) - 1]


# ---------------------------------------------------------------- networks and their files


@dataclass(frozen=True)
class Shape:
    """The sizes of a network."""

    inputs: int
    actions: int
    blocks: int
    """How many blocks of the same layout the observation has; 0: none."""
    first_input: int
    """Where they begin in the observation."""
    block_inputs: int
    """The size of one."""
    first_action: int
    """Where the actions about blocks begin."""
    block_actions: int
    """How many there are for each block."""
    width: int
    """Of the layers of the table."""
    block_width: int
    """Of the layers of the blocks."""

    @classmethod
    def of(cls, variant: Variant, width: int, block_width: int) -> "Shape":
        """The shape for a variant, with blocks if there are actions about the blocks of a part of its observation."""
        inputs, actions = variant.observation_size, variant.num_actions
        first_action = 0
        for group in variant.action_groups:
            first_input = 0
            for part in variant.parts:
                if part.name == group.of:
                    sizes = part.blocks, first_input, part.size // part.blocks, first_action, group.size // part.blocks
                    return cls(inputs, actions, *sizes, width, block_width)
                first_input += part.size
            first_action += group.size
        return cls(inputs, actions, 0, 0, 0, 0, 0, width, 0)

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """The names and sizes of all weights, in the order of the flat row; layers are ``[inputs, outputs]``."""
        table, block = self.width, self.block_width
        return {
            "table_1": (self.inputs - self.blocks * self.block_inputs, table),
            "table_biases_1": (table,),
            "told_1": (table, block),
            "blocks_1": (self.block_inputs, block),
            "places": (self.blocks, block),
            "table_2": (table + block, table),
            "table_biases_2": (table,),
            "told_2": (table, block),
            "blocks_2": (block, block),
            "block_biases_2": (block,),
            "actions": (self.actions - self.blocks * self.block_actions, table),
            "action_biases": (self.actions - self.blocks * self.block_actions,),
            "block_actions": (self.block_actions, block),
            "block_action_biases": (self.block_actions,),
            "value": (table,),
            "value_bias": (1,),
        }


@dataclass(frozen=True)
class Network:
    """The weights of a trained player, and where they come from."""

    shape: Shape
    weights: Mapping[str, np.ndarray]
    """By the names of `Shape.arrays`."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Game, players, rules digest, and for files that ship: command, date and measured strength."""

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
        start = np.zeros(WEIGHTS, np.float32)
        start[TEMPERATURE] = temperature
        place = place_of(variant.game.kernels.observe)
        start[OBSERVER : OBSERVER + 4] = [(place >> (16 * i)) & 0xFFFF for i in range(4)]
        start[SHAPE:WEIGHTS] = astuple(self.shape)
        return np.concatenate([start, *(self.weights[name].ravel() for name in self.shape.arrays())])

    def check(self, variant: Variant) -> None:
        """Raise a ValueError unless this network plays this variant; warn where its rules differ."""
        made_for = self.about.get("game"), self.about.get("players")
        if made_for != (variant.game.id, variant.players):
            raise ValueError(
                f"this network plays {made_for[0]} with {made_for[1]} players, not {variant.game.id} with "
                f"{variant.players}; train one with: overworlds train {variant.game.id} --players {variant.players}"
            )
        if self.shape != Shape.of(variant, self.shape.width, self.shape.block_width):
            raise ValueError(
                f"this network takes {self.shape.inputs} numbers and chooses among {self.shape.actions} actions, but "
                f"{variant.game.id} with these rules has {variant.observation_size} and {variant.num_actions}, or "
                "they are laid out differently"
            )
        if self.about.get("rules_digest") != variant.digest:
            warnings.warn(
                f"this network was trained with other rules of {variant.game.id}; how well it plays here is not known",
                stacklevel=3,
            )

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
    try:
        shape = Shape(**about.pop("shape"))
    except (KeyError, TypeError):
        raise ValueError("it does not say what shape it has") from None
    if not all(isinstance(size, int) and size >= 0 for size in astuple(shape)):
        raise ValueError(f"there is no {shape}")
    return Network(shape, arrays, about)


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

"""The fewest outputs to merge so that the privacy loss exceeds epsilon more often than delta."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from dprisk.audit.exp_epsilon import Growth
from dprisk.audit.pairs import Row, tail

NODES: Final = 200_000  # choices to look at, for each pair
ROOM: Final = 1e-9  # how far floats may be off where they only rule out


class Blocks(NamedTuple):
    """Outputs that are merged, upwards and downwards, by number."""

    up: tuple[int, ...]
    down: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many outputs are merged."""
        return len(self.up) + len(self.down)

    def named(self) -> list[tuple[int, ...]]:
        """The blocks that are not empty."""
        return [block for block in self if block]


class MergeProblem(NamedTuple):
    """One pair, sorted out: who is beyond the limit, and what the others cost and gain."""

    p: Row
    q: Row
    growth: Growth
    up: tuple[int, ...]
    down: tuple[int, ...]
    others: tuple[int, ...]
    spare_up: tuple[float, ...]
    spare_down: tuple[float, ...]
    cost_up: tuple[float, ...]
    cost_down: tuple[float, ...]
    gain: tuple[float, ...]
    wanted: Fraction


Search = Iterator[Blocks | None]


def smallest_blocks(
    p: Row, q: Row, growth: Growth, delta: Fraction, *, both: bool, most: int | None = None
) -> tuple[Blocks | None, bool]:
    """The smallest blocks that break the limit, and whether everything smaller was ruled out."""
    items = _sorted_out(p, q, growth, delta, both=both)
    limit = len(items.up) + len(items.down) + len(items.others)
    limit = limit if most is None else min(limit, most - 1)
    left = iter(range(NODES))
    for size in range(2, limit + 1):
        for a, b, c, d in _shapes(size, len(items.up), len(items.down)):
            for found in _choices(items, a, b, c, d, left):
                if found is None:
                    return _greedy(items), False
                return found, True
    return None, True


def _sorted_out(p: Row, q: Row, growth: Growth, delta: Fraction, *, both: bool) -> MergeProblem:
    factor = float(growth.bracket()[0])
    excess = [float(a) - factor * float(b) for a, b in zip(p, q, strict=True)]
    reverse = [float(b) - factor * float(a) for a, b in zip(p, q, strict=True)]
    up = [n for n in range(len(p)) if growth.exceeded(p[n], q[n])]
    down = [n for n in range(len(p)) if both and growth.exceeded(q[n], p[n])]
    rest = [n for n in range(len(p)) if n not in up and n not in down and p[n]]
    up.sort(key=lambda n: -excess[n])
    down.sort(key=lambda n: -reverse[n])
    rest.sort(key=lambda n: -p[n])
    return MergeProblem(
        p,
        q,
        growth,
        tuple(up),
        tuple(down),
        tuple(rest),
        tuple(sum(excess[n] for n in up[:k]) for k in range(len(up) + 1)),
        tuple(sum(reverse[n] for n in down[:k]) for k in range(len(down) + 1)),
        tuple(-excess[n] for n in rest),
        tuple(-reverse[n] for n in rest),
        tuple(float(p[n]) for n in rest),
        delta - tail(p, q, growth, both=both),
    )


def _shapes(size: int, up: int, down: int) -> Iterator[tuple[int, int, int, int]]:
    """Numbers of beyond and of other outputs in U and in V: each block has both, or neither."""
    for a in range(min(up, size - 1) + 1):
        for b in range(min(down, size - 1 - a) + 1):
            others = size - a - b
            for c in range(others + 1):
                if (a > 0) == (c > 0) and (b > 0) == (others > c):
                    yield a, b, c, others - c


def _choices(items: MergeProblem, a: int, b: int, c: int, d: int, left: Iterator[int]) -> Search:
    """The first choice of c and d others that works, if any; None where the search is cut short."""
    spare = items.spare_up[a], items.spare_down[b]
    count, wanted = len(items.others), float(items.wanted)
    upwards: list[int] = []
    downwards: list[int] = []

    def look(start: int, gained: float, cost: float, other: float) -> Search:
        if next(left, None) is None:
            yield None
            return
        missing = c + d - len(upwards) - len(downwards)
        if missing == 0:
            blocks = Blocks(
                items.up[:a] + tuple(items.others[n] for n in upwards),
                items.down[:b] + tuple(items.others[n] for n in downwards),
            )
            if _breaks(items, blocks, upwards + downwards):
                yield blocks
            return
        for n in range(start, count - missing + 1):
            if gained + sum(items.gain[n : n + missing]) < wanted * (1.0 - ROOM):
                return  # the largest that are left do not gain enough
            ways = (
                (upwards, c, cost + items.cost_up[n], other),
                (downwards, d, cost, other + items.cost_down[n]),
            )
            for block, room, up, down in ways:
                dear = up > spare[0] + ROOM * (spare[0] + up) or down > spare[1] + ROOM * (
                    spare[1] + down
                )
                if len(block) < room and not dear:
                    block.append(n)
                    yield from look(n + 1, gained + items.gain[n], up, down)
                    block.pop()

    yield from look(0, 0.0, 0.0, 0.0)


def _breaks(items: MergeProblem, blocks: Blocks, others: list[int]) -> bool:
    """Exactly: whether each block is beyond the limit, and enough is gained."""
    if sum(items.p[items.others[n]] for n in others) <= items.wanted:
        return False
    for block, one, other in ((blocks.up, items.p, items.q), (blocks.down, items.q, items.p)):
        sums = [sum((row[n] for n in block), Fraction(0)) for row in (one, other)]
        if block and not items.growth.exceeded(*sums):
            return False
    return True


def _greedy(items: MergeProblem) -> Blocks | None:
    """Some blocks that work, if the cheapest others first make any."""
    spare = [items.spare_up[-1], items.spare_down[-1]]
    blocks: tuple[list[int], list[int]] = ([], [])
    gained = Fraction(0)

    def price(n: int) -> float:
        return min(items.cost_up[n], items.cost_down[n] if items.down else float("inf"))

    for n in sorted(range(len(items.others)), key=lambda n: price(n) / items.gain[n]):
        costs = items.cost_up[n], items.cost_down[n]
        way = next((w for w in (0, 1) if costs[w] < spare[w] * (1.0 - 1e-6)), None)
        if way is None:
            continue
        spare[way] -= costs[way]
        blocks[way].append(n)
        gained += items.p[items.others[n]]
        if gained > items.wanted:
            break
    ups, downs = (tuple(items.others[n] for n in block) for block in blocks)
    found = Blocks((items.up + ups) if ups else (), (items.down + downs) if downs else ())
    return found if _breaks(items, found, blocks[0] + blocks[1]) else None

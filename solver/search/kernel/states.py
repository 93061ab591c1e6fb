"""The table of states that a walk has been through (deep gear): a walk that is no better than an earlier one ends.

A state is what decides how a walk may go on: tip, arm, the root if a second arm may leave it, and the links still
open to it (all that the flood found). An earlier walk through a state was as good as this one if

- it had no fewer links open, and all features that matter,
- no less of all that pays, and no more of all that is limited,
- where bonuses ask for counted nodes, all nodes of this walk with features that matter; and under any rule of payment
  but the simple ones, all its nodes.

Then whatever this walk can become, the earlier one could, for at least as much; and WANTED has only risen since.

A row of the table has the stamp of the walk that wrote it, the state, the columns of ``level`` from LEVEL_FEATURE on,
and the nodes if they are compared. Every tip has a few rows of its own that are all compared, so that better states
are found whose links differ; the rest of the table is hashed by the links. A row may be written over: that costs
time, and changes no answer.
"""

from __future__ import annotations

from trunkline.solver.search.kernel.cache import inlined, inner
from trunkline.solver.search.layout import (
    CONTROL_STAMP,
    LEVEL_ARM,
    LEVEL_COUNT,
    LEVEL_FEATURE,
    LEVEL_LIFTED,
    LEVEL_LIFTS,
    LEVEL_MATTERS,
    LEVEL_NODE,
    LEVEL_PAID,
    LEVEL_TOP,
    LEVEL_VARIABLES,
    NODE_FEATURE,
    RULE_COUNTED_BONUS,
    RULE_KINDS,
    RULE_PAY_ALL,
    RULE_PAY_BEST,
    SEEN_KEY,
    SEEN_LINKS,
    Ints,
    K,
    Task,
    Walk,
)

# Rows of each tip and arm, at most; places in the hashed part where a state may be (a power of 2).
TIP_ROWS = 32
HASH_ROWS = 4
# An odd number whose product spreads the bits of a state: the multiplier of the generator xorshift64*.
MIX = 0x2545F4914F6CDD1D
# The nodes of the way that are compared.
NO_NODES, BONUS_NODES, ALL_NODES = range(3)


@inner
def seen_before(task: Task, w: Walk, d: int) -> bool:
    """Whether an earlier walk was in this state and as good; else this one is written down."""
    rule, node, level, stamps, seen = task.rule, task.node, w.level, w.stamps, w.seen
    lifts = level[d, LEVEL_LIFTS] or level[d, LEVEL_VARIABLES] > 0
    named = NO_NODES
    if not rule[RULE_PAY_ALL]:
        if rule[RULE_PAY_BEST] < 0:
            named, lifts = ALL_NODES, True
        else:
            named = BONUS_NODES if rule[RULE_COUNTED_BONUS] else NO_NODES
            lifts = lifts or level[d, LEVEL_TOP + rule[RULE_PAY_BEST]] >= 0
    tip = level[d, LEVEL_NODE] * 2 + level[d, LEVEL_ARM]
    key = tip
    if level[d, LEVEL_ARM] == 0:
        key += (level[0, LEVEL_NODE] + 1) << 32
    h = hash_of(key, w.open_links)
    stamp = w.control[CONTROL_STAMP]
    many = min(TIP_ROWS, stamps.shape[0] // (4 * node.shape[0]))
    listed = many * 2 * node.shape[0]
    slot = listed + (h & 0x7FFFFFFFFFFFFFFF) % (stamps.shape[0] + 1 - HASH_ROWS - listed)
    row = slot + ((h >> 40) & (HASH_ROWS - 1))
    spare = tip * many + (h >> 33) % max(1, many)
    for turn in range(2):
        start, end = (tip * many, (tip + 1) * many) if turn == 0 else (slot, slot + HASH_ROWS)
        for r in range(start, end):
            if stamps[r] != stamp:
                if turn == 0:
                    spare = r
                else:
                    row = r
                break
            if seen[r, SEEN_KEY] == key:
                if as_good(rule, node, w, d, r, lifts, named):
                    return True
            elif turn == 0:
                spare = r
    write_row(w, d, row, key, named)
    if many > 0:
        write_row(w, d, spare, key, named)
    return False


@inlined
def hash_of(key: int, open_links: Ints) -> int:
    """64 bits for a key and the open links."""
    h = key * MIX
    for i in range(open_links.shape[0]):
        h = (h ^ open_links[i]) * MIX
        h ^= (h >> 29) & 0x7FFFFFFFF
    return h


@inlined
def as_good(rule: Ints, node: Ints, w: Walk, d: int, r: int, lifts: bool, named: int) -> bool:
    """Whether the state in row r of the table is as good as that of the walk at level d, at the same tip."""
    level, seen, words = w.level, w.seen, w.open_links.shape[0]
    at = SEEN_LINKS + words - LEVEL_FEATURE  # where the columns of ``level`` begin in ``seen``
    width = level.shape[1]
    if level[d, LEVEL_FEATURE] & level[d, LEVEL_MATTERS] & ~seen[r, at + LEVEL_FEATURE]:
        return False
    for i in range(words):
        if w.open_links[i] & ~seen[r, SEEN_LINKS + i]:
            return False
    for k in range(K):
        if seen[r, at + LEVEL_COUNT + k] > level[d, LEVEL_COUNT + k] and rule[RULE_KINDS] >> k & 1:
            return False
    for i in range(LEVEL_PAID, width):
        if seen[r, at + i] < level[d, i] and (i != LEVEL_LIFTED or lifts):
            return False
    if named != NO_NODES:
        for i in range(d + 1):
            x = level[i, LEVEL_NODE]
            if (named == ALL_NODES or node[x, NODE_FEATURE] & level[d, LEVEL_MATTERS]) and not seen[
                r, at + width + (x >> 6)
            ] >> (x & 63) & 1:
                return False
    return True


@inner
def write_row(w: Walk, d: int, r: int, key: int, named: int) -> None:
    """Write the state of the walk at level d in row r of the table."""
    level, seen, words = w.level, w.seen, w.open_links.shape[0]
    at = SEEN_LINKS + words - LEVEL_FEATURE
    width = level.shape[1]
    w.stamps[r], seen[r, SEEN_KEY] = w.control[CONTROL_STAMP], key
    for i in range(words):
        seen[r, SEEN_LINKS + i] = w.open_links[i]
    for i in range(LEVEL_FEATURE, width):
        seen[r, at + i] = level[d, i]
    if named != NO_NODES:
        for i in range(at + width, seen.shape[1]):
            seen[r, i] = 0
        for i in range(d + 1):
            x = level[i, LEVEL_NODE]
            seen[r, at + width + (x >> 6)] |= 1 << (x & 63)

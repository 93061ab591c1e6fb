"""The chains of blocks that an arm can pass (deep gear): what is open, parted at single nodes.

A simple path that has left a block through a node cannot come back to it. So each arm passes one chain of the blocks
of the open graph, seen from tip and root, and may end in one node more that nothing passes. Each chain is a set: a
column of SCRATCH_SETS, features first, then words of nodes.
"""

from __future__ import annotations

from trunkline.solver.search.kernel.cache import ZERO, inlined, inner
from trunkline.solver.search.layout import (
    ARC_LINK,
    ARC_NODE,
    LEVEL_ARC,
    LEVEL_ARM,
    LEVEL_NODE,
    LINK_FEATURE,
    NODE_FEATURE,
    NODE_THROUGH,
    SCRATCH_FOUND,
    SCRATCH_FROM,
    SCRATCH_GAIN,
    SCRATCH_HANGS,
    SCRATCH_HOME,
    SCRATCH_INSIDE,
    SCRATCH_LOW,
    SCRATCH_NEXT,
    SCRATCH_SETS,
    SCRATCH_STACK,
    Ints,
    Task,
    Walk,
)

# Chains that are compared in pairs. With more of them, the pairs take longer than going on does.
MAX_CHAINS = 24


@inner
def is_open(open_links: Ints, over: int) -> bool:
    """Whether a link is within reach."""
    word: int = open_links[over >> 6]
    return word >> (over & 63) & 1 == 1


@inner
def find_blocks(task: Task, w: Walk, d: int) -> tuple[int, int]:
    """Part what is open (:func:`trunkline.solver.search.kernel.reach.flood`) into its blocks.

    Hopcroft and Tarjan's depth-first search (1973), with tip and root taken as one node, from which all begins.
    Returns the number of blocks, and how many arms may go on. SCRATCH_SETS gets a column for each block: the chain of
    blocks that leads to it. SCRATCH_HOME gets for each node the block through which it is entered.
    """
    first, arc, node = task.first, task.arc, task.node
    level, scratch, shut_node, open_links = w.level, w.scratch, w.shut_node, w.open_links
    found, sets = scratch[SCRATCH_FOUND], scratch[SCRATCH_SETS:]
    tip, root = level[d, LEVEL_NODE], level[0, LEVEL_NODE]
    for x in range(node.shape[0]):
        found[x] = 0
    found[tip] = found[root] = 1
    clock, blocks, arms = ZERO + 1, ZERO, 0
    for turn in range(2):
        start = tip if turn == 0 else root
        if not node[start, NODE_THROUGH] or (turn == 1 and level[d, LEVEL_ARM] == 1):
            continue
        begins = False
        for at in range(level[0, LEVEL_ARC] if start == root else first[start], first[start + 1]):
            x = arc[at, ARC_NODE]
            if shut_node[x] or not is_open(open_links, arc[at, ARC_LINK]):
                continue
            begins = True
            if found[x] == 0 and node[x, NODE_THROUGH]:
                clock, blocks = search_blocks(task, w, d, x, clock, blocks)
        arms += begins
    hangs, home = scratch[SCRATCH_HANGS], scratch[SCRATCH_HOME]
    for b in range(blocks - 1, -1, -1):  # a block is found after those that hang at it
        if hangs[b] >= 0:
            for i in range(sets.shape[0]):
                sets[i, b] |= sets[i, home[hangs[b]]]
    return blocks, arms * 2 if d == 0 else arms


@inlined
def search_blocks(task: Task, w: Walk, d: int, x: int, clock: int, blocks: int) -> tuple[int, int]:
    """Go depth first through what is open from node x; returns the clock, and how many blocks there are now."""
    first, arc, node, link = task.first, task.arc, task.node, task.link
    scratch, shut_node, open_links = w.scratch, w.shut_node, w.open_links
    found, low, from_, next_ = (
        scratch[SCRATCH_FOUND],
        scratch[SCRATCH_LOW],
        scratch[SCRATCH_FROM],
        scratch[SCRATCH_NEXT],
    )
    gain, stack = scratch[SCRATCH_GAIN], scratch[SCRATCH_STACK]
    tip, root = w.level[d, LEVEL_NODE], w.level[0, LEVEL_NODE]
    clock += 1
    found[x], low[x], from_[x], next_[x], gain[x] = clock, clock, -1, first[x], node[x, NODE_FEATURE]
    stack[0] = x
    top = ZERO + 1
    while x >= 0:
        if next_[x] < first[x + 1]:
            y, over = arc[next_[x], ARC_NODE], arc[next_[x], ARC_LINK]
            next_[x] += 1
            if not is_open(open_links, over):
                continue
            if y in (tip, root):
                low[x] = 1
                gain[x] |= link[over, LINK_FEATURE]
            elif shut_node[y] or not node[y, NODE_THROUGH]:
                continue
            elif found[y] == 0:
                clock += 1
                found[y], low[y], from_[y], next_[y] = clock, clock, x, first[y]
                gain[y] = node[y, NODE_FEATURE] | link[over, LINK_FEATURE]
                stack[top] = y
                top += 1
                x = y
            elif found[y] < found[x]:
                gain[x] |= link[over, LINK_FEATURE]
                if y != from_[x] and found[y] < low[x]:
                    low[x] = found[y]
            continue
        up = from_[x]
        if up < 0 or low[x] >= found[up]:
            top = close_block(scratch, x, top, blocks)
            scratch[SCRATCH_HANGS, blocks] = up
            blocks += 1
        elif low[x] < low[up]:
            low[up] = low[x]
        x = up
    return clock, blocks


@inlined
def close_block(scratch: Ints, x: int, top: int, block: int) -> int:
    """Make a block of what is on the stack from node x on; returns where the stack ends then."""
    sets = scratch[SCRATCH_SETS:]
    for i in range(sets.shape[0]):
        sets[i, block] = 0
    y = -1
    while y != x:
        top -= 1
        y = scratch[SCRATCH_STACK, top]
        scratch[SCRATCH_HOME, y] = block
        sets[0, block] |= scratch[SCRATCH_GAIN, y]
        sets[1 + (y >> 6), block] |= 1 << (y & 63)
    return top


@inner
def add_dead_ends(task: Task, w: Walk, d: int, n: int) -> int:
    """Add a column to SCRATCH_SETS for each way into a node that can only be an end; returns how many there are now."""
    first, arc, node = task.first, task.arc, task.node
    scratch, sets = w.scratch, w.scratch[SCRATCH_SETS:]
    tip, root = w.level[d, LEVEL_NODE], w.level[0, LEVEL_NODE]
    for x in range(node.shape[0]):
        if scratch[SCRATCH_INSIDE, x] != 1 or node[x, NODE_THROUGH]:
            continue
        for a in range(first[x], first[x + 1]):
            over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
            if not is_open(w.open_links, over) or scratch[SCRATCH_FOUND, y] == 0 or n == sets.shape[1]:
                continue
            for i in range(sets.shape[0]):
                sets[i, n] = 0 if y in (tip, root) else sets[i, scratch[SCRATCH_HOME, y]]
            sets[0, n] |= node[x, NODE_FEATURE] | task.link[over, LINK_FEATURE]
            sets[1 + (x >> 6), n] |= 1 << (x & 63)
            n += 1
    return n


@inner
def choose_largest(sets: Ints, chosen: Ints, n: int, matters: int) -> int:
    """Choose those of n sets that are part of no other (of equals the first); of features only those that matter.

    Returns how many; an empty one if there are none; more than MAX_CHAINS if there are more than that or no more room.
    """
    if n == sets.shape[1]:
        return MAX_CHAINS + 1
    if n == 0:
        for k in range(sets.shape[0]):
            sets[k, 0] = 0
        n += 1
    chains = ZERO
    for b in range(n):
        sets[0, b] &= matters
        part = False
        i = 0
        while i < chains and not part:
            less, more = True, True
            for k in range(sets.shape[0]):
                less = less and not sets[k, b] & ~sets[k, chosen[i]]
                more = more and not sets[k, chosen[i]] & ~sets[k, b]
            part = less
            if more and not less:
                chains -= 1
                chosen[i] = chosen[chains]
            else:
                i += 1
        if not part:
            if chains == MAX_CHAINS:
                return MAX_CHAINS + 1
            chosen[chains] = b
            chains += 1
    return chains

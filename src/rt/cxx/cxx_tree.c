/* SPDX-License-Identifier: Apache-2.0 */
/* The red-black trees of std::map and std::set: what libstdc++'s headers only declare. As in every textbook, with
 * libstdc++'s header node: parent is the root, child[0] the leftmost and child[1] the rightmost node. A side and its
 * mirror image are one case: `side` is 0 or 1. */
#include "rt/cxx/watched_memory.h"

enum color { RED, BLACK }; /* an int, as libstdc++ has it */

struct tree_node {
    enum color color;
    struct tree_node *parent, *child[2];
};

/* One call: its header node, and who called. */
struct tree {
    struct tree_node *header;
    const void *pc;
};

static inline struct tree_node *child(const struct tree *t, struct tree_node *n, unsigned side)
{
    return WATCHED_GET(&n->child[side], t->pc);
}

static inline struct tree_node *parent(const struct tree *t, struct tree_node *n)
{
    return WATCHED_GET(&n->parent, t->pc);
}

static inline enum color color(const struct tree *t, struct tree_node *n)
{
    return n ? WATCHED_GET(&n->color, t->pc) : BLACK;
}

static inline void set_child(const struct tree *t, struct tree_node *n, unsigned side, struct tree_node *to)
{
    WATCHED_SET(&n->child[side], to, t->pc);
}

static inline void set_parent(const struct tree *t, struct tree_node *n, struct tree_node *to)
{
    WATCHED_SET(&n->parent, to, t->pc);
}

static inline void set_color(const struct tree *t, struct tree_node *n, enum color to)
{
    WATCHED_SET(&n->color, to, t->pc);
}

static inline bool is_root(const struct tree *t, struct tree_node *n)
{
    return n == parent(t, t->header);
}

static unsigned side_of(const struct tree *t, struct tree_node *n)
{
    return child(t, parent(t, n), 1) == n;
}

static struct tree_node *outermost(const struct tree *t, struct tree_node *n, unsigned side)
{
    for (struct tree_node *next; (next = child(t, n, side));)
        n = next;
    return n;
}

/* What hangs where `old` hangs: now `new`, if anything. */
static void replace(const struct tree *t, struct tree_node *old, struct tree_node *new)
{
    struct tree_node *above = parent(t, old);
    if (is_root(t, old))
        set_parent(t, t->header, new);
    else
        set_child(t, above, child(t, above, 1) == old, new);
    if (new)
        set_parent(t, new, above);
}

/* `n` goes down on `side`, its other child takes its place. */
static void rotate(const struct tree *t, struct tree_node *n, unsigned side)
{
    struct tree_node *up = child(t, n, !side), *middle = child(t, up, side);
    set_child(t, n, !side, middle);
    if (middle)
        set_parent(t, middle, n);
    replace(t, n, up);
    set_child(t, up, side, n);
    set_parent(t, n, up);
}

/* ------------------------------------------------------------------ neighbours */

/* The next node on that side, or the header behind the last one. */
static struct tree_node *neighbour(struct tree_node *n, unsigned side, const void *pc)
{
    const struct tree t = {NULL, pc};
    struct tree_node *down = child(&t, n, side), *above;
    if (down)
        return outermost(&t, down, !side);
    for (above = parent(&t, n); n == child(&t, above, side); above = parent(&t, n))
        n = above;
    /* the header is above the root, and the root above the header: from a root that is the last node the climb
     * ends one step too late */
    return side == 1 && child(&t, n, 1) == above ? n : above;
}

/* The header is red, and the root's parent, whose parent it is in turn. */
static bool is_header(struct tree_node *n, const void *pc)
{
    const struct tree t = {NULL, pc};
    return color(&t, n) == RED && parent(&t, parent(&t, n)) == n;
}

static struct tree_node *before(struct tree_node *n, const void *pc)
{
    const struct tree t = {NULL, pc};
    return is_header(n, pc) ? child(&t, n, 1) : neighbour(n, 0, pc);
}

EXPORT struct tree_node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct tree_node *n)
{
    return neighbour(n, 1, CALLER);
}
EXPORT struct tree_node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct tree_node *n)
    __attribute__((alias("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base")));
EXPORT struct tree_node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct tree_node *n)
{
    return before(n, CALLER);
}
EXPORT struct tree_node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct tree_node *n)
    __attribute__((alias("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base")));

/* ------------------------------------------------------------------ insertion */

static void hang(const struct tree *t, struct tree_node *n, struct tree_node *above, unsigned side)
{
    set_parent(t, n, above);
    set_child(t, n, 0, NULL);
    set_child(t, n, 1, NULL);
    set_color(t, n, RED);
    if (above == t->header) {
        set_parent(t, above, n);
        set_child(t, above, 0, n);
        set_child(t, above, 1, n);
        return;
    }
    set_child(t, above, side, n);
    if (child(t, t->header, side) == above)
        set_child(t, t->header, side, n);
}

/* `n` and its parent are red. Returns the node that may now have this fault; itself when there is none left. */
static struct tree_node *mend_red(const struct tree *t, struct tree_node *n)
{
    struct tree_node *above = parent(t, n), *top = parent(t, above);
    unsigned side = side_of(t, above);
    struct tree_node *uncle = child(t, top, !side);
    if (color(t, uncle) == RED) {
        set_color(t, above, BLACK);
        set_color(t, uncle, BLACK);
        set_color(t, top, RED);
        return top;
    }
    if (side_of(t, n) != side) {
        rotate(t, above, side);
        struct tree_node *inner = n;
        n = above;
        above = inner;
    }
    set_color(t, above, BLACK);
    set_color(t, top, RED);
    rotate(t, top, !side);
    return n;
}

EXPORT void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, struct tree_node *n,
                                                                              struct tree_node *above,
                                                                              struct tree_node *header)
{
    const struct tree t = {header, CALLER};
    hang(&t, n, above, !left);
    while (!is_root(&t, n) && color(&t, parent(&t, n)) == RED)
        n = mend_red(&t, n);
    set_color(&t, parent(&t, header), BLACK);
}

/* ------------------------------------------------------------------ removal */

/* On the path to the place `side` below `top` a black node is missing. True: now it is missing above `top`; false: it
 * is made up for. */
static bool is_missing_above(const struct tree *t, struct tree_node *top, unsigned side)
{
    struct tree_node *sibling = child(t, top, !side);
    if (color(t, sibling) == RED) {
        set_color(t, sibling, BLACK);
        set_color(t, top, RED);
        rotate(t, top, side);
        sibling = child(t, top, !side);
    }
    if (color(t, child(t, sibling, 0)) == BLACK && color(t, child(t, sibling, 1)) == BLACK) {
        set_color(t, sibling, RED);
        return true;
    }
    if (color(t, child(t, sibling, !side)) == BLACK) {
        set_color(t, child(t, sibling, side), BLACK);
        set_color(t, sibling, RED);
        rotate(t, sibling, !side);
        sibling = child(t, top, !side);
    }
    set_color(t, sibling, color(t, top));
    set_color(t, top, BLACK);
    set_color(t, child(t, sibling, !side), BLACK);
    rotate(t, top, side);
    return false;
}

/* `n` (perhaps none) has come to a place below `above` whose node was black. */
static void mend_black(const struct tree *t, struct tree_node *n, struct tree_node *above)
{
    while (!is_root(t, n) && color(t, n) == BLACK) {
        unsigned side = child(t, above, 0) != n;
        if (!is_missing_above(t, above, side))
            return;
        n = above;
        above = parent(t, n);
    }
    if (n)
        set_color(t, n, BLACK);
}

/* The leftmost or rightmost node goes; `rest` is what hung below it, if anything. */
static void move_end(const struct tree *t, struct tree_node *gone, struct tree_node *rest, unsigned side)
{
    if (child(t, t->header, side) == gone)
        set_child(t, t->header, side, rest ? outermost(t, rest, side) : parent(t, gone));
}

/* `next`, the smallest node on the right of `gone`, takes its place and color; what hung below it moves up. Returns
 * the node below which something is missing. */
static struct tree_node *take_place(const struct tree *t, struct tree_node *gone, struct tree_node *next,
                                    struct tree_node *below)
{
    struct tree_node *above = parent(t, next), *left = child(t, gone, 0);
    set_child(t, next, 0, left);
    set_parent(t, left, next);
    if (above == gone) {
        above = next;
    } else {
        struct tree_node *right = child(t, gone, 1);
        set_child(t, above, 0, below);
        if (below)
            set_parent(t, below, above);
        set_child(t, next, 1, right);
        set_parent(t, right, next);
    }
    replace(t, gone, next);
    enum color kept = color(t, next);
    set_color(t, next, color(t, gone));
    set_color(t, gone, kept);
    return above;
}

EXPORT struct tree_node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    struct tree_node *gone, struct tree_node *header)
{
    const struct tree t = {header, CALLER};
    struct tree_node *left = child(&t, gone, 0), *right = child(&t, gone, 1), *above, *below;
    if (left && right) {
        struct tree_node *next = outermost(&t, right, 0);
        below = child(&t, next, 1);
        above = take_place(&t, gone, next, below);
    } else {
        below = left ? left : right;
        above = parent(&t, gone);
        replace(&t, gone, below);
        move_end(&t, gone, below, 0);
        move_end(&t, gone, below, 1);
    }
    if (color(&t, gone) == BLACK)
        mend_black(&t, below, above);
    return gone;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Our versions of libstdc++'s functions on the nodes of trees and lists against the library's own: the same random
 * operations on twins, which have to stay equal link by link. Linked with the runtime, whose functions come first. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 24, ROUNDS = 60000 };

struct tree_node {
    int color;
    struct tree_node *parent, *child[2];
};

struct list_node {
    struct list_node *next, *previous;
};

typedef void insert_function(bool left, struct tree_node *n, struct tree_node *above,
                             struct tree_node *header);
typedef struct tree_node *erase_function(struct tree_node *n, struct tree_node *header);
typedef struct tree_node *step_function(struct tree_node *n);
typedef void two_function(struct list_node *n, struct list_node *place);
typedef void one_function(struct list_node *n);
typedef void transfer_function(struct list_node *place, struct list_node *first, struct list_node *end);

static struct {
    insert_function *insert;
    erase_function *erase;
    step_function *step[4];
    two_function *hook, *swap;
    one_function *unhook, *reverse;
    transfer_function *transfer;
} libraries[2]; /* ours, theirs */

static struct tree_node tree_nodes[2][NODES + 1]; /* the last is the header */
static bool is_inside[NODES];
static struct list_node list_nodes[2][NODES + 2]; /* the last two are lists */

static uint32_t chance(uint32_t below)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void fail(const char *what)
{
    printf("%s: ours and the library's differ\n", what);
    exit(1);
}

static void *find(void *library, const char *name)
{
    void *function = dlsym(library, name);
    if (!function) {
        printf("%s: not found\n", name);
        exit(1);
    }
    return function;
}

static void load(unsigned which, void *library)
{
#define FIND(member, name) *(void **)&libraries[which].member = find(library, name)
    FIND(insert, "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
    FIND(erase, "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
    FIND(step[0], "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
    FIND(step[1], "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
    FIND(step[2], "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
    FIND(step[3], "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
    FIND(hook, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
    FIND(swap, "_ZNSt8__detail15_List_node_base4swapERS0_S1_");
    FIND(unhook, "_ZNSt8__detail15_List_node_base9_M_unhookEv");
    FIND(reverse, "_ZNSt8__detail15_List_node_base10_M_reverseEv");
    FIND(transfer, "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
#undef FIND
}

/* ------------------------------------------------------------------ trees */

static int tree_number(unsigned which, const struct tree_node *n)
{
    return n ? (int)(n - tree_nodes[which]) : -1;
}

static void compare_trees(const char *what)
{
    for (unsigned k = 0; k <= NODES; k++) {
        const struct tree_node *a = &tree_nodes[0][k], *b = &tree_nodes[1][k];
        if (a->color != b->color || tree_number(0, a->parent) != tree_number(1, b->parent) ||
            tree_number(0, a->child[0]) != tree_number(1, b->child[0]) ||
            tree_number(0, a->child[1]) != tree_number(1, b->child[1]))
            fail(what);
    }
}

/* Node k has the key k: the place for it is found by numbers. */
static void tree_insert(unsigned which, unsigned k)
{
    struct tree_node *nodes = tree_nodes[which], *header = &nodes[NODES], *above = header;
    unsigned right = 0;
    for (struct tree_node *n = header->parent; n; n = n->child[right]) {
        above = n;
        right = k > (unsigned)tree_number(which, n);
    }
    libraries[which].insert(!right, &nodes[k], above, header);
}

static void tree_step(unsigned k, unsigned step)
{
    struct tree_node *got[2];
    if ((step < 2 && k == NODES) || (step >= 2 && tree_nodes[0][NODES].child[0] == &tree_nodes[0][k]))
        return; /* behind the end, before the beginning */
    for (unsigned which = 0; which < 2; which++)
        got[which] = libraries[which].step[step](&tree_nodes[which][k]);
    if (tree_number(0, got[0]) != tree_number(1, got[1]))
        fail("increment or decrement");
}

static void tree_round(unsigned keys)
{
    unsigned k = chance(keys);
    for (unsigned which = 0; which < 2; which++) {
        struct tree_node *n = &tree_nodes[which][k];
        if (!is_inside[k])
            tree_insert(which, k);
        else if (libraries[which].erase(n, &tree_nodes[which][NODES]) != n)
            fail("what erase returns");
    }
    is_inside[k] = !is_inside[k];
    compare_trees(is_inside[k] ? "insert" : "erase");
    k = chance(keys + 1);
    k = k == keys ? NODES : k;
    if (tree_nodes[0][NODES].parent && (k == NODES || is_inside[k]))
        tree_step(k, chance(4));
}

/* Small trees, too: with a root that is the last node. */
static void try_trees(unsigned keys)
{
    memset(tree_nodes, 0, sizeof tree_nodes);
    memset(is_inside, 0, sizeof is_inside);
    for (unsigned which = 0; which < 2; which++) {
        struct tree_node *header = &tree_nodes[which][NODES];
        header->child[0] = header->child[1] = header;
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        tree_round(keys);
}

/* ------------------------------------------------------------------ lists */

static void compare_lists(const char *what)
{
    for (unsigned k = 0; k < NODES + 2; k++) {
        const struct list_node *a = &list_nodes[0][k], *b = &list_nodes[1][k];
        if (a->next - list_nodes[0] != b->next - list_nodes[1] ||
            a->previous - list_nodes[0] != b->previous - list_nodes[1])
            fail(what);
    }
}

/* The number of nodes from one behind `first` up to the list that has it. */
static unsigned length_behind(const struct list_node *first)
{
    unsigned length = 0;
    for (const struct list_node *n = first->next; n - list_nodes[0] < NODES; n = n->next)
        length++;
    return length;
}

/* Some nodes that follow one another go before another one, or where they are. */
static void list_transfer(unsigned first, unsigned place)
{
    const struct list_node *end = &list_nodes[0][first];
    for (unsigned count = 1 + chance(length_behind(end) + 1); count > 0; count--) {
        if (end == &list_nodes[0][place])
            return; /* the place is among them */
        end = end->next;
    }
    for (unsigned which = 0; which < 2; which++)
        libraries[which].transfer(&list_nodes[which][place], &list_nodes[which][first],
                                  &list_nodes[which][end - list_nodes[0]]);
    compare_lists("transfer");
}

static void list_whole(void)
{
    bool swaps = chance(2);
    for (unsigned which = 0; which < 2; which++) {
        struct list_node *lists = &list_nodes[which][NODES];
        if (swaps)
            libraries[which].swap(&lists[0], &lists[1]);
        else
            libraries[which].reverse(&lists[0]);
    }
    compare_lists(swaps ? "swap" : "reverse");
}

static void list_round(bool *is_linked)
{
    unsigned k = chance(NODES), place = chance(NODES + 2);
    if (chance(8) == 0) {
        list_whole();
        return;
    }
    if (place < NODES && !is_linked[place])
        return;
    if (is_linked[k] && chance(3) == 0) {
        list_transfer(k, place);
        return;
    }
    for (unsigned which = 0; which < 2; which++)
        if (is_linked[k])
            libraries[which].unhook(&list_nodes[which][k]);
        else
            libraries[which].hook(&list_nodes[which][k], &list_nodes[which][place]);
    is_linked[k] = !is_linked[k];
    compare_lists(is_linked[k] ? "hook" : "unhook");
}

static void try_lists(void)
{
    bool is_linked[NODES] = {false};
    for (unsigned which = 0; which < 2; which++)
        for (unsigned k = 0; k < NODES + 2; k++)
            list_nodes[which][k].next = list_nodes[which][k].previous = &list_nodes[which][k];
    for (unsigned round = 0; round < ROUNDS; round++)
        list_round(is_linked);
}

int main(void)
{
    void *theirs = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!theirs) {
        printf("%s\n", dlerror());
        return 1;
    }
    load(0, RTLD_DEFAULT);
    load(1, theirs);
    if (libraries[0].insert == libraries[1].insert) {
        printf("the runtime has no versions of its own\n");
        return 1;
    }
    try_trees(3);
    try_trees(NODES);
    try_lists();
    printf("%d random operations on trees and on lists: equal\n", ROUNDS);
    return 0;
}

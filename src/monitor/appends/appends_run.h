/* SPDX-License-Identifier: Apache-2.0 */
/* What appends.c knows about one key with put, append and get of strings. docs/internals/monitor/appends.md. */
#ifndef MONITOR_APPENDS_RUN_H
#define MONITOR_APPENDS_RUN_H

#include "base/hash.h"
#include "monitor/decider_tools.h"

#define NONE TOOLS_NONE

/* A string that is put or appended. */
struct appends_text {
    const char *bytes;
    uint32_t length;
    uint32_t parent; /* the longest proper prefix of it among the others, or NONE */
    uint32_t first;  /* its writers are writers[first] .. before those of the next text */
    bool nested;     /* one of its writers is called later than another one and returns before it */
};

/* Distinct strings in ascending order, with their writers in order of calls. */
struct appends_strings {
    struct appends_text *texts; /* one more at the end, for `first` */
    size_t common;              /* all begin with the same so many bytes */
    uint64_t *heads;            /* the next bytes of each (base/sort.h) */
    uint32_t count;
    uint32_t *writers;
};

/* A string as a root and tokens after it: a path of nodes. Node k is the root string k, for each of them. */
struct appends_node {
    uint32_t parent; /* NONE: a root */
    uint32_t token;  /* number of an appended string */
    uint32_t root;   /* number of the root string */
    uint32_t depth;
    /* first node on the way from the root whose token has one writer, or NONE */
    uint32_t single;
};

/* Of one get; and how often what was found out is used to find out more. */
enum { READINGS_MOST = 4, ROUNDS_MOST = 8 };

/* A get that returned a string. */
struct appends_look {
    const char *bytes; /* the string */
    uint32_t length;
    uint32_t op;
    uint32_t node[READINGS_MOST]; /* the ways to read its answer */
    uint8_t count;
    bool more;     /* there are others */
    uint32_t root; /* the put it has read from, or INITIAL; NONE: not known */
    /* the reading that is taken for granted at the moment; NONE: the get is left out */
    uint32_t guess;
};

/* A token that some get of an epoch has seen, and its writer. */
struct appends_occurrence {
    uint32_t node;
    uint32_t op; /* NONE: not known */
    /* of the writer; not known: the earliest and the latest of all that it may be */
    uint32_t call, ret;
    uint32_t low, high; /* it is one of these writers of the token */
};

/* A put (or the initial string), and the gets that have read from it. */
struct appends_epoch {
    uint32_t root;
    uint32_t deepest;                 /* look with the longest answer */
    uint32_t first_look, looks;       /* in `by_depth` */
    uint32_t first_token, tokens;     /* in `occurrences` */
    uint32_t first_return, last_call; /* of what is certain to be in it; appends_equal.c */
};

/* What is placed as a whole: an epoch or a single write; its first return, and its last call. */
struct appends_block {
    uint32_t first_return, last_call;
    uint32_t epoch; /* NONE: a write that no get has seen */
    uint32_t op;
    uint32_t return_look, call_look; /* of an epoch: looks that show the members with the two */
};

enum appends_kind { APPENDS_NOTHING, APPENDS_PUT, APPENDS_APPEND, APPENDS_GET, APPENDS_EXTRA };

/* What is done about ambiguities. */
enum appends_mode {
    APPENDS_RELAX, /* left out: only a violation counts */
    APPENDS_GUESS, /* guessed: only a legal order counts */
};

struct appends_run {
    const struct part *p;
    struct decision *d; /* null: no core is wanted */
    struct budget *budget;
    uint32_t count, initial; /* operations; the put of the initial string, which precedes all */
    uint8_t *kind;
    uint32_t *call, *ret; /* from 1 on; ORDER_NEVER as ever; 0 for the initial put */
    uint32_t *earliest_put,
        *earliest_write; /* by position: of those called there or later, the first that returns */
    struct appends_strings puts, tokens;
    VEC(struct appends_node) nodes;
    struct hash_map children; /* parent << 32 | token -> node */
    VEC(struct appends_look) looks;
    VEC(struct extra) extras;
    uint32_t *pinned; /* by token with one writer: the node it must be at, or NONE */
    uint32_t *shower; /* by node: a look that certainly shows it, or NONE */
    uint32_t *joint_f,
        *joint_s; /* by node: first return and last call of the certain gets in whose path it is `single` */
    uint32_t *times, *next_low; /* by token: scratch, 0 */
    uint64_t work, work_most;
    const char *why; /* not ours: the reason */

    /* of one mode */
    enum appends_mode mode;
    /* Guesses: the last that fit, not the first. By node that several gets share, and by get behind these; by token */
    uint8_t *late_root, *late_writer;
    VEC(uint8_t *) blamed; /* of these, what takes part in a contradiction */
    bool is_exact;         /* nothing was left out */
    VEC(struct appends_epoch) epochs;
    VEC(struct appends_occurrence) occurrences;
    uint32_t *by_depth;
    uint32_t *epoch_of; /* by operation: the epoch it is a root of or a token in, or NONE */
    uint8_t *taken;     /* by operation: in an epoch, or it may be */
    uint32_t *home;     /* by operation: see appends_equal.c */
    VEC(struct appends_block) blocks;
};

static inline uint32_t appends_writers_end(const struct appends_strings *s, uint32_t text)
{
    return s->texts[text + 1].first;
}

static inline uint32_t appends_writer_count(const struct appends_strings *s, uint32_t text)
{
    return s->texts[text + 1].first - s->texts[text].first;
}

/* False, from now on: too much work. */
static inline bool appends_work(struct appends_run *run, uint64_t amount)
{
    run->work += amount;
    if (run->work > run->work_most)
        run->why = "too many equal strings are put or appended";
    return !run->why;
}

/* ---- appends_strings.c ---- */

/* The strings written by all operations of this kind; the operations are sorted by call. */
void appends_strings_make(struct appends_run *run, struct appends_strings *s, enum appends_kind kind);
void appends_strings_free(struct appends_strings *s);
const char *appends_written(const struct appends_run *run, uint32_t op, uint32_t *length);

/* The longest of the strings that `bytes` begins with, or NONE. */
uint32_t appends_longest_prefix(const struct appends_strings *s, const char *bytes, uint32_t length);

/* ---- appends_parse.c ---- */

/* Finds the ways to read each get. False: one cannot be read (in the core), or run->why. */
bool appends_parse(struct appends_run *run);

/* Adds to the core what the get may have read in whatever order, and what keeps it from some of that. */
void appends_core_close(struct appends_run *run, uint32_t get);

/* ---- appends_readings.c ---- */

/* Puts of root string `text` that a get that has seen more than it (`exact`: it alone), or several with first return f
 * and last call s, may have read from: 0, 1 or 2 (and more), and the latest one. */
uint32_t appends_possible_roots(struct appends_run *run, uint32_t text, uint32_t f, uint32_t s, bool exact,
                                uint32_t *root);

/* The put whose epoch has to be over before position s, because `root` precedes it; or NONE. */
uint32_t appends_killer(const struct appends_run *run, uint32_t root, uint32_t s, bool exact);

/* First return and last call of `g` and all the gets that have to have the same put, if `node` is what it saw. */
void appends_joint(const struct appends_run *run, const struct appends_look *g, uint32_t node, uint32_t *f,
                   uint32_t *s);

/* The puts that they may have read from. */
uint32_t appends_roots_of(struct appends_run *run, const struct appends_look *g, uint32_t node,
                          uint32_t *root);

/* Strikes readings out that the others contradict. False: as above. */
bool appends_strike(struct appends_run *run);

/* ---- appends_epochs.c ---- */

/* Joins gets to epochs. False: some do not fit together. */
bool appends_make_epochs(struct appends_run *run);

/* ---- appends_equal.c ---- */

/* Finds the writers of tokens that several operations append. False: there is none for one of them. */
bool appends_choose_writers(struct appends_run *run);

/* ---- appends_blocks.c ---- */

/* Are the members of each epoch, and the epochs and single writes, orderable? */
bool appends_order_blocks(struct appends_run *run);
void appends_take_witness(struct appends_run *run, struct decision *d);

/* The look of an epoch that shows its token number `depth`, or the root (0). */
uint32_t appends_look_at(const struct appends_run *run, const struct appends_epoch *e, uint32_t depth);

static inline uint32_t appends_depth(const struct appends_run *run, uint32_t look)
{
    return run->nodes.data[run->looks.data[look].guess].depth;
}

/* ---- appends_guess.c ---- */

/* Finds a legal order where readings, roots or writers are ambiguous. False: there may be one all the same. */
bool appends_guess(struct appends_run *run);

/* What to guess. */
bool appends_takes_late_root(struct appends_run *run, uint32_t look);
bool appends_takes_late_writer(const struct appends_run *run, uint32_t token);

/* While guessing: these lead to a contradiction. */
void appends_blame_look(struct appends_run *run, uint32_t look);
void appends_blame_token(struct appends_run *run, uint32_t token);
void appends_blame_epoch(struct appends_run *run, uint32_t epoch);
void appends_blame_write(struct appends_run *run, uint32_t op);

/* ---- appends.c ---- */

/* False: there is no order in this mode, or run->why. */
bool appends_try_mode(struct appends_run *run, enum appends_mode mode);

void appends_core_add(struct appends_run *run, uint32_t op);
void appends_core_look(struct appends_run *run, uint32_t look);

#endif

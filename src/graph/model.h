/* SPDX-License-Identifier: Apache-2.0 */
/* Memory models: which execution graphs exist. Another model is a file with such a structure, a row in model.c, its axioms in
 * model_full.c, and its name in MODEL_NAMES. */
#ifndef GRAPH_MODEL_H
#define GRAPH_MODEL_H

#include "graph/graph.h"

/* The names, in the order of the table of model.c, for --memory. The first is the usual one. */
#define MODEL_NAMES "rc11|sc|tso"

/* What executions look like, for code that has to know more than which graphs exist. */
enum model_kind {
    MODEL_LANGUAGE,    /* of C and C++: what counts are the memory orders that the program has written */
    MODEL_INTERLEAVED, /* all events have one order */
    MODEL_BUFFERED,    /* of a machine: one order but for stores that stay in a buffer for a while */
};

struct axioms;

struct memory_model {
    const char *name;
    enum model_kind kind;
    const char *leaves_out; /* what it does not allow though the language does; or null */
    /* The order that counts for each enum memory_order_tag: acquire is taken from it by reads and fences, release by
     * writes and fences. */
    uint8_t effective_order[ORDER_PLAIN + 1];
    /* Is the graph consistent, given that it was before read or write `e` was added, or e's place in mo or what
     * it reads from was changed? Nothing in the graph depends on e but, perhaps, one read, to be asked about next. Not asked
     * about events that are last in mo or read the last write in mo: those change nothing. */
    bool (*is_consistent)(const struct graph *g, uint32_t e);
    /* The axioms beyond happens-before and atomicity, for model_is_consistent_full. */
    bool (*axioms)(const struct axioms *x);
    /* Do later stores of a thread to the same location continue its release sequences, as in C11? C++20 has updates only. */
    bool stores_continue;
    /* May a write that is caused by the reader of another one come before that one in mo? */
    bool mo_against_causes;
};

extern const struct memory_model model_sc, model_tso, model_rc11;
/* rc11 with the release sequences of C11: not by a name of its own, but by --release-sequence. */
extern const struct memory_model model_rc11_c11;

const struct memory_model *model_find(const char *name); /* null: none of that name */

/* The words of --release-sequence, the usual one first, and the model with that rule: the same one where it makes no difference,
 * because every store releases. */
#define MODEL_RELEASE_SEQUENCES "c++20|c11"
const struct memory_model *model_with_sequences(const struct memory_model *m, int position);

/* By its position in MODEL_NAMES; a negative one stands for the first. */
const struct memory_model *model_at(int position);
int model_position(const struct memory_model *m);

/* Is that the name of a model of this kind? */
bool model_is(const char *name, enum model_kind kind);

/* The same question about a whole graph, answered from the axioms in cubic time: to check the others with. */
bool model_is_consistent_full(const struct memory_model *m, const struct graph *g);

/* Would it be if the threads also synchronized from one note to another (GRAPH_MARK), by memory that nothing else uses? */
struct model_order {
    uint32_t from, to;
};
bool model_is_consistent_with(const struct memory_model *m, const struct graph *g,
                              const struct model_order *orders, uint32_t count);
/* The same, given that it is consistent without: what runs when there are no other threads is left out (graph_serial.h). */
bool model_stays_consistent(const struct memory_model *m, const struct graph *g,
                            const struct model_order *orders, uint32_t count);

bool model_sc_axioms(const struct axioms *x);
bool model_tso_axioms(const struct axioms *x);
bool model_rc11_axioms(const struct axioms *x);

/* --- for models ------------------------------------------------------------------------------------- */

/* Models take the parts of an access for one event: its last part so far stands for all. */

/* No write that happens before e, or is read by an event that does, overwrites what e reads or writes; and
 * no update has another write between what it read and what it wrote. */
bool model_is_coherent(const struct graph *g, uint32_t e);

/* Have two accesses a byte in common? */
static inline bool model_is_same_place(const struct graph *g, const struct graph_event *a,
                                       const struct graph_event *b)
{
    if (!g->locations[a->location].mixed || !g->locations[b->location].mixed)
        return a->location == b->location;
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* Accesses of different sizes: is there a way back to e from what overwrites it, by mo, from-read and reads-from between threads?
 * Then no history of states of the memory explains what was read (single-copy atomicity). */
bool model_is_torn(const struct graph *g, uint32_t e);

/* Is there a way back to e from what overwrites it, by program order, reads-from, mo, from-read, create and join?
 * `buffered`: a store is not ordered before later reads of its thread, nor before reads that get its value in its
 * thread (total store order). */
bool model_has_cycle(const struct graph *g, uint32_t e, bool buffered);
/* May rc11's relation psc have a cycle through e, in a graph whose accesses have no parts? A look that costs less than the search. */
bool model_may_have_psc_cycle(const struct graph *g, uint32_t e);

/* Total store order: does what follows in the thread wait for the event? Not for a store that stays in the buffer for a
 * while, nor for events that are no accesses. */
bool model_is_waited_for(const struct graph_event *ev);

/* Total store order: does the event wait until earlier stores of its thread have left the buffer? */
bool model_waits_for_buffer(const struct graph_event *ev);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder have for each other, by file. */
#ifndef EXPLORE_GRAPHS_INSIDE_H
#define EXPLORE_GRAPHS_INSIDE_H

#include "explore/graphs/graphs_state.h"

/* graphs_search.c: the search */
void graphs_push_frame(struct graphs *x, struct graph *g, uint32_t revisiter, uint32_t revisited);
struct graph *graphs_new_graph(struct graphs *x);
void graphs_forget_frames(struct graphs *x);
/* Takes alternatives until one leads to a graph that can be continued. False: none is left. */
bool graphs_take_items(struct graphs *x);
/* True: the graph on top of the stack can be continued. */
bool graphs_take_item(struct graphs *x, struct graphs_item it);
/* Places before the last write `last`, nearest first, as long as coherence allows. */
void graphs_push_places_before(struct graphs *x, uint32_t w, uint32_t last);
/* The alternatives of a read that picks one of several. */
void graphs_push_picks(struct graphs *x, uint32_t r);
/* The other way of a weak CAS. */
void graphs_push_failure(struct graphs *x, uint32_t r);
/* The write of an update, in its only place. False: that is not consistent. */
bool graphs_add_update(struct graphs *x, uint32_t r);
/* Alternatives of write w that is last in mo (and not a part of an update). */
void graphs_push_places(struct graphs *x, uint32_t w);
/* Makes the frames for locks that wait forever in the last execution, but would not if they came earlier. */
void graphs_revisit_by_waiting_locks(struct graphs *x);

/* graphs_revisits.c */
void graphs_push_revisits(struct graphs *x, uint32_t a);
bool graphs_is_before(const struct graph *g, const int16_t *causes, uint32_t e, uint32_t stamp);
bool graphs_is_overwritten(const struct graph *g, const int16_t *causes, uint32_t w, uint32_t stamp);
/* The last event, a read, would be an update if it read from w, but another one that does is in the way, and no revisit of its write
 * takes that away. */
bool graphs_is_vain(struct graphs *x, uint32_t r, uint32_t w);

/* graphs_steps.c: adding the events of steps */
uint32_t graphs_site_at(struct graphs *x, uint64_t address);
void graphs_give_up_mutex(struct graphs *x, uint32_t site);
/* Does a patient read find what the one before it found, whatever others wrote since? */
bool graphs_is_patient(const struct graphs *x, const struct port_action *a);
void graphs_describe(const struct graphs *x, struct graph_event *ev, const struct port_action *a);
uint32_t graphs_append_read(struct graphs *x, const struct port_action *a, uint32_t location, uint32_t rf);
/* False: a limit was met. */
bool graphs_add_step(struct graphs *x, const struct port_action *a, struct port_answer *answer);

/* graphs_parts.c: accesses of different sizes */
struct graphs_granule {
    uint64_t address;
    unsigned size;
};
struct graphs_parts {
    uint32_t count;
    struct graphs_granule granules[GRAPHS_GRANULES];
};
enum graphs_split {
    GRAPHS_SPLIT_NOT,      /* all accesses there have the same size */
    GRAPHS_SPLIT_DONE,     /* into parts, perhaps one */
    GRAPHS_SPLIT_RESTARTS, /* everything begins again, with smaller granules */
    GRAPHS_SPLIT_REFUSED,  /* the access is not atomic */
};
enum graphs_split graphs_split(struct graphs *x, const struct port_action *a, struct graphs_parts *parts);
/* The access overlaps locations of other sizes: that is known from now on, and everything begins again. False: it is not aligned,
 * or one of those is not. */
bool graphs_learn_mixed(struct graphs *x, const struct port_action *a);
bool graphs_is_mixed(struct graphs *x, const struct port_action *a);
void graphs_note_cut(struct graphs *x); /* something new is known of that kind */
/* The granules of some bytes in memory with accesses of different sizes. */
uint32_t graphs_granules(struct graphs *x, uint64_t address, unsigned size, struct graphs_granule *granules);
/* The location of the step; GRAPH_NONE: it has several. */
uint32_t graphs_only_location(struct graphs *x, const struct port_action *a);
uint32_t graphs_append_next_part(struct graphs *x, uint32_t before);
/* Adds the parts of the read that come after r, and the write of an update. False: that is not consistent. */
bool graphs_add_parts(struct graphs *x, uint32_t r);
/* Does the read, with all its parts, read the last write in mo? */
bool graphs_parts_read_newest(const struct graph *g, uint32_t r);
static inline bool graphs_reads_newest(const struct graph *g, uint32_t r)
{
    if (graph_is_part(&g->events[r]))
        return graphs_parts_read_newest(g, r);
    return g->events[g->events[r].rf].mo_after == GRAPH_NONE;
}
/* Writes with several parts are known by the last one. */
uint32_t graphs_append_part(struct graph *g, uint32_t thread, const struct graphs_parts *parts, uint32_t k);
void graphs_place_parts(struct graphs *x, uint32_t w); /* from part w on */
void graphs_unplace_parts(struct graph *g, uint32_t last);
void graphs_place_update(struct graph *g, uint32_t last);
void graphs_take_place(struct graphs *x, struct graphs_item it);
/* Of a part of a read that is not the first one, see is_maximal; `a` is the write that revisits. */
bool graphs_part_is_maximal(struct graphs *x, const int16_t *causes, uint32_t a, uint32_t r);

/* graphs_blocking.c: which threads can go on */
enum graphs_readiness {
    GRAPHS_WAITS,
    GRAPHS_LAST,  /* the end of the process: only if nothing else is left */
    GRAPHS_LATER, /* only if no other can: it would find nothing new */
    GRAPHS_READY,
};
enum graphs_readiness graphs_readiness(struct graphs *x, const struct port_action *a);
/* Should the read be given this write, which is not the last one in mo? */
bool graphs_is_option(struct graphs *x, const struct graph_event *read, const struct graph_event *w);
/* No thread can go on, or the process ends: locks that still wait might have come earlier. */
void graphs_note_waiting_locks(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* An update that writes what it found and then only comes back waits instead, and writes nothing. */
void graphs_forget_useless_update(struct graphs *x, uint32_t r);
enum port_stop graphs_why_stopped(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* The running execution ends without having been, and is begun once more. */
void graphs_take_again(struct graphs *x);
/* The thread is back where it was before its last reads. False: this execution is not worth going on with. */
bool graphs_note_spin(struct graphs *x, const struct port_action *a);

/* What led nowhere need not any more, when something is news that was not. */
void graphs_forget_nowhere(struct graphs *x);
/* Did the thread learn in its last round that operations of others had ended? */
bool graphs_round_was_news(const struct graph *g, const struct port_action *a);
/* Are there weaker accesses, and seq_cst ones that orders of a client reach, but not happens-before in the thread? */
bool graphs_has_edges(const struct graph *g);

/* Its last reads were a round that is folded. False: nothing but folded executions can come of this one. */
bool graphs_note_fold(struct graphs *x, const struct port_action *a);

/* Did the thread see the newest values in the round of its loop that led nowhere? */
bool graphs_spins_for_ever(const struct graphs *x, const struct port_action *a);
/* A thread that cannot go on: will it never? */
bool graphs_waits_for_ever(const struct graphs *x, const struct port_action *a);
bool graphs_has_ended(const struct graph *g, uint64_t thread);

/* graphs_passed.c: false if the thread was never in that state in this execution */
bool graphs_may_have_passed(struct graphs *x, uint32_t thread, uint64_t state);
void graphs_forget_passed(struct graphs *x);

/* Is the thread's last event a read that waits? */
static inline bool graphs_is_blocked(const struct graph *g, uint32_t thread)
{
    uint32_t last = g->threads[thread].last;
    return last != GRAPH_NONE && g->events[last].flags & GRAPH_BLOCKED;
}

/* graphs_returns.c: threads that come back to a live state in which they were */
enum graphs_hold graphs_hold_of(struct graphs *x, const struct port_action *a);
/* Would a lock that the thread takes after its event `last`, in that live state, only take back what unlock w gave? Then it waits. */
bool graphs_takes_back(const struct graphs *x, uint32_t last, uint64_t live, unsigned operation, uint32_t w);
/* The execution is over but for threads that are held: is it covered, does it matter? */
void graphs_certify(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* Is any thread held like this? */
bool graphs_any_returned(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* No thread can go on, and some are held: is what is left stuck all the same? */
bool graphs_goes_round_for_ever(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* Where the thread's last round began; GRAPH_NONE: it was not there before. */
uint32_t graphs_round_of(const struct graph *g, const struct port_action *a);
/* Does a thread read plain memory in the round that began there? */
bool graphs_reads_plainly(const struct graphs *x, uint32_t first);

/* graphs_continue.c. Begins to continue an execution in which threads are held, with newest values only: can they get out? False: that has
 * been tried. */
bool graphs_start_continuing(struct graphs *x, const struct port_action *next, uint64_t waiting);
uint32_t graphs_continue(struct graphs *x, const struct port_action *next, uint64_t waiting,
                         struct port_answer *answer);
/* The thread's last read, which waited, reads the newest write. */
void graphs_read_newest(struct graphs *x, uint32_t thread, struct port_answer *answer);
/* Back to the graph as it was finished. */
void graphs_stop_continuing(struct graphs *x);

/* graphs_progress.c: a thread that stops forever. Is it time for it? Its bit, once it has stopped */
void graphs_look_for_stop(struct graphs *x, const struct port_action *next);
uint64_t graphs_stopped(const struct graphs *x);
/* Of the threads that cannot go on, those that do not wait for the end of the stopped one, nor for the end of such a thread. */
uint64_t graphs_left_waiting(const struct graphs *x, const struct port_action *next, uint64_t waiting);
void graphs_count_published(struct graphs *x);
/* A recorded execution ends because all threads that are left are stuck: are they, if they run on? Decides as `advance` does. */
uint32_t graphs_try_beyond(struct graphs *x, const struct port_action *next, uint64_t waiting,
                           struct port_answer *answer);

/* graphs_removal.c: has the execution rounds among the causes of the thread's arrival without which it would be the same? */
bool graphs_find_removal(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t thread);
/* A thread is held in the finished graph; because of the round that begins at event `from`. */
void graphs_note_held(struct graphs *x);
void graphs_note_removed_plain(struct graphs *x, uint32_t from);
/* graphs_knowing.c: in the finished graph the thread has accessed memory plainly since its last event. */
void graphs_note_last_accesses(struct graphs *x, uint32_t thread);
/* The thread was in another state when it took a step again: it must not be held. */
void graphs_note_strayed(struct graphs *x, uint32_t thread);
/* Some thread makes use of what it finds there. */
void graphs_note_use(struct graphs *x, uint64_t address, uint64_t size);
/* The same, in explorations before this one? */
bool graphs_is_used(const struct graphs *x, uint64_t address, uint64_t size);
/* A thread accesses this plainly (nothing: has an effect) that knows more of these threads than happens before. */
void graphs_note_exposed(struct graphs *x, uint64_t exposed, uint64_t address, uint64_t size);
/* The execution is over: who knew more than happens before? */
void graphs_note_knowing(struct graphs *x);
/* Locations of which some thread wants to know what they hold. */
void graphs_note_readers(struct graphs *x, const struct graph *g);

/* graphs_wakes.c: is a sleeper that was woken given the step that woke it, and nothing else? */
bool graphs_has_wakers(const struct graphs *x);
static inline bool graphs_has_waker(const struct graph *g, const struct graph_event *read)
{
    return g->has_wakers && read->label.operation == OPERATION_WOKEN && read->label.order == ORDER_RELAXED;
}
bool graphs_is_waker(const struct graph *g, const struct graph_event *read, uint32_t w);
uint32_t graphs_find_waker(const struct graph *g, const struct graph_event *read, uint32_t newest);

/* graphs_sources.c: is a load given only the oldest write of those from which it learns the same? */
bool graphs_reads_oldest(const struct graphs *x);
bool graphs_wants_oldest(const struct graphs *x, const struct graph_event *read);
/* It waits in a loop: where that is so it is given any source, and everything begins again. */
void graphs_note_waiting_load(struct graphs *x, const struct graph_event *read);
static inline bool graphs_has_oldest(const struct graph *g, const struct graph_event *read)
{
    return !g->has_twins && read->flags & GRAPH_OLDEST;
}
/* Are there writes that the read could read from and is never given? Is this one not one of those? */
static inline bool graphs_has_own_source(const struct graph *g, const struct graph_event *read)
{
    return graphs_has_waker(g, read) || graphs_has_oldest(g, read);
}
bool graphs_is_own_source(const struct graph *g, const struct graph_event *read, uint32_t w);
/* What a read is first given when `newest` is last in mo. */
uint32_t graphs_first_source(const struct graph *g, const struct graph_event *read, uint32_t newest);
/* Does the read find what the last write in mo tells it? */
bool graphs_found_newest(const struct graph *g, uint32_t r);

/* graphs_symmetry.c. Whether there are twins is known, shared and given up as if it were a mutex at this address. */
#define GRAPHS_TWINS_ADDRESS UINT64_MAX
bool graphs_has_twins(struct graphs *x);
/* Its elder twin did the same so far and has to go first. */
bool graphs_waits_for_twin(const struct graphs *x, const struct port_action *next, uint32_t thread);
/* The same for a recorded event: what its thread adds after it must not come before what the elder one adds. */
bool graphs_repeats_before_twin(const struct graphs *x, uint32_t e);
/* A read has been added with the last write in mo. If it must not come after its twin like this, it gets another one. */
void graphs_follow_twin(struct graphs *x, uint32_t r);
bool graphs_twin_waits(const struct graph *g, uint32_t r);
/* Before a step is added: do joins distinguish twins? */
void graphs_watch_joins(struct graphs *x, const struct port_action *a);
void graphs_watch_assumptions(struct graphs *x, const struct port_action *next, uint64_t waiting);

/* graphs.c: begins with the first execution again */
void graphs_start_over(struct graphs *x);

/* graphs_branches.c */
uint32_t graphs_branch(struct explorer *e, uint32_t ways);
bool graphs_expires(struct explorer *e);
uint32_t graphs_add_branch(struct graphs *x, uint32_t way);

/* graphs_advance.c: one execution, repeated as far as it is recorded, then made */
void graphs_start_replay(struct graphs *x);
uint32_t graphs_advance(struct explorer *e, const struct port_action *next, uint64_t waiting,
                        uint32_t running, struct port_answer *answer);
/* The recorded event has happened again. */
void graphs_pass(struct graphs *x, uint32_t e);
/* A step, or a choice of the program, was added to the graph; nothing was. */
void graphs_note_added(struct graphs *x, uint32_t thread);
void graphs_note_yield(struct graphs *x, uint32_t thread);

/* Nothing is recorded of the next step. Decides as `advance` does. */
uint32_t graphs_advance_live(struct graphs *x, const struct port_action *next, uint64_t waiting,
                             uint32_t running, struct port_answer *answer);

/* graphs_replay.c: the recorded execution goes on with this write. False: it does not. */
bool graphs_replay_store(struct graphs *x, const struct port_action *a);

/* graphs_memo.c: threads have arrived at their next steps, `running` last */
void graphs_fill_memo(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t running);

uint32_t graphs_event_before(const struct graph *g, uint32_t thread);
bool graphs_is_determined_by_event(const struct port_action *a);

/* graphs_stretches.c: the same where threads share plain memory. Nothing is recorded of what came before an execution in which that
 * is found out, so it is not complete. */
void graphs_start_stretches(struct graphs *x);
void graphs_remember_stretch(struct graphs *x, const struct port_action *a);
/* The entry of what the thread does next; null: it is not known, or not known to be right. */
const struct graphs_memo_entry *graphs_recall_stretch(struct graphs *x, uint32_t thread);
/* What thread 0 does after that join, if it touches nothing before; or null. */
const struct graphs_memo_entry *graphs_stretch_after_join(const struct graphs *x,
                                                          const struct graphs_memo_entry *join);
void graphs_forget_stretches(struct graphs *x);
void graphs_free_stretches(struct graphs *x);

/* graphs_stretch_steps.c. The thread has taken its step: is it in order with what threads did plainly? */
bool graphs_is_step_safe(struct graphs *x, const struct port_action *a);
/* What the location of the step holds before its first event; if that cannot be said, the execution is not safe. */
event_word graphs_find_initial(struct graphs *x, const struct port_action *a);

/* graphs_cells.c: plain memory in all executions */
struct graphs_cell *graphs_cell_at(struct graphs *x, uint64_t address);
const struct graphs_cell *graphs_find_cell(const struct graphs *x, uint64_t address); /* or null */
void graphs_note_atomic(struct graphs *x, uint32_t site, unsigned size);
/* False: nothing is to be remembered of programs like this. */
bool graphs_note_plain(struct graphs *x, const struct graphs_touch *t);
bool graphs_note_block(struct graphs *x, const struct graphs_touch *t);
/* Are the bytes those of an atomic variable that has been accessed in this graph? */
bool graphs_is_location(const struct graphs *x, const struct graphs_cell *cell, const struct graphs_touch *t);

/* The bytes of the cell at the address, as bits. */
static inline uint8_t graphs_bytes_of(uint64_t address, uint64_t size)
{
    return (uint8_t)(((1u << size) - 1) << (address & 7));
}

/* All bits of the bytes. */
static inline uint64_t graphs_bits_of(uint8_t bytes)
{
    uint64_t spread = bytes * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    uint64_t high = ((spread & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7f7f7f7f7f7f7f7f)) | spread;
    return (high >> 7 & UINT64_C(0x0101010101010101)) * 0xff;
}

/* graphs_display.c: the running execution so far, or only its last event and the causes of that, in the order in which
 * it is best shown. The number of entries, with room for all; 0: it is too long for this. */
uint32_t graphs_display_order(const struct graphs *x, bool causes_only, struct graphs_happened *out);

/* graphs_estimate.c: takes alternatives at random. True: another graph than the one that runs */
bool graphs_descend(struct graphs *x);
bool graphs_next_descent(struct graphs *x);

static inline uint32_t graphs_stop(struct graphs *x, struct port_answer *answer, enum port_stop why)
{
    answer->why = x->run.why = why;
    x->run.stopped = true;
    return PORT_STOP;
}

#endif

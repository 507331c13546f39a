/* SPDX-License-Identifier: Apache-2.0 */
/* Executions that were recorded: repeating the steps of one, writing it down, following what was written down. */
#ifndef EXPLORE_GRAPHS_REPLAY_H
#define EXPLORE_GRAPHS_REPLAY_H

#include "explore/port.h"
#include "graph/event.h"
#include "graph/graph.h"
#include "graph/model.h"

/* The next step of a thread is this access to memory, of at most eight bytes. Null: ask `advance`. Otherwise it is the next
 * recorded step of the thread, the thread changes something with it or later (`effect_ahead`), and it has just
 * been repeated; the event is its first. */
struct graphs_step {
    struct graph_label label;
    uint16_t thread;
    uint8_t size;
};
struct graphs_repeated {
    const struct graph_event *event;
    bool effect_ahead; /* of the next one, too */
};
struct graphs_repeated explore_graphs_repeat(struct explorer *e, struct graphs_step step, uint64_t address,
                                             uint64_t operand, uint64_t expected);

/* The running execution so far, to be replayed later. The number of steps, of which at most `room` were stored. */
uint32_t explore_graphs_schedule(const struct explorer *e, struct schedule_step *steps, uint32_t room);
struct explorer *explore_graphs_replay(const struct memory_model *model, const struct schedule_step *steps,
                                       uint32_t count);
/* An execution that ends because threads are stuck goes on for so many steps, in which they have to stay so: each that can takes
 * one in turn, and finds the newest value. If one ends, the execution ends without being stuck. */
void explore_graphs_replay_beyond(struct explorer *e, uint32_t steps);
/* The program did something else than the recorded one. */
bool explore_graphs_diverged(const struct explorer *e);

/* The first such step: what was recorded and what the thread is about to do, without places; `value` is the operand. Null: none is
 * known. */
struct graphs_divergence {
    struct event before, now;
};
const struct graphs_divergence *explore_graphs_divergence(const struct explorer *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of an execution have to know of the program and of the executions before: graph_mode_begin.c */
#ifndef ENGINE_GRAPH_MODE_FACTS_H
#define ENGINE_GRAPH_MODE_FACTS_H

#include "engine/graph_mode/graph_mode.h"
#include "engine/loop/rounds.h"

struct graph_mode_facts {
    /* Where knowing of a step is not always being ordered after it, races with rounds are looked for */
    enum rounds_twice rounds_twice;
    bool repeats_apart; /* steps that are repeated matter to others than the explorer */
    bool time_matters;  /* GRAPHS_TIMED */
};
extern struct graph_mode_facts graph_mode_facts ENGINE_HIDDEN;

/* Code without hooks may write what others read. It is looked at when something new is remembered; where nothing is, as in
 * samples, writes with hooks are not known either. */
void graph_mode_look_for_changes(void);

#endif

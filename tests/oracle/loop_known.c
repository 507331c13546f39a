/* SPDX-License-Identifier: Apache-2.0 */
/* Programs with loops that rules which look right get wrong, the smallest ones that are known. */
#include "oracle/loop_program.h"

#include "graph/event.h"

#include <string.h>

static const struct {
    const char *name, *threads[LOOP_THREADS];
} known[] = {
    {"a thread is held, not dropped", {"0: r2 = x3; ifnot r2 0; r0 = 1", "x3 = 1"}},
    {"a store of what was there is seen by what it overwrites",
     {"0: x0 = 0; r2 = x3; ifnot r2 0", "x0 = 2; r0 = x0; x0 = 3; r1 = x0; x3 = 1"}},
    {"a mutex that is tried between two rounds",
     {"0: lock m0; r2 = x3; unlock m0; ifnot r2 0",
      "r0 = try m0; r1 = try m0; r2 = r0 + r1; ifnot r2 9; unlock m0; 9: x3 = 1"}},
    {"a round under a mutex that writes",
     {"0: lock m0; x0 = 0; r2 = x3; unlock m0; ifnot r2 0", "x0 = 2; r0 = x0; x0 = 3; r1 = x0; x3 = 1"}},
    {"the same, and the mutex is tried",
     {"0: lock m0; x0 = 0; r2 = x3; unlock m0; ifnot r2 0",
      "x0 = 2; r0 = x0; x0 = 3; r1 = x0; x3 = 1; r5 = try m0; ifnot r5 e; unlock m0"}},
    {"a round that leaves something else behind", {"0: r2 = swap x0 1; ifnot r2 0", "x0 = 0"}},
    {"one waits for what the rounds of the other show",
     {"0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0", "0: r2 = x0; ifnot r2 0; x3 = 1"}},
    {"rounds that have nothing to do with it",
     {"0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0",
      "r2 = x0; ifnot r2 e; r2 = x0; if r2 e; r2 = x0; ifnot r2 e; assert 0",
      "0: x1 = 1; x1 = 0; r2 = x2; ifnot r2 0"}},
    {"rounds that were seen twice",
     {"0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0",
      "r2 = x0; ifnot r2 9; r2 = x0; if r2 9; r2 = x0; ifnot r2 9; r2 = x0; if r2 9; r0 = x0; 9: x3 = 1"}},
    {"what a round leaves behind",
     {"0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0", "x3 = 1; r0 = x0",
      "r2 = x0; ifnot r2 e; r2 = x0; if r2 e; r0 = x0"}},
    {"the same, from the other thread",
     {"r2 = x0; ifnot r2 e; r2 = x0; if r2 e; r0 = x0", "x3 = 1; r0 = x0",
      "0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0"}},
    {"a counter that decides",
     {"0: r2 = x3; if r2 e; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; r0 = 2", "x3 = 1"}},
    {"a counter in memory that decides",
     {"0: r2 = x3; if r2 e; r3 = p0; r3 = r3 + 1; p0 = r3; r4 = r3 == 3; ifnot r4 0; r0 = 2", "x3 = 1"}},
    {"stale rounds, seen by who knows that they are over",
     {"0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0; x2 = 1",
      "x3 = 1; r2 = x2; ifnot r2 e; r2 = x0; ifnot r2 e; r2 = x0; if r2 e; r0 = x0"}},
    {"rounds after what happens before the look at them, and before what is known",
     {"x0 = 0; lock m0; x1 = 1; unlock m0; 0: r2 = x3; if r2 1; x0 = 1; x0 = 0; go 0; 1: x2 = 1",
      "lock m0; r2 = x1; unlock m0; ifnot r2 e; x3 = 1; r2 = x2; ifnot r2 e; r0 = x0"}},
    {"rounds that store what is there, overtaken by who knows that they are over",
     {"0: r2 = x3; if r2 1; x0 = 0; go 0; 1: x2 = 1", "x3 = 1; r2 = x2; ifnot r2 e; x0 = 2; r0 = x0"}},
    {"rounds of updates that change something, seen by who knows that they are over",
     {"0: r2 = x3; if r2 1; r5 = swap x0 1; r5 = swap x0 0; go 0; 1: x2 = 1",
      "x3 = 1; r2 = x2; ifnot r2 e; r0 = x0"}},
    {"updates that change nothing, of one that is known to be there",
     {"0: r2 = swap x0 1; if r2 0; r0 = 1; x0 = 0", "0: r2 = swap x0 1; if r2 0; r0 = 2; x0 = 0"}},
    {"two that wait for each other's mutex",
     {"0: lock m0; r2 = try m1; if r2 1; unlock m0; go 0; 1: unlock m1; unlock m0",
      "0: lock m1; r2 = try m0; if r2 1; unlock m1; go 0; 1: unlock m0; unlock m1"}},
    {"a counter that nobody reads", {"0: r2 = x3; if r2 e; r5 = add s0 1; go 0", "r5 = add s0 1; x3 = 1"}},
    {"a counter that is read", {"0: r2 = x3; if r2 e; r5 = add s0 1; go 0", "r0 = s0; x3 = 1; r1 = s0"}},
    {"a counter that is read once nobody counts",
     {"0: r2 = x3; if r2 1; r5 = add s0 1; go 0; 1: r0 = s0", "x3 = 1"}},
    {"a counter that is read when it is updated",
     {"0: r2 = x3; if r2 e; r5 = add s0 1; go 0", "r0 = add s0 1; x3 = 1"}},
    {"one goes round forever and counts", {"0: r5 = add s0 1; r2 = x3; ifnot r2 0", "x1 = 1"}},
    {"one goes round until it has counted enough",
     {"0: r5 = add s0 1; r2 = s0; r2 = r2 & 2; ifnot r2 0", "r5 = add s0 1"}},
    {"a loop that gives up",
     {"0: r2 = look x3; if r2 e; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; r0 = 2; r1 = x1", "x1 = 1; x3 = 1"}},
    {"a loop that gives up, after a read that is revisited later",
     {"r0 = x1; 0: r2 = look x3; if r2 1; r3 = r3 + 1; r4 = r3 == 7; ifnot r4 0; go e; 1: r1 = 1", "x3 = 1",
      "x2 = 1; x2 = 2; x2 = 3; x2 = 1; x1 = 1"}},
    {"what is found decides how many rounds there are",
     {"0: r2 = x0; r4 = r2 == 2; if r4 1; r5 = r2 == 1; ifnot r5 0; r3 = 1; go 0; 1: ifnot r3 0; r0 = 1",
      "x0 = 1; x0 = 2"}},
    {"how many rounds there were matters",
     {"0: r2 = x3; if r2 1; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 0; 1: r0 = r3", "x3 = 1"}},
    {"a loop that is left and begun again, with nothing in between",
     {"0: r3 = 0; 1: r2 = x0; r4 = r2 == r1; if r4 2; r3 = r3 + 1; r4 = r3 == 3; ifnot r4 1; go e; "
      "2: r1 = r1 + 1; r4 = r1 == 3; ifnot r4 0; r0 = 1",
      "x0 = 1; x0 = 2"}},
    {"one goes round forever", {"0: x0 = 1; x0 = 0; r2 = x3; ifnot r2 0", "x1 = 1"}},
    {"a lock of one that goes round forever",
     {"0: lock m0; r2 = x3; unlock m0; ifnot r2 0", "lock m0; x1 = 1; unlock m0"}},
};

const char *loop_known(struct loop_program *p, uint32_t number)
{
    memset(p, 0, sizeof *p);
    if (number >= sizeof known / sizeof *known)
        return NULL;
    for (uint32_t t = 0; t < LOOP_THREADS && known[number].threads[t]; t++) {
        loop_assemble(&p->threads[t], known[number].threads[t]);
        loop_find_live(&p->threads[t]);
        p->thread_count++;
        for (uint32_t k = 0; k < p->threads[t].count; k++) {
            struct loop_instruction *i = &p->threads[t].code[k];
            if (i->operation == LOOP_LOCK || i->operation == LOOP_TRY)
                i->order = ORDER_ACQUIRE;
            if (i->operation == LOOP_UNLOCK)
                i->order = ORDER_RELEASE;
        }
    }
    return known[number].name;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of this folder: the calls of one execution, with names as numbers. */
#ifndef WORKER_CALLS_STATE_H
#define WORKER_CALLS_STATE_H

#include "ordering/ordering.h"
#include "rt/calls/calls.h"
#include "worker/calls/calls_judge.h"

enum { CALLS_RULES = 256, CALLS_INTERFACES = 256 };

/* Several translation units, or instances of a template, may have one of their own: the name counts. */
struct calls_interface {
    const struct plumb_interface *first;
    uint32_t structure;
};

/* An object that calls are about. */
struct calls_object {
    const struct plumb_structure *structure; /* of the first call; may be null */
    uint32_t number;                         /* of the structure */
    uint32_t object;                         /* as struct call has it */
    void *state;
};

struct calls_question {
    struct ordering_question question;
    const struct graph *graph; /* or null */
    struct ordering_call calls[CALLS_MOST];
    struct ordering_point points[CALLS_MOST * CALL_POINTS];
    uint64_t before[CALLS_MOST];
    struct ordering_rule rules[CALLS_RULES];
    const struct plumb_rule *sources[CALLS_RULES]; /* of the rules */
    struct calls_object objects[CALLS_MOST];
    uint32_t object_count;
};

/* calls_build.c: from what was recorded. False: there is more than can be judged. */
bool calls_build(struct calls_question *q, const struct graph *g);
uint32_t calls_structures(void); /* that were ever met */

/* calls_points.c: points and happens-before, by graph or by the trace of a schedule */
void calls_find_points(struct calls_question *q, const struct worker_shared *shared);
void calls_find_before(struct calls_question *q);

/* calls_machine.c: what calls do. Begins with the states of all objects; end gives memory back. */
void calls_machine_begin(struct calls_question *q);
void calls_machine_end(struct calls_question *q);
/* What the specification prints: the call with its result, its result alone, or the state of an object. */
void calls_print_call(uint32_t call, char *to, size_t size);
void calls_print_result(uint32_t call, char *to, size_t size);
void calls_print_state(const struct calls_object *object, char *to, size_t size);

/* calls_report.c: fills in the error and shared->calls */
void calls_report(struct worker_shared *shared, struct calls_question *q,
                  const struct ordering_answer *answer);

#endif

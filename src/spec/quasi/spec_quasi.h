/* SPDX-License-Identifier: Apache-2.0 */
/* Quasi linearizability as a specification: from any specification and a quasi factor, another one whose
 * complete legal sequences are those that are quasi linearizable. What decides linearizability for
 * specifications with `accept` decides quasi linearizability with it.
 *
 * A sequence p is quasi linearizable if there is a legal sequence q of the same operations, with the same
 * answers, such that (docs/quasi.md has examples and says why)
 *   - at every position q has an operation of the same class as p, and
 *   - within a class no operation is more than the class's factor of places away from its place in p;
 * or if p becomes such a sequence when operations are appended that take something away: of relaxed
 * classes only, and none that finds nothing (answers null or false). So it is no error to stop while items are inside.
 * Operations in no class stay where they are.
 *
 * A factor as text:
 *     2                   every operation that takes something away is a class with factor 2
 *     deq=2,enq=1         classes with one operation each
 *     pop_front+pop_back=1     one class of two operations
 *     deq+deq/empty=1     operations that answered "empty" (null) belong to no class unless they are listed
 *     all=1               one class of everything; nothing is appended then
 */
#ifndef SPEC_SPEC_QUASI_H
#define SPEC_SPEC_QUASI_H

#include <plumb/spec.h>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "history/history.h"

/* Is the text well formed, and every operation in it one of at least one of the specifications (if there are any)? */
bool spec_quasi_check(const char *factor, const struct plumb_spec *const *specs, uint32_t count,
                      struct diagnostic *d);

/* The relaxed specification, for a factor that was checked; operations that `base` lacks are passed over.
 * `calls` (op, arg and thread) are all calls there are: only these, and removals of what they have as
 * arguments, can be moved or appended. Derived specifications, which know operations by the threads that call them, need
 * all calls of each thread in program order. `base` stays in use, the rest is copied. `result` of a step whose call has PLUMB_ANY is PLUMB_ANY again. */
struct plumb_spec *spec_quasi_new(const struct plumb_spec *base, const char *factor,
                                  const struct plumb_values *values, const struct plumb_call *calls,
                                  size_t count);
void spec_quasi_free(const struct plumb_spec *spec);

/* From now on nothing is appended, whatever the factor: sequences are judged as complete. */
void spec_quasi_append_nothing(const struct plumb_spec *spec);

/* Relaxed specifications have names like "quasi queue (deq=2)". */
#define SPEC_QUASI_PREFIX "quasi "

/* Replaces the specification of every object of a bound history (spec_bind) by its relaxed one, to be freed one by one.
 * False: the factor is no factor, and nothing is replaced. */
bool spec_quasi_relax(const struct history *h, const struct plumb_spec **specs, const char *factor,
                      struct diagnostic *d);

/* What was relaxed, and by how much; null for a specification that is not made here. */
const struct plumb_spec *spec_quasi_base(const struct plumb_spec *spec);
const struct quasi_factor *spec_quasi_factor(const struct plumb_spec *spec);

/* p and q, as the definition has them. */
struct spec_quasi_story {
    VEC(struct plumb_call) p; /* what was asked for, then what was appended; q answers what is pending */
    VEC(struct plumb_call) q;
};

/* Why `calls` is a sequence of the relaxed specification. False: it is none, or the budget is spent. */
bool spec_quasi_explain(const struct plumb_spec *spec, const struct plumb_spec_options *options,
                        const struct plumb_call *calls, size_t count, struct budget *budget,
                        struct spec_quasi_story *story);
void spec_quasi_story_free(struct spec_quasi_story *story);

/* Does an operation add items, or take them away? Known from its letters: what takes something away has no argument and may
 * answer null, or is called "remove"; if there is one, what else has arguments adds. Derived specifications have no
 * letters: their operations are what those of the same name are in built-in ones. PLUMB_NO_ROLE: neither. */
enum plumb_role spec_quasi_role(const struct plumb_spec *spec, uint32_t op);

/* A quasi factor, read. */
enum { QUASI_CLASSES = 16, QUASI_NO_CLASS = 255, QUASI_FACTOR_MOST = 1000 };

struct quasi_factor {
    uint32_t most[QUASI_CLASSES]; /* places that an operation of the class may be away */
    uint32_t classes;
    bool whole; /* nothing may be appended */
    /* By operation, for answers that are something, and for "empty". */
    uint8_t (*class_of)[2];
};

/* Of a text that was checked. The array is the caller's. */
void quasi_factor_read(struct quasi_factor *f, const char *text, const struct plumb_spec *spec);

#endif

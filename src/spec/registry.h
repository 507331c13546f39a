/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in specifications, and how a history is tied to one. */
#ifndef SPEC_REGISTRY_H
#define SPEC_REGISTRY_H

#include <plumb/spec.h>

#include "base/text.h"
#include "history/history.h"

/* All built-in specifications in the order of the documentation. */
extern const struct plumb_spec *const spec_all[];
extern const unsigned spec_count;

/* By name, or by name and parameters: "semaphore(3)", "queue(cap=4, weak)". Null: there is none. The one that was added counts, too. */
const struct plumb_spec *spec_find(const char *name);
/* Why there is none, as a sentence that is the caller's; what is wrong with its parameters alone, the same or null; a built-in name
 * that may be meant, or null. */
char *spec_find_complaint(const char *name);
char *spec_parameters_complaint(const char *name);
const char *spec_nearest(const char *name);
/* An operation that may be meant by a name: of the specification, or of any built-in one (null). Null: none, or it is the name of one. */
const char *spec_nearest_operation(const struct plumb_spec *spec, const char *name);

/* Of specifications with parameters. */

/* The one without any, which has the same operations. */
const struct plumb_spec *spec_root(const struct plumb_spec *spec);
/* The same parameters on another one. */
const struct plumb_spec *spec_on_root(const struct plumb_spec *spec, const struct plumb_spec *root);
/* Is a lock that its holder may take again? */
bool spec_is_recursive(const struct plumb_spec *spec);
/* Can a capacity be among its parameters? */
bool spec_can_be_full(const struct plumb_spec *spec);
/* What a bound was added to, and the bound; null: it was not what was added last. */
const struct plumb_spec *spec_base_of_bounded(const struct plumb_spec *spec, uint64_t *capacity);
const struct plumb_spec *spec_base_of_weak(const struct plumb_spec *spec);
/* What an operation of a weak specification may answer in every state; PLUMB_OK: there is nothing. */
plumb_value spec_weak_failure(const struct plumb_spec *spec, uint32_t op);

/* The specification that the user wrote (spec/spec_user.h): one more to be found. At most one. */
void spec_add(const struct plumb_spec *spec);
const struct plumb_spec *spec_added(void); /* or null */

/* Number of the operation with this name, or UINT32_MAX. */
uint32_t spec_operation(const struct plumb_spec *spec, const char *name);
/* The first with that role; UINT32_MAX: there is none. */
uint32_t spec_operation_that(const struct plumb_spec *spec, enum plumb_role role);

/* Containers, sets and maps come in two halves with one table of operations. The basic one has those that the fast algorithms
 * know. The extended one has all, also those on everything inside (size, drain, ...), and is used where one of these occurs. */
extern const struct plumb_spec *const spec_extensions[];
extern const unsigned spec_extension_count;
/* The other half, with the same parameters; null: it has none. */
const struct plumb_spec *spec_extended(const struct plumb_spec *spec);
const struct plumb_spec *spec_basic(const struct plumb_spec *spec);
/* `spec`, or its extended half if only that has an operation of this name. */
const struct plumb_spec *spec_with_operation(const struct plumb_spec *spec, const char *name);
/* "enq, deq, peek, size, ...": all that `spec` or its extended half has. */
void spec_list_operations(const struct plumb_spec *spec, struct text *out);
/* spec_with_operation for the objects of a history, which all have the specification specs[0]. */
void spec_extend_all(const struct history *h, const struct plumb_spec **specs);

/* Finds for every object the built-in specification that has every operation used on it (ties are decided
 * by the order of spec_all), and stores it in specs[object]; specs[0] in any case. False and a diagnostic
 * when an object has none. */
bool spec_infer_all(const struct history *h, const struct plumb_spec **specs, struct diagnostic *d);

/* Ties every operation of the history to its object's specification: checks names, arguments and
 * results, and replaces history_op.op by the specification's operation number. `specs[object]` for
 * every object. Called once per history. On failure: diagnostic with the line of the operation. */
bool spec_bind(struct history *h, const struct plumb_spec *const *specs, struct diagnostic *d);

/* The same for operations one by one, as they come; `names` has their names, and may get more of them. */
struct spec_binder;
struct spec_binder *spec_binder_create(const struct history *names);
bool spec_binder_bind(struct spec_binder *b, const struct plumb_spec *spec, struct history_op *op,
                      uint64_t line, struct diagnostic *d);
void spec_binder_destroy(struct spec_binder *b);

/* A queue, stack, deque, priority queue or bag that starts empty: its legal sequences stay legal when all operations on one value are
 * left out. Not one that starts with items: without the removals of what is in front, those of the rest are illegal. */
bool spec_is_container(const struct plumb_spec *spec);
/* A register, or one key of map and kv: the same. */
bool spec_is_register(const struct plumb_spec *spec);

/* Helpers over the interface, with the defaults of its optional members filled in. */
void *spec_init(const struct plumb_spec *spec, const struct plumb_spec_options *options);
bool spec_blocks(const struct plumb_spec *spec, const void *state, const struct plumb_call *call);
bool spec_accepts(const struct plumb_spec *spec, const void *state);
bool spec_effect_free(const struct plumb_spec *spec, const struct plumb_call *call);

#endif

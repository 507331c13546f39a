/* SPDX-License-Identifier: Apache-2.0 */
/* Cores: the smallest part of a history that already has no legal order.
 *
 * Only deletions that cannot turn a legal history into an illegal one are tried, so a violated core implies a
 * violated history: single operations that change no state; for containers, all operations on one value;
 * for registers, all operations on one written value. The result is minimal under these
 * (docs/internals/monitor/cores.md). */
#ifndef MONITOR_CORE_H
#define MONITOR_CORE_H

#include "monitor/deciders.h"
#include "monitor/monitor.h"
#include "monitor/part.h"

/* Shrinks the violated part `*p` in place (it is replaced by a restriction of it and must be freed). `fast` decides
 * candidates where it can, the general search elsewhere. `initial`: the part starts from this state (may be null);
 * then only reads and, of a register, writes are deleted. Returns whether the result is known to be minimal: work is bounded
 * on very large cores. */
bool core_minimise(struct part *p, const void *initial, decider *fast, struct budget *budget);

/* Operations of a core that never returned, or only after the violation was certain. */

/* Of a container: pending removals beyond the number of items that they could take. Of several the earliest stay, which
 * can do whatever the later ones can. */
void core_drop_surplus_removals(struct part *p);

typedef VEC(uint32_t) core_ops; /* indices into the history */

/* If there are more than a few optional operations: takes those out of the violated `*core` (it is replaced), and adds them
 * to `left_out`, without which it is legal up to its last return all the same, and from which the answer of that does
 * not seem to come. What is left is violated, too: it has fewer ways out. That the core is violated *with* them has to be
 * established before. */
void core_leave_out(struct part *core, const void *initial, struct budget *budget, core_ops *left_out);

/* What operations of a register, or of one key of a map or kv, write and see. */

/* A cas that may have exchanged two values, but cannot have failed: if it did, it need not have been there. */
bool core_is_exchange(const struct part *p, uint32_t i);

/* PLUMB_OK: none. */
plumb_value core_written_value(const struct part *p, uint32_t i);
plumb_value core_seen_value(const struct part *p, uint32_t i);

/* Only reads, writes and exchanges? */
bool core_has_plain_writers(const struct part *p);

/* Of keyed objects, parts with equal stamps have several. */
bool core_has_one_key(const struct part *p);

/* Marks the writers of a part with plain writers and one key that no operation can have read from in any legal order: each operation that saw their
 * value had returned before, or was called after another writer that came after this one. */
void core_find_unread(const struct part *p, uint8_t *unread);

/* The same for one key with puts and appends of strings: their strings are in no answer. None of very many. */
void core_find_unshown(const struct part *p, uint8_t *unshown);

/* From "an algorithm says violated" to a violation that can be shown: shrink, confirm, explain. */

/* `d->core` of `p` was found by the algorithm called `found_by` (`fast`, or the general search when null).
 * Null when no second route could confirm it within the budget. */
struct monitor_violation *violation_build(const struct part *p, decider *fast, const char *found_by,
                                          const struct decision *d, struct budget *budget);
void violation_free(struct monitor_violation *v);

/* The state as text, which is the caller's. */
char *violation_print_state(const struct plumb_spec *spec, const void *state);

/* "the kv would answer "ab" or "ba"" */
void violation_print_answers(struct text *t, const struct part *p, const monitor_answers *answers);

/* why.c: the sentence for a minimal core, and the guilty operation (index in `core`). The sentence is the caller's;
 * *guilty comes in as the best guess.
 * `initial`: the core starts from this state, or null. `v` has the attempts. `stuck`: the operation at which the longest one ends (or UINT32_MAX). */
char *why_sentence(const struct part *core, const void *initial, const struct monitor_violation *v,
                   uint32_t stuck, uint32_t *guilty);

/* why_answers.c: adds a sentence about the answer of `stuck`, by what was possible in all orders. False: nothing is added, they fail in
 * several ways. */
bool why_answers(struct text *t, const struct part *core, const void *initial,
                 const struct monitor_violation *v, uint32_t stuck);

/* why_reads.c: the same for a set that grows and is read as a whole. False: it is something else. */
bool why_reads(struct text *t, const struct part *core, uint32_t *guilty);

/* Prints a sentence about operations of `p`: %o is an operation (uint32_t), %v a value, %u a number, %s a text. */
void why_print(struct text *t, const struct part *p, const char *format, ...);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Quasi linearizability of histories: the algorithms for relaxed containers as a decider, the certificate of "holds" and
 * the explanation of "violated". */
#ifndef MONITOR_QUASI_H
#define MONITOR_QUASI_H

#include "monitor/certificate.h"
#include "monitor/deciders.h"
#include "monitor/monitor.h"

/* Decides a part whose specification is a relaxed one (spec/quasi/spec_quasi.h). d->quasi keeps what was found. */
decider quasi_decide;

/* The same with other shortcuts (quasi_items.h), to confirm a violation: only the answer. */
enum verdict quasi_decide_again(const struct part *p, unsigned shortcuts, struct budget *budget);

/* The same with another factor; the operation whose factor that is (part of one that quasi_decide decides). */
enum verdict quasi_decide_with(const struct part *p, uint32_t factor, struct budget *budget);
uint32_t quasi_moving_op(const struct part *p);

/* The name of the algorithm for the relaxed specification; null: there is none. */
const char *quasi_method(const struct plumb_spec *spec);

/* Checks a legal order of a relaxed specification, from quasi_decide or the general search, with both sequences. Null: it
 * is one, or (budget->spent) it is not known; else what is wrong. */
const char *quasi_certify(struct certificate *c, const struct part *p, const struct decision *d,
                          const uint32_t *order, struct budget *budget);

/* A violation that quasi_decide found; null when no second route could confirm it. */
struct monitor_violation *quasi_violation(const struct part *p, const char *found_by,
                                          const struct decision *d, struct budget *budget);

/* Is the violation that quasi_decide found one with any factor? */
bool quasi_is_beyond_factors(const struct decision *d);

/* Adds how far quasi_decide came before a limit: "; 12 of 300 removals have places". */
void quasi_add_progress(struct text *t, const struct part *p, const struct decision *d);

/* A factor below which no history like this one is accepted. */
uint32_t quasi_lower_bound(const struct part *p);

#endif

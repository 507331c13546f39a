/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample as a list of numbers, for recordings (target/trace_file.h): what was asked, as far as a run depends on it, which variables
 * are written, the steps with the choices in them, and what was answered. */
#ifndef PROVING_PROVING_RECORD_H
#define PROVING_PROVING_RECORD_H

#include "base/vec.h"
#include "prove/prove_shared.h"

typedef VEC(int64_t) record_numbers;

void proving_record_write(const struct prove_shared *s, record_numbers *out);

/* Any numbers. False: they are no record of this version. `s` is filled in as far as the record goes. */
bool proving_record_read(struct prove_shared *s, const int64_t *numbers, size_t count);

#endif

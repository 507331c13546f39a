/* SPDX-License-Identifier: Apache-2.0 */
/* All histories of a run as one file (--record): every round is an object of its own, "round 17". */
#ifndef STRESS_RECORDER_H
#define STRESS_RECORDER_H

#include "stress/stress_harness.h"
#include "stress/stress_records.h"

struct stress_recorder;

/* Binary if the name ends in .bin, else JSON lines. Null, with errno: it cannot be written. */
struct stress_recorder *stress_recorder_open(const char *path, const struct stress_harness *h);

/* The calls of the log from number `from` on: a complete segment of that round, of which segments come in order. */
void stress_recorder_add(struct stress_recorder *r, const struct stress_log *log, size_t from,
                         uint64_t round);

/* False, with errno: not everything was written. Null is fine. */
bool stress_recorder_close(struct stress_recorder *r);

#endif

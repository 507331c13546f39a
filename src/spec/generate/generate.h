/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic histories: threads that run random operations of a specification,
 * each taking effect at a random moment between its call and its return.
 * Linearizable by construction, unless `broken`. Same settings, same history. */
#ifndef SPEC_GENERATE_H
#define SPEC_GENERATE_H

#include <plumb/spec.h>

#include <stdio.h>

struct generate_settings {
    uint64_t ops;     /* completed operations to write */
    uint32_t threads; /* at least 1 */
    uint64_t seed;
    uint32_t keys;   /* for set, map, kv...: how many different keys; 0: the specification's default */
    uint32_t inside; /* of containers: so many items stay inside, so that they are not empty; 0: any number */
    bool broken;     /* ends in an episode that no order explains */
    bool stream;     /* calls and returns in the order of time (history/events.h); `ops` 0: without end */
    double rate;     /* of a stream: events per second; 0: as fast as they are read */
};

/* Writes JSON lines to `out`. False when the specification has no generator, or `inside` makes no sense for it. */
bool generate_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out);

#endif

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
    /* For set, map, kv...: how many different keys; 0: the specification's default */
    uint32_t keys;
    /* Of containers: so many items stay inside, so that they are not empty; 0: any number */
    uint32_t inside;
    bool broken; /* ends in an episode that no order explains */
    /* Calls and returns in the order of time (history/events.h); `ops` 0: without end */
    bool stream;
    double rate; /* of a stream: events per second; 0: as fast as they are read */
};

/* Writes JSON lines to `out`. False when the specification has no generator, or `inside` makes no sense for it. */
bool generate_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out);

/* The same for any specification, without a plan (spec/generate/generate_plan.h): calls at random, by the letters of the
 * operations. Not with `inside` or `broken`. False: all threads wait forever. */
bool generate_own_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out);

/* Random calls of a specification, made from nothing but the letters of its operations. */
struct spec_sampler {
    const struct plumb_spec *spec;
    struct plumb_values *values;
    uint64_t random; /* seed at first */
};

uint64_t spec_sample_number(struct spec_sampler *s, uint64_t below);

/* Some operation with small arguments of the kinds it takes, so that calls often meet; its result is PLUMB_ANY. */
struct plumb_call spec_sample_call(struct spec_sampler *s, uint32_t threads);

#endif

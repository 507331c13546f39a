/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls of a specification, made from nothing but the letters of its operations. */
#ifndef SPEC_SPEC_SAMPLE_H
#define SPEC_SPEC_SAMPLE_H

#include <plumb/spec.h>

struct spec_sampler {
    const struct plumb_spec *spec;
    struct plumb_values *values;
    uint64_t random; /* seed at first */
};

uint64_t spec_sample_number(struct spec_sampler *s, uint64_t below);

/* Some operation with small arguments of the kinds it takes, so that calls often meet; its result is PLUMB_ANY. */
struct plumb_call spec_sample_call(struct spec_sampler *s, uint32_t threads);

#endif

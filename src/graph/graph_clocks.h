/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of events: for each thread, how many of its events are included. Eight lanes at a time; signed, because
 * that is the maximum every x86 has. */
#ifndef GRAPH_GRAPH_CLOCKS_H
#define GRAPH_GRAPH_CLOCKS_H

#include <stdint.h>

typedef int16_t clock_lanes __attribute__((vector_size(16), aligned(2), may_alias));
enum { CLOCK_LANES = 8 };

static inline void clock_copy(int16_t *into, const int16_t *from, uint32_t width)
{
    *(clock_lanes *)into = *(const clock_lanes *)from;
    for (uint32_t i = CLOCK_LANES; i < width; i += CLOCK_LANES)
        *(clock_lanes *)(into + i) = *(const clock_lanes *)(from + i);
}

static inline void clock_clear(int16_t *into, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += CLOCK_LANES)
        *(clock_lanes *)(into + i) = (clock_lanes){0};
}

static inline void clock_join_lanes(int16_t *into, const int16_t *from)
{
    clock_lanes a = *(const clock_lanes *)into, b = *(const clock_lanes *)from;
    clock_lanes greater = a > b;
    *(clock_lanes *)into = (a & greater) | (b & ~greater);
}

static inline void clock_join(int16_t *into, const int16_t *from, uint32_t width)
{
    clock_join_lanes(into, from);
    for (uint32_t i = CLOCK_LANES; i < width; i += CLOCK_LANES)
        clock_join_lanes(into + i, from + i);
}

#endif

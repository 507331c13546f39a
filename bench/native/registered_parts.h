/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a harness that registers itself (plumb.h), for programs that call them on real threads. */
#ifndef BENCH_REGISTERED_PARTS_H
#define BENCH_REGISTERED_PARTS_H

#include <plumb.h>

#include <string.h>

enum { PARTS_MAX = 32 };

static const struct plumb_part *parts[PARTS_MAX];
static unsigned part_count;
static _Thread_local unsigned thread_number;

void plumb_register(const struct plumb_part *part)
{
    if (part_count < PARTS_MAX)
        parts[part_count++] = part;
}

unsigned plumb_thread(void)
{
    return thread_number;
}

static const struct plumb_part *find_part(enum plumb_part_kind kind, const char *name)
{
    for (unsigned i = 0; i < part_count; i++)
        if (parts[i]->kind == kind && (!name || strcmp(parts[i]->name, name) == 0))
            return parts[i];
    return NULL;
}

static plumb_value run(const struct plumb_part *part, int64_t argument)
{
    const struct plumb_argument a[PLUMB_ARGUMENTS_MAX] = {{argument, NULL}};
    return part ? part->run(a) : PLUMB_NONE;
}

#endif

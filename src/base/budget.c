/* SPDX-License-Identifier: Apache-2.0 */
#include "base/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include <time.h>

double base_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct budget budget_start(double seconds, size_t bytes)
{
    return (struct budget){
        .deadline = seconds > 0 ? base_now() + seconds : 0,
        .bytes_max = bytes,
    };
}

struct budget budget_within(const struct budget *whole, size_t bytes)
{
    return (struct budget){.deadline = whole->deadline, .stop = whole->stop, .bytes_max = bytes};
}

bool budget_time_is_up(struct budget *b)
{
    if (!b->spent && b->deadline > 0 && base_now() > b->deadline)
        b->spent = BUDGET_TIME;
    if (!b->spent && b->stop && *b->stop)
        b->spent = BUDGET_INTERRUPTED;
    return b->spent != BUDGET_LEFT;
}

uint64_t base_memory_there_is(void)
{
    uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), limit;
    FILE *group = fopen("/sys/fs/cgroup/memory.max", "re");
    if (group) {
        if (fscanf(group, "%" SCNu64, &limit) == 1 && limit < physical)
            physical = limit;
        fclose(group);
    }
    return physical;
}

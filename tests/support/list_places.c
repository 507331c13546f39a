/* SPDX-License-Identifier: Apache-2.0 */
/* usage: list_places PROGRAM
 * For each atomic access of a program that plumb-cc built: is it known what matters there (docs/internals/explore/folding.md)? If not,
 * why. The last line says of how many of them it is. */
#include "target/code/liveness.h"

#include <inttypes.h>
#include <stdio.h>

static unsigned known, all;

static void list(void *context, const char *function, uint64_t pc, const char *why, uint64_t at)
{
    (void)context;
    known += !why;
    all++;
    printf("%" PRIx64 " %s: %s", pc, function, why ? why : "known");
    if (at)
        printf(" (%" PRIx64 ")", at);
    puts("");
}

int main(int argc, char **argv)
{
    static struct fold_places places;
    struct liveness_listener listener = {.place = list};
    if (argc != 2)
        return 2;
    liveness_find(argv[1], &places, &listener);
    for (uint32_t k = 0; k < places.count; k++)
        if (places.list[k].is_patient)
            printf("%" PRIx64 ": a loop around it gives up\n", places.list[k].pc);
    printf("%u of %u known, %u calls of functions that lead to them\n", known, all, places.call_count);
    return 0;
}

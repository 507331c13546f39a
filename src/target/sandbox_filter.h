/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of --sandbox: system calls that a program may make, some with certain arguments only. Whatever is not listed is refused,
 * calls of newer systems too. */
#ifndef TARGET_SANDBOX_FILTER_H
#define TARGET_SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

enum { SANDBOX_INSTRUCTIONS_MAX = 2048, SANDBOX_OWN_PLACES_MAX = 32 };

struct sandbox_filter {
    struct sock_filter list[SANDBOX_INSTRUCTIONS_MAX];
    unsigned short length;
    /* Instructions that compare with the number of the process, which is not known yet */
    unsigned short own_places[SANDBOX_OWN_PLACES_MAX];
    unsigned own_count;
};

/* `scoped`: something else keeps signals within the program, which may then send them to its children and threads. */
void sandbox_filter_build(struct sandbox_filter *f, bool scoped);
void sandbox_filter_set_own(struct sandbox_filter *f, uint32_t process);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How the tool knows that what lies in the memory it shares with a program under test is what the runtime found out: the tool
 * puts a key there, the runtime takes it away before code of the program runs, keeps it where no stray store reaches it, and
 * signs its result with it. A program that sets the result itself, or writes over it, has no valid signature (SECURITY.md). */
#ifndef SEAL_SIGN_OFF_H
#define SEAL_SIGN_OFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the shared memory. */
struct sign_off {
    uint64_t key;       /* 0: taken away */
    uint64_t signature; /* 0: none */
};

/* A part of what is signed. */
struct sign_off_part {
    const void *bytes;
    size_t size;
};

/* By the tool, before the program is started: the key, which it keeps. Never 0. */
uint64_t sign_off_issue(struct sign_off *s);
bool sign_off_is_valid(const struct sign_off *s, uint64_t key, const struct sign_off_part *parts,
                       size_t count);

/* By the runtime, once, before code of the program runs. */
void sign_off_take(struct sign_off *s);
/* False: the key is gone. */
bool sign_off_sign(struct sign_off *s, const struct sign_off_part *parts, size_t count);

#endif

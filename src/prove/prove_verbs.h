/* SPDX-License-Identifier: Apache-2.0 */
/* What threads do, in words: for reports and debuggers. */
#ifndef PROVE_PROVE_VERBS_H
#define PROVE_PROVE_VERBS_H

#include "prove/prove_hooks.h"

/* By the kinds of prove/prove_hooks.h. */
static const char *const prove_verbs[] = {
    [0] = "goes on",
    [PROVE_READ] = "read",
    [PROVE_WRITE] = "write",
    [PROVE_READ_RANGE] = "read",
    [PROVE_WRITE_RANGE] = "write",
    [PROVE_LOAD] = "load",
    [PROVE_STORE] = "store",
    [PROVE_EXCHANGE] = "exchange",
    [PROVE_ADD] = "add",
    [PROVE_SUB] = "subtract",
    [PROVE_AND] = "and",
    [PROVE_OR] = "or",
    [PROVE_XOR] = "xor",
    [PROVE_NAND] = "nand",
    [PROVE_CAS] = "compare and swap",
    [PROVE_CAS_VALUE] = "compare and swap",
    [PROVE_MALLOC] = "malloc",
    [PROVE_CALLOC] = "calloc",
    [PROVE_ALIGNED] = "aligned_alloc",
    [PROVE_FREE] = "free",
    [PROVE_LOCK] = "lock",
    [PROVE_TRYLOCK] = "try to lock",
    [PROVE_UNLOCK] = "unlock",
    [PROVE_LOCK_INIT] = "init",
    [PROVE_LOCK_DESTROY] = "destroy",
    [PROVE_YIELD] = "yield",
    [PROVE_ABORT] = "abort",
    [PROVE_ASSERT] = "assert",
    [PROVE_COPY] = "copy",
    [PROVE_FILL] = "fill",
    [PROVE_CAS_LOADED] = "compare and swap",
    [PROVE_CAS_FAILED] = "compare and swap: write back to",
    [PROVE_FENCE] = "fence",
    [PROVE_COND_WAIT] = "wait for",
    [PROVE_COND_WAIT_CXX] = "wait for",
    [PROVE_COND_SIGNAL] = "signal",
    [PROVE_COND_BROADCAST] = "wake all of",
    [PROVE_COND_INIT] = "init",
    [PROVE_COND_DESTROY] = "destroy",
    [PROVE_COND_WAITING] = "woken for no reason:",
    [PROVE_COND_WOKEN] = "the mutex again, woken:",
};

enum { PROVE_VERBS = sizeof prove_verbs / sizeof *prove_verbs };

static inline const char *prove_verb(unsigned kind)
{
    return kind < PROVE_VERBS && prove_verbs[kind] ? prove_verbs[kind] : prove_verbs[0];
}

#endif

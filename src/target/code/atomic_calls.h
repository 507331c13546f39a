/* SPDX-License-Identifier: Apache-2.0 */
/* The atomic accesses and fences of a program: its calls of the functions that announce them, found in its machine code. */
#ifndef TARGET_ATOMIC_CALLS_H
#define TARGET_ATOMIC_CALLS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum atomic_kind { ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_UPDATE, ATOMIC_CAS, ATOMIC_FENCE };

struct atomic_call {
    uint64_t pc; /* where it returns to, from the start of the program */
    enum atomic_kind kind;
    /* As the code passes them (enum memory_order_tag); ORDER_PLAIN: no constants */
    uint8_t order, failure;
};

typedef VEC(struct atomic_call) atomic_calls; /* by pc */

/* Empty when the code cannot be read. */
void atomic_calls_find(const char *path, atomic_calls *out);

#endif

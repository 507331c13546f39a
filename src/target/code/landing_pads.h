/* SPDX-License-Identifier: Apache-2.0 */
/* Where a call goes on that throws an exception: the tables of call sites that compilers write for functions with cleanups
 * and handlers. */
#ifndef TARGET_LANDING_PADS_H
#define TARGET_LANDING_PADS_H

#include "base/vec.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

struct landing_site {
    uint64_t from, to; /* calls in between */
    uint64_t pad;
};

struct landing_pads {
    VEC(struct landing_site) sites; /* by address */
};

/* False: the file has tables that cannot be read. Freed in any case. */
bool landing_pads_find(struct landing_pads *p, Elf *elf);
void landing_pads_free(struct landing_pads *p);

/* Of the call at an address; 0: none. */
uint64_t landing_pads_of(const struct landing_pads *p, uint64_t call);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a program that plumb-cc did not compile: assembly, objects and static libraries that were linked in. They
 * access memory and call no hook. Found in objdump's listing, on x86-64. */
#ifndef TARGET_FOREIGN_H
#define TARGET_FOREIGN_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { FOREIGN_NAME = 128 };

struct foreign_range {
    uint64_t from, to;
};

struct foreign {
    VEC(char *) functions;
    /* of the function that is being read: */
    char name[FOREIGN_NAME];
    bool has_hook, has_access;
    /* addresses of variables that can change: */
    VEC(struct foreign_range) variables;
    struct foreign_range constant; /* among them, since the program was loaded */
};

void foreign_begin(struct foreign *f, const char *path);
void foreign_read_line(struct foreign *f, const char *line); /* of the listing */
void foreign_end(struct foreign *f);                         /* `functions` is complete */
void foreign_free(struct foreign *f);

#endif

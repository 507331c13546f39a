/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of a program, for struct variables (engine/shared/protocol.h). */
#ifndef TARGET_SYMBOLS_VARIABLES_H
#define TARGET_SYMBOLS_VARIABLES_H

#include "base/vec.h"
#include "engine/shared/protocol.h"

struct variable_list {
    VEC(struct variable) all; /* as struct variables has them */
    uint32_t static_count, thread_count, lost;
    bool is_read; /* else the file is no program, or cannot be read */
};

/* Empty when the file says nothing. */
struct variable_list variables_of_program(const char *path);
void variables_free(struct variable_list *v);

#endif

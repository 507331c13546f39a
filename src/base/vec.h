/* SPDX-License-Identifier: Apache-2.0 */
/* Growable arrays of any type: `VEC(int) v = {0}; vec_push(&v, 3); v.data[0]`.
 * Freed with vec_free. Running out of memory ends the process (base/memory.h). */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/memory.h"

#define VEC(type)   \
    struct {        \
        type *data; \
        size_t len; \
        size_t cap; \
    }

#define vec_reserve(v, n) \
    ((n) <= (v)->cap ? (void)0 : (void)((v)->data = base_grow((v)->data, &(v)->cap, (n), sizeof *(v)->data)))

#define vec_push(v, x) (vec_reserve((v), (v)->len + 1), (void)((v)->data[(v)->len++] = (x)))
#define vec_pop(v) ((v)->data[--(v)->len])
#define vec_last(v) ((v)->data[(v)->len - 1])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_free(v) (free((v)->data), (void)((v)->data = NULL, (v)->len = (v)->cap = 0))

#endif

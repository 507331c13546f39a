/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_merge.h"

/* Equal stamps overlap: calls come first. */
static bool is_before(const struct stress_cursor *a, const struct stress_cursor *b)
{
    int64_t first = stress_cursor_time(a), second = stress_cursor_time(b);
    return first < second || (first == second && !a->returns && b->returns);
}

static void sift_down(struct stress_merge *m, size_t at)
{
    struct stress_cursor *heap = m->heap.data;
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < m->heap.len; child++)
            if (is_before(&heap[child], &heap[least]))
                least = child;
        if (least == at)
            return;
        struct stress_cursor other = heap[at];
        heap[at] = heap[least];
        heap[least] = other;
        at = least;
    }
}

void stress_merge_begin(struct stress_merge *m, const struct stress_log *log, size_t from)
{
    const struct stress_call *all = log->calls.data;
    vec_clear(&m->heap);
    for (size_t i = from; i < log->calls.len;) {
        size_t end = i + 1;
        while (end < log->calls.len && all[end].thread == all[i].thread)
            end++;
        vec_push(&m->heap, ((struct stress_cursor){all + i, all + end, false}));
        i = end;
    }
    for (size_t k = m->heap.len; k-- > 0;)
        sift_down(m, k);
}

void stress_merge_next(struct stress_merge *m)
{
    struct stress_cursor *c = &m->heap.data[0];
    if (c->returns)
        c->at++;
    c->returns = !c->returns;
    if (c->at == c->end) {
        struct stress_cursor last = vec_pop(&m->heap);
        if (m->heap.len)
            m->heap.data[0] = last;
    }
    if (m->heap.len)
        sift_down(m, 0);
}

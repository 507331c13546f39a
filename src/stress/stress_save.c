/* SPDX-License-Identifier: Apache-2.0 */
/* The history of a round as a file. */
#include "history/jsonl.h"
#include "stress/stress_state.h"

#include <stdio.h>

bool stress_save_history(const struct stress_state *s, const struct stress_log *log, uint32_t object)
{
    FILE *file = s->run->options.save ? fopen(s->run->options.save, "we") : NULL;
    if (!file)
        return false;
    struct history *h = stress_history(log, &s->run->harness, object, stress_log_base(log), 0);
    for (size_t i = 0; i < h->ops.len; i++)
        jsonl_write_op(file, h, i);
    history_destroy(h);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/search/search_state.h"

#include "base/check.h"

#include <string.h>

enum { COLLECT_FIRST_AT = 4096 };

void log_init(struct step_log *log, struct account *account)
{
    *log = (struct step_log){.account = account, .collect_at = COLLECT_FIRST_AT};
}

void log_free(struct step_log *log)
{
    free(log->entries);
    free(log->marks);
    *log = (struct step_log){0};
}

static bool log_reserve(struct step_log *log)
{
    if (log->len < log->cap)
        return true;
    size_t cap = account_grow(log->account, log->cap, sizeof *log->entries + sizeof *log->marks);
    if (!cap)
        return false;
    log->entries = base_realloc(log->entries, cap * sizeof *log->entries);
    log->marks = base_realloc(log->marks, cap * sizeof *log->marks);
    log->cap = cap;
    return true;
}

uint32_t log_append(struct step_log *log, uint32_t parent, uint32_t op)
{
    if (!log_reserve(log))
        return LOG_ROOT;
    CHECK(log->len < LOG_ROOT);
    log->entries[log->len] = (struct log_entry){op, parent};
    return (uint32_t)log->len++;
}

void log_flush(struct step_log *log, uint32_t entry, struct decision *d)
{
    size_t first = d->witness.len;
    for (uint32_t e = entry; e != LOG_ROOT; e = log->entries[e].parent)
        vec_push(&d->witness, log->entries[e].op);
    for (size_t i = first, j = d->witness.len; i + 1 < j; i++, j--) {
        uint32_t op = d->witness.data[i];
        d->witness.data[i] = d->witness.data[j - 1];
        d->witness.data[j - 1] = op;
    }
    log->len = 0;
}

/* Counts in marks how many living children and nodes refer to each entry; returns the same for the root. */
static uint32_t count_references(struct step_log *log, const struct level *level)
{
    uint32_t root = 0;
    memset(log->marks, 0, log->len * sizeof *log->marks);
    for (size_t i = 0; i < level->len; i++)
        ++*(level->nodes[i].log == LOG_ROOT ? &root : &log->marks[level->nodes[i].log]);
    for (size_t e = log->len; e-- > 0;) {
        uint32_t parent = log->entries[e].parent;
        if (log->marks[e])
            ++*(parent == LOG_ROOT ? &root : &log->marks[parent]);
    }
    return root;
}

/* Moves living entries together, from reference counts to new places in marks. As long as the last entry
 * of the common beginning has a single reference, the next living entry continues that beginning. */
static void move_entries(struct step_log *log, uint32_t references, struct decision *d)
{
    size_t kept = 0;
    for (size_t e = 0; e < log->len; e++) {
        uint32_t own = log->marks[e], parent = log->entries[e].parent;
        if (!own)
            continue;
        if (references == 1) {
            vec_push(&d->witness, log->entries[e].op);
            log->marks[e] = LOG_ROOT;
            references = own;
            continue;
        }
        uint32_t moved = parent == LOG_ROOT ? LOG_ROOT : log->marks[parent];
        log->entries[kept] = (struct log_entry){log->entries[e].op, moved};
        log->marks[e] = (uint32_t)kept++;
    }
    log->len = kept;
}

void log_collect(struct step_log *log, struct level *level, struct decision *d)
{
    if (level->len == 1) {
        log_flush(log, level->nodes[0].log, d);
        level->nodes[0].log = LOG_ROOT;
        return;
    }
    if (log->len < log->collect_at)
        return;
    move_entries(log, count_references(log, level), d);
    for (size_t i = 0; i < level->len; i++)
        if (level->nodes[i].log != LOG_ROOT)
            level->nodes[i].log = log->marks[level->nodes[i].log];
    log->collect_at = COLLECT_FIRST_AT + 2 * log->len;
}

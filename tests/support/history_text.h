/* SPDX-License-Identifier: Apache-2.0 */
/* Histories for tests, written as the JSON lines a user would write. */
#ifndef TESTS_HISTORY_TEXT_H
#define TESTS_HISTORY_TEXT_H

#include "history/jsonl.h"
#include "monitor/monitor.h"
#include "spec/registry.h"

#include <stdio.h>
#include <string.h>

/* A bound history of the named specification; ends the test program when the text is not one. */
static inline struct history *history_from_text(const char *text, const char *spec_name)
{
    struct history *h = history_create();
    struct diagnostic d = {.code = 0};
    const struct plumb_spec *specs[8];
    for (size_t k = 0; k < 8; k++)
        specs[k] = spec_find(spec_name);
    if (!jsonl_read_memory(h, text, strlen(text), &d) || !spec_bind(h, specs, &d)) {
        fprintf(stderr, "bad test history: %llu:%llu: %s\n", (unsigned long long)d.line,
                (unsigned long long)d.column, d.message);
        abort();
    }
    return h;
}

struct judged {
    struct history *h;
    struct plumb_spec_options options;
    struct monitor_result result;
};

/* Decides the text; free with judged_free. */
static inline struct judged judge_text(const char *text, const char *spec_name, bool only_general)
{
    struct judged j = {.h = history_from_text(text, spec_name)};
    j.options = (struct plumb_spec_options){.values = j.h->values, .initial = PLUMB_OK};
    const struct plumb_spec *specs[8];
    for (size_t k = 0; k < 8; k++)
        specs[k] = spec_find(spec_name);
    struct budget budget = budget_start(0, 0);
    struct monitor_settings settings = {
        .options = &j.options, .specs = specs, .budget = &budget, .only_general = only_general};
    struct diagnostic d = {.code = 0};
    if (!monitor_history(j.h, &settings, &j.result, &d)) {
        fprintf(stderr, "bad test history: %s\n", d.message);
        abort();
    }
    return j;
}

static inline void judged_free(struct judged *j)
{
    monitor_result_free(&j->result);
    history_destroy(j->h);
}

#endif

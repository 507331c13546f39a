/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `plumb check` as JSON: docs/json.md. */
#include "base/json_writer.h"
#include "cli/check.h"
#include "cli/check_events.h"
#include "cli/check_progress.h"
#include "cli/check_report.h"
#include "cli/output.h"

#include <stdlib.h>
#include <sys/resource.h>

static void add_error_json(struct json_writer *w, const struct check *c)
{
    const struct worker_shared *s = target_shared(c->result.found);
    char *place = check_report_place(target_shared(c->confirmation.again));
    json_member(w, "error", check_error_word(s->error.kind));
    json_key(w, "counterexample"), json_open_object(w);
    json_member(w, "kind", check_error_word(s->error.kind));
    json_member(w, "why", s->error.message);
    json_member(w, "phase", check_phase_word(s->error.phase));
    if (place)
        json_member(w, "place", place);
    json_key(w, "execution"), json_uint(w, check_guilty_execution(c));
    const struct worker_shared *shown = target_shared(c->confirmation.again),
                               *told = c->confirmation.told ? shown : s;
    json_key(w, "steps"), json_uint(w, (uint64_t)told->event_count + told->events_lost);
    json_member(w, "confirmed_by",
                s->history_length  ? "replay in a new process, monitor"
                : s->judged_partly ? "replay in a new process, another search"
                                   : "replay in a new process");
    if (c->options.mode == WORKER_GRAPH)
        json_member(w, "memory", check_memory_name(&c->options));
    if (check_sc_word(&c->sc))
        json_member(w, "under_sc", check_sc_word(&c->sc));
    if (c->trace)
        json_member(w, "trace", c->trace);
    check_events_json(w, shown);
    json_close_object(w);
    free(place);
}

bool check_write_json(const struct check *c, double seconds)
{
    FILE *file = output_open(c->options.json);
    if (!file)
        return false;
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", "plumb 0.1");
    json_member(w, "command", "check");
    json_member(w, "verdict", c->verdict);
    json_key(w, "limits"), json_open_array(w);
    for (size_t k = 0; k < c->limits.len; k++)
        json_string(w, c->limits.data[k]);
    json_close_array(w);
    if (c->failure.len)
        json_member(w, "message", c->failure.data);
    json_key(w, "executions"), json_uint(w, c->result.executions);
    json_key(w, "blocked"), json_uint(w, c->result.blocked);
    if (c->options.mode == WORKER_GRAPH)
        json_key(w, "revisits"), json_uint(w, c->result.revisits);
    if (check_is_violated(c))
        add_error_json(w, c);
    json_key(w, "stats"), json_open_object(w);
    json_key(w, "seconds");
    text_printf(&t, "%.3f", seconds);
    writer.comma = true;
    json_key(w, "peak_kib"), json_uint(w, (uint64_t)usage.ru_maxrss);
    if (c->result.estimate > 0)
        check_progress_add_json(w, &c->result);
    json_close_object(w);
    json_close_object(w);
    text_puts(&t, "\n");
    output_text(file, &t);
    text_free(&t);
    return output_close(file, c->options.json);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/witness.h"

#include "report/xml.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* Every name that is used below, and what it belongs to. */
static const struct {
    const char *name, *of, *type, *otherwise; /* otherwise: the value where none is given, or null */
} keys[] = {
    {"witness-type", "graph", "string", NULL}, {"sourcecodelang", "graph", "string", NULL},
    {"producer", "graph", "string", NULL},     {"specification", "graph", "string", NULL},
    {"programfile", "graph", "string", NULL},  {"programhash", "graph", "string", NULL},
    {"architecture", "graph", "string", NULL}, {"creationtime", "graph", "string", NULL},
    {"entry", "node", "boolean", "false"},     {"violation", "node", "boolean", "false"},
    {"startline", "edge", "int", NULL},        {"threadId", "edge", "string", NULL},
    {"createThread", "edge", "string", NULL},  {"enterFunction", "edge", "string", NULL},
};

static void add_keys(struct text *out)
{
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        text_printf(out, "  <key id=\"%s\" attr.name=\"%s\" attr.type=\"%s\" for=\"%s\"", keys[k].name,
                    keys[k].name, keys[k].type, keys[k].of);
        if (keys[k].otherwise)
            text_printf(out, "><default>%s</default></key>\n", keys[k].otherwise);
        else
            text_puts(out, "/>\n");
    }
}

static void add_data(struct text *out, const char *margin, const char *key, const char *value)
{
    text_printf(out, "%s<data key=\"%s\">", margin, key);
    xml_add(out, value);
    text_puts(out, "</data>\n");
}

static void add_number(struct text *out, const char *key, uint32_t number)
{
    text_printf(out, "      <data key=\"%s\">%" PRIu32 "</data>\n", key, number);
}

static void add_head(struct text *out, const struct witness *w)
{
    char created[32] = "";
    time_t seconds = (time_t)w->created;
    struct tm utc;
    if (gmtime_r(&seconds, &utc))
        strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    add_data(out, "    ", "witness-type", "violation_witness");
    add_data(out, "    ", "sourcecodelang", "C");
    add_data(out, "    ", "producer", w->producer);
    add_data(out, "    ", "specification", w->specification);
    add_data(out, "    ", "programfile", w->program);
    add_data(out, "    ", "programhash", w->program_hash);
    add_data(out, "    ", "architecture", w->is_32bit ? "32bit" : "64bit");
    add_data(out, "    ", "creationtime", created);
}

/* Steps of the program's own lines; begins and ends of threads have none. */
static bool is_step(const struct report_event *e)
{
    return e->line && e->thread != REPORT_NOTHING && e->event != EVENT_BEGIN && e->event != EVENT_END;
}

/* A path: each edge begins where the last one ended. */
struct path {
    struct text *out;
    size_t number; /* of the node at its end */
};

static void open_edge(struct path *p)
{
    text_printf(p->out, "    <node id=\"N%zu\"%s\n    <edge source=\"N%zu\" target=\"N%zu\">\n", p->number,
                p->number ? "/>" : "><data key=\"entry\">true</data></node>", p->number, p->number + 1);
    p->number++;
}

static void add_edge(struct path *p, const struct report_event *e)
{
    open_edge(p);
    add_number(p->out, "startline", e->line);
    add_number(p->out, "threadId", e->thread);
    if (e->event == EVENT_CREATE && e->other != REPORT_NOTHING)
        add_number(p->out, "createThread", e->other);
    text_puts(p->out, "    </edge>\n");
}

/* The thread enters its function; the first one is created there, too. */
static void add_entry(struct path *p, uint32_t thread, const char *function)
{
    open_edge(p);
    add_number(p->out, "threadId", thread);
    if (!thread)
        add_number(p->out, "createThread", thread);
    add_data(p->out, "      ", "enterFunction", function);
    text_puts(p->out, "    </edge>\n");
}

/* What the thread of this event, its first step, runs; null: it is not known, or this is not the first. */
static const char *find_start(const struct report_execution *x, size_t first)
{
    const char *starts = NULL;
    for (size_t k = 0; k < first; k++) {
        const struct report_event *e = &x->events[k];
        if (is_step(e) && e->thread == x->events[first].thread)
            return NULL;
        if (e->event == EVENT_CREATE && e->other == x->events[first].thread)
            starts = e->starts;
    }
    return starts;
}

static void add_path(struct text *out, const struct report_execution *x)
{
    struct path path = {.out = out};
    add_entry(&path, 0, "main");
    for (size_t k = 0; k < x->event_count; k++) {
        if (!is_step(&x->events[k]))
            continue;
        const char *starts = find_start(x, k);
        if (starts)
            add_entry(&path, x->events[k].thread, starts);
        add_edge(&path, &x->events[k]);
    }
    text_printf(out, "    <node id=\"N%zu\"><data key=\"violation\">true</data></node>\n", path.number);
}

void witness_render(struct text *out, const struct witness *w)
{
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
                   "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    add_keys(out);
    text_puts(out, "  <graph edgedefault=\"directed\">\n");
    add_head(out, w);
    add_path(out, w->execution);
    text_puts(out, "  </graph>\n</graphml>\n");
}

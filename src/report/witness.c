/* SPDX-License-Identifier: Apache-2.0 */
#include "report/witness.h"

#include "report/xml.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* Every name that is used below, and what it belongs to. */
static const struct {
    const char *name, *of, *otherwise; /* otherwise: the value where none is given, or null */
} keys[] = {
    {"witness-type", "graph", NULL},  {"sourcecodelang", "graph", NULL}, {"producer", "graph", NULL},
    {"specification", "graph", NULL}, {"programfile", "graph", NULL},    {"programhash", "graph", NULL},
    {"architecture", "graph", NULL},  {"creationtime", "graph", NULL},   {"entry", "node", "false"},
    {"violation", "node", "false"},   {"startline", "edge", NULL},       {"threadId", "edge", NULL},
    {"createThread", "edge", NULL},   {"enterFunction", "edge", NULL},
};

static void add_keys(struct text *out)
{
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        text_printf(out, "  <key id=\"%s\" attr.name=\"%s\" attr.type=\"string\" for=\"%s\"", keys[k].name,
                    keys[k].name, keys[k].of);
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

static void add_edge(struct text *out, size_t number, const struct report_event *e)
{
    text_printf(out, "    <edge source=\"N%zu\" target=\"N%zu\">\n", number, number + 1);
    add_number(out, "startline", e->line);
    add_number(out, "threadId", e->thread);
    if (e->event == EVENT_CREATE && e->other != REPORT_NOTHING)
        add_number(out, "createThread", e->other);
    text_puts(out, "    </edge>\n");
}

static void add_entry(struct text *out)
{
    text_puts(out, "    <node id=\"N0\"><data key=\"entry\">true</data></node>\n"
                   "    <edge source=\"N0\" target=\"N1\">\n"
                   "      <data key=\"enterFunction\">main</data>\n");
    add_number(out, "threadId", 0);
    text_puts(out, "    </edge>\n");
}

static void add_path(struct text *out, const struct report_execution *x)
{
    size_t number = 1;
    add_entry(out);
    for (size_t k = 0; k < x->event_count; k++) {
        if (!is_step(&x->events[k]))
            continue;
        text_printf(out, "    <node id=\"N%zu\"/>\n", number);
        add_edge(out, number++, &x->events[k]);
    }
    text_printf(out, "    <node id=\"N%zu\"><data key=\"violation\">true</data></node>\n", number);
}

void witness_render(struct text *out, const struct witness *w)
{
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    add_keys(out);
    text_puts(out, "  <graph edgedefault=\"directed\">\n");
    add_head(out, w);
    add_path(out, w->execution);
    text_puts(out, "  </graph>\n</graphml>\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/pipeline_parts.h"

#include "base/text.h"
#include "history/jsonl_scan.h"

#include <string.h>

/* The scanner wants a line that ends in '\n' and some bytes behind it. */
static bool scan_json(const char *json, struct plumb_values *values, plumb_value *out)
{
    if (strchr(json, '\n'))
        return false;
    struct text line = {0};
    text_puts(&line, json);
    text_puts(&line, "\n");
    text_repeat(&line, " ", JSONL_SLACK);
    struct diagnostic ignored = {0};
    struct jsonl_scan scan = {.values = values, .d = &ignored, .line = line.data, .line_number = 1};
    const char *end = jsonl_scan_value(&scan, jsonl_skip_space(line.data), out);
    bool whole = end && *jsonl_skip_space(end) == '\n';
    jsonl_scan_free(&scan);
    text_free(&line);
    return whole;
}

bool initial_value_scan(const char *json, struct plumb_values *values, plumb_value *out, struct diagnostic *d)
{
    if (scan_json(json, values, out))
        return true;
    return diagnostic_set(d, PL_USAGE, 0, 0,
                          "--init takes a JSON value such as 7, null, '\"text\"' or '[1,2]', not '%.100s'",
                          json);
}

bool initial_value_read(const struct plumb_spec *spec, const char *json, struct plumb_values *values,
                        plumb_value *out, struct diagnostic *d)
{
    if (!initial_value_scan(json, values, out, d))
        return false;
    if (!spec->valid_initial)
        return diagnostic_set(d, PL_USAGE, 0, 0, "specification %s takes no --init", spec->name);
    if (!spec->valid_initial(values, *out))
        return diagnostic_set(d, PL_USAGE, 0, 0, "%.100s is not an initial value of specification %s", json,
                              spec->name);
    return true;
}

bool pipeline_question_check(const struct pipeline_question *o, const struct plumb_spec *spec,
                             struct diagnostic *d)
{
    struct plumb_values *values = plumb_values_create();
    plumb_value ignored;
    bool fine = !o->init || (spec ? initial_value_read(spec, o->init, values, &ignored, d)
                                  : initial_value_scan(o->init, values, &ignored, d));
    plumb_values_destroy(values);
    return fine && pipeline_quasi_check(o, spec, d);
}

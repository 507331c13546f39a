/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/spec_choice.h"

#include "base/options.h"
#include "cli/spec_guard.h"
#include "history/jsonl_scan.h"

#include <string.h>

const struct plumb_spec *spec_choice_find(const char *name, struct diagnostic *d)
{
    const struct plumb_spec *found = spec_guard_is_file(name) ? spec_added() : spec_find(name);
    if (found)
        return found;
    if (strpbrk(name, "./")) {
        diagnostic_set(
            d, PL_USAGE, 0, 0,
            "unknown specification '%.100s': one of your own is in C, in a file with the ending .c", name);
        return NULL;
    }
    struct text list = {0};
    VEC(const char *) names = {0};
    for (unsigned i = 0; i < spec_count; i++) {
        vec_push(&names, spec_all[i]->name);
        text_printf(&list, "%s%s", i ? ", " : "", spec_all[i]->name);
    }
    const char *nearest = options_nearest(name, names.data, names.len);
    if (nearest)
        diagnostic_set(d, PL_USAGE, 0, 0, "unknown specification '%.100s', did you mean '%s'?", name,
                       nearest);
    else
        diagnostic_set(d, PL_USAGE, 0, 0, "unknown specification '%.100s' (there are %s)", name, list.data);
    vec_free(&names);
    text_free(&list);
    return NULL;
}

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

bool spec_choice_scan_initial(const char *json, struct plumb_values *values, plumb_value *out,
                              struct diagnostic *d)
{
    if (scan_json(json, values, out))
        return true;
    return diagnostic_set(d, PL_USAGE, 0, 0,
                          "--init takes a JSON value such as 7, null, '\"text\"' or '[1,2]', not '%.100s'",
                          json);
}

bool spec_choice_initial(const struct plumb_spec *spec, const char *json, struct plumb_values *values,
                         plumb_value *out, struct diagnostic *d)
{
    if (!spec_choice_scan_initial(json, values, out, d))
        return false;
    if (!spec->valid_initial)
        return diagnostic_set(d, PL_USAGE, 0, 0, "specification %s takes no --init", spec->name);
    if (!spec->valid_initial(values, *out))
        return diagnostic_set(d, PL_USAGE, 0, 0, "%.100s is not an initial value of specification %s", json,
                              spec->name);
    return true;
}

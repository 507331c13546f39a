/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/annotated.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool has_line(const char *lines, const char *line, size_t length)
{
    for (; *lines; lines += strcspn(lines, "\n") + 1)
        if (strcspn(lines, "\n") == length && memcmp(lines, line, length) == 0)
            return true;
    return false;
}

static void add_interfaces(struct worker_annotated *to, const char *lines)
{
    size_t used = strlen(to->interfaces);
    for (size_t length; (length = strcspn(lines, "\n")) && lines[length]; lines += length + 1) {
        if (has_line(to->interfaces, lines, length) || used + length + 2 > sizeof to->interfaces)
            continue;
        memcpy(to->interfaces + used, lines, length + 1);
        used += length + 1;
        to->interfaces[used] = 0;
    }
}

void annotated_add(struct worker_annotated *to, const struct worker_annotated *from)
{
    to->exists |= from->exists;
    to->executions += from->executions;
    to->calls += from->calls;
    to->undetermined += from->undetermined;
    add_interfaces(to, from->interfaces);
    if (!*to->pair[0])
        memcpy(to->pair, from->pair, sizeof to->pair);
}

static unsigned count_interfaces(const struct worker_annotated *a)
{
    unsigned count = 0;
    for (const char *at = a->interfaces; (at = strchr(at, '\n')); at++)
        count++;
    return count;
}

void annotated_add_text(struct text *out, const struct worker_annotated *a)
{
    unsigned interfaces = count_interfaces(a);
    if (!a->exists)
        return;
    if (!a->calls)
        text_puts(out, "no annotated function was called: its specification was not checked");
    else
        text_printf(out, "%" PRIu64 " call%s of %u annotated function%s judged", a->calls,
                    a->calls == 1 ? "" : "s", interfaces, interfaces == 1 ? "" : "s");
}

bool annotated_add_note(struct text *out, const struct worker_annotated *a)
{
    if (!a->undetermined)
        return false;
    text_printf(out, "in %" PRIu64 " execution%s two annotated calls are unordered and do not commute",
                a->undetermined, a->undetermined == 1 ? "" : "s");
    if (*a->pair[0])
        text_printf(out, " (%s, %s)", a->pair[0], a->pair[1]);
    text_puts(out, ": add an ordering point, or check with --histories every");
    return true;
}

void annotated_json(struct json_writer *w, const struct worker_annotated *a)
{
    if (!a->exists)
        return;
    json_key(w, "annotated"), json_open_object(w);
    json_key(w, "calls"), json_uint(w, a->calls);
    json_key(w, "functions"), json_uint(w, count_interfaces(a));
    json_key(w, "undetermined"), json_uint(w, a->undetermined);
    json_close_object(w);
}

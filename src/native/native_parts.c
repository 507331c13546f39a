/* SPDX-License-Identifier: Apache-2.0 */
/* What the harness has: the list for the tool, and the parts that are run around the calls. */
#include "native/native.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct native native;
_Thread_local struct native_thread *native_self;

static bool stands_before(const struct plumb_part *a, const struct plumb_part *b)
{
    return a->line < b->line && strcmp(a->file, b->file) == 0;
}

/* Constructors have no promised order, and gcc's link-time optimisation turns it round: parts of a file are kept as they stand there. */
void plumb_register(const struct plumb_part *part)
{
    uint32_t at = native.part_count++;
    if (at >= NATIVE_PARTS_MAX)
        return;
    for (; at > 0 && stands_before(part, native.parts[at - 1]); at--)
        native.parts[at] = native.parts[at - 1];
    native.parts[at] = part;
}

static bool refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(native.shared->message, sizeof native.shared->message, format, list);
    va_end(list);
    return false;
}

struct writer {
    char *at, *end;
};

static void put(struct writer *w, char c)
{
    if (w->at < w->end)
        *w->at++ = c;
}

/* Tabs and line ends divide the list. */
static void put_text(struct writer *w, const char *s)
{
    for (; *s; s++)
        put(w, *s == '\t' || *s == '\n' || *s == '\r' ? ' ' : *s);
}

static void put_part(struct writer *w, const struct plumb_part *p)
{
    char number[16];
    const char *fields[] = {p->object, p->name, p->text, p->types, p->file};
    snprintf(number, sizeof number, "%d", p->kind);
    put_text(w, number);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        put(w, '\t');
        put_text(w, fields[i]);
    }
    snprintf(number, sizeof number, "\t%u", p->line);
    for (const char *c = number; *c; c++)
        put(w, *c);
    put(w, '\n');
}

static bool take_operation(const struct plumb_part *p)
{
    if (native.operation_count == STRESS_OPERATIONS_MAX)
        return refuse("%s:%u: the harness has more than %d operations", p->file, p->line,
                      STRESS_OPERATIONS_MAX);
    struct native_operation *o = &native.operations[native.operation_count++];
    o->run = p->run;
    memcpy(o->types, p->types, sizeof p->types);
    o->count = (uint32_t)strnlen(p->types, sizeof p->types - 1);
    return true;
}

bool native_list_parts(void)
{
    struct writer w = {native.shared->list, native.shared->list + STRESS_LIST_BYTES - 1};
    if (native.part_count > NATIVE_PARTS_MAX)
        return refuse("the harness has more than %d parts", NATIVE_PARTS_MAX);
    for (uint32_t i = 0; i < native.part_count; i++) {
        const struct plumb_part *p = native.parts[i];
        put_part(&w, p);
        if (p->kind == PLUMB_PART_OP && !take_operation(p))
            return false;
    }
    *w.at = 0;
    return w.at < w.end || refuse("the parts of the harness have more than %d bytes", STRESS_LIST_BYTES);
}

void native_run_parts(enum plumb_part_kind kind)
{
    uint32_t count = native.part_count;
    bool ends = kind == PLUMB_PART_TEARDOWN || kind == PLUMB_PART_THREAD_TEARDOWN;
    for (uint32_t i = 0; i < count; i++) {
        const struct plumb_part *p = native.parts[ends ? count - 1 - i : i];
        if (p->kind == kind)
            p->run(NULL);
    }
}

bool native_check_invariants(void)
{
    for (uint32_t i = 0; i < native.part_count; i++)
        if (native.parts[i]->kind == PLUMB_PART_INVARIANT && native.parts[i]->run(NULL) != PLUMB_TRUE)
            return false;
    return true;
}

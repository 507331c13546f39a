/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_story.h"

#include "explain/program/explain_events.h"

#include <stdarg.h>

void story_cite(struct story *s, uint32_t step)
{
    vec_push(&s->cited, step);
}

static void add_step(struct story *s, uint32_t k)
{
    uint32_t step = explain_events_step(s->shared, k);
    story_cite(s, step);
    text_printf(&s->text, "%u", step);
}

static void add_location(struct story *s, uint32_t k)
{
    const struct event *e = &s->shared->events[k];
    symbols_location(s->symbols, e->address, e->size, &s->text);
}

static void add_place(struct story *s, uint32_t k)
{
    uint64_t pc = explain_events_place(s->shared, s->symbols, k);
    if (pc)
        symbols_add_place(s->symbols, pc, &s->text);
    else
        text_puts(&s->text, "?");
}

void story_say(struct story *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *c = format; *c; c++) {
        if (*c != '%') {
            text_add(&s->text, c, 1);
            continue;
        }
        switch (*++c) {
        case 'k': add_step(s, va_arg(args, uint32_t)); break;
        case 'l': add_location(s, va_arg(args, uint32_t)); break;
        case 'p': add_place(s, va_arg(args, uint32_t)); break;
        case 'u': text_printf(&s->text, "%u", va_arg(args, uint32_t)); break;
        default: text_puts(&s->text, va_arg(args, const char *));
        }
    }
    va_end(args);
}

void story_free(struct story *s)
{
    text_free(&s->text);
    vec_free(&s->cited);
}

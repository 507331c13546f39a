/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/generate/generate_write.h"

#include "base/budget.h"

#include <time.h>

enum { FLUSH_MOST = 1 << 16 };

static void write_number(struct text *out, int64_t n)
{
    char digits[24], *end = digits + sizeof digits, *p = end;
    uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
    do
        *--p = (char)('0' + left % 10);
    while (left /= 10);
    if (n < 0)
        *--p = '-';
    text_add(out, p, (size_t)(end - p));
}

static void write_value(struct writer *w, plumb_value v)
{
    struct text *out = &w->text;
    if (plumb_is_int(v)) {
        write_number(out, plumb_int_of(w->values, v));
    } else if (plumb_tag_of(v) == PLUMB_TAG_STRING) {
        size_t length;
        const char *bytes = plumb_string_of(w->values, v, &length); /* digits and commas: nothing to escape */
        text_add(out, "\"", 1);
        text_add(out, bytes, length);
        text_add(out, "\"", 1);
    } else if (plumb_is_array(v)) {
        size_t count = plumb_array_count(w->values, v);
        for (size_t i = 0; i < count; i++) {
            text_add(out, i ? "," : "[", 1);
            write_value(w, plumb_array_item(w->values, v, i));
        }
        text_puts(out, count ? "]" : "[]");
    } else {
        text_puts(out, v == PLUMB_TRUE ? "true" : v == PLUMB_FALSE ? "false" : "null");
    }
}

void writer_flush(struct writer *w)
{
    if (w->text.len)
        fwrite(w->text.data, 1, w->text.len, w->file);
    text_clear(&w->text);
}

/* So that `rate` events are written in a second, in pieces of a few milliseconds. */
static void keep_rate(struct writer *w)
{
    enum { PIECES = 200 };
    if (++w->events % (1 + (uint64_t)(w->rate / PIECES)))
        return;
    double early = w->start + (double)w->events / w->rate - base_now();
    if (early < 0)
        return;
    writer_flush(w);
    fflush(w->file);
    struct timespec pause = {.tv_sec = (time_t)early,
                             .tv_nsec = (long)((early - (double)(time_t)early) * 1e9)};
    nanosleep(&pause, NULL);
}

static void end_event(struct writer *w)
{
    text_puts(&w->text, ",\"t\":");
    write_number(&w->text, (int64_t)++w->clock);
    text_puts(&w->text, "}\n");
    if (w->text.len > FLUSH_MOST)
        writer_flush(w);
    if (w->rate > 0)
        keep_rate(w);
}

static void write_thread(struct writer *w, uint32_t thread)
{
    text_puts(&w->text, "{\"thread\":");
    write_number(&w->text, (int64_t)thread + 1);
}

void writer_call(struct writer *w, uint32_t thread, const char *name, plumb_value arg)
{
    write_thread(w, thread);
    text_printf(&w->text, ",\"call\":\"%s\"", name);
    if (arg != PLUMB_OK) {
        text_puts(&w->text, ",\"arg\":");
        write_value(w, arg);
    }
    end_event(w);
}

void writer_return(struct writer *w, uint32_t thread, plumb_value result)
{
    write_thread(w, thread);
    text_puts(&w->text, ",\"return\":true");
    if (result != PLUMB_OK) {
        text_puts(&w->text, ",\"result\":");
        write_value(w, result);
    }
    end_event(w);
}

void writer_op(struct writer *w, uint32_t thread, const char *name, plumb_value arg, plumb_value result,
               uint64_t called)
{
    struct text *out = &w->text;
    write_thread(w, thread);
    text_puts(out, ",\"op\":\"");
    text_puts(out, name);
    text_puts(out, arg == PLUMB_OK ? "\"" : "\",\"arg\":");
    if (arg != PLUMB_OK)
        write_value(w, arg);
    if (result != PLUMB_OK) {
        text_puts(out, ",\"result\":");
        write_value(w, result);
    }
    text_puts(out, ",\"call\":");
    write_number(out, (int64_t)called);
    text_puts(out, ",\"return\":");
    write_number(out, (int64_t)++w->clock);
    text_puts(out, "}\n");
    if (out->len > FLUSH_MOST)
        writer_flush(w);
}

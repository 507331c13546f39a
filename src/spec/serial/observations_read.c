/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the file back: as much of XML as it needs, strictly. */
#include "base/text.h"
#include "history/jsonl_scan.h"
#include "spec/serial/observations.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct op {
    const char *name;
    plumb_value arg, result;
    uint32_t thread; /* index; SERIAL_NO_THREAD: no thread calls it */
};

struct reader {
    struct serials *s;
    bool known;
    struct arena *names;
    const char *start, *at, *end;
    struct diagnostic *d;
    VEC(struct op) ops; /* of the observation; number 1 is at 0 */
    VEC(struct serial_step) steps;
};

static bool fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct reader *r, const char *format, ...)
{
    char message[200];
    uint64_t line = 1, column = 1;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (const char *p = r->start; p < r->at; p++) {
        column = *p == '\n' ? 1 : column + 1;
        line += *p == '\n';
    }
    return diagnostic_set(r->d, PL_SYNTAX, line, column, "observations: %s", message);
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at))
        r->at++;
}

/* Is this what comes next? Then it is passed. */
static bool pass(struct reader *r, const char *word)
{
    size_t length = strlen(word);
    skip_space(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static bool expect(struct reader *r, const char *word)
{
    return pass(r, word) || fail(r, "expected '%s'", word);
}

static bool read_number(struct reader *r, uint32_t *out)
{
    uint64_t n = 0;
    skip_space(r);
    const char *first = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && n < 1000000)
        n = n * 10 + (uint64_t)(*r->at++ - '0');
    *out = (uint32_t)n;
    return r->at > first || fail(r, "expected a number");
}

/* word="..." with the text decoded into `out`. */
static bool read_attribute(struct reader *r, const char *word, struct text *out)
{
    static const struct {
        const char *code, *text;
    } codes[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}};
    text_clear(out);
    text_puts(out, "");
    if (!expect(r, word) || !expect(r, "=\""))
        return false;
    while (r->at < r->end && *r->at != '"') {
        const char *before = r->at;
        for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
            size_t length = strlen(codes[k].code);
            if ((size_t)(r->end - r->at) < length || memcmp(r->at, codes[k].code, length) != 0)
                continue;
            text_puts(out, codes[k].text);
            r->at += length;
            break;
        }
        if (r->at == before)
            text_add(out, r->at++, 1);
    }
    return r->at < r->end ? (r->at++, true) : fail(r, "the text of %s does not end", word);
}

static bool read_value(struct reader *r, const char *word, plumb_value *out)
{
    struct text text = {0};
    if (!read_attribute(r, word, &text)) {
        text_free(&text);
        return false;
    }
    static const char slack[JSONL_SLACK + 1];
    size_t length = text.len;
    text_puts(&text, "\n");
    text_add(&text, slack, JSONL_SLACK);
    struct diagnostic d = {0};
    struct jsonl_scan scan = {.values = r->s->values, .d = &d, .line = text.data, .line_number = 1};
    bool fine = !memchr(text.data, '\n', length);
    const char *end = fine ? jsonl_scan_value(&scan, text.data, out) : NULL;
    fine = end == text.data + length;
    if (!fine)
        fail(r, "the text of %s is not a value", word);
    jsonl_scan_free(&scan);
    text_free(&text);
    return fine;
}

/* ------------------------------------------------------------------ threads and operations */

static bool parse_thread_name(const char *text, uint32_t *name)
{
    if (strcmp(text, "init") == 0)
        *name = 0;
    else if (text[0] >= 'A' && text[0] <= 'Z' && !text[1])
        *name = (uint32_t)(text[0] - 'A' + 1);
    else if (text[0] == 'T' && text[1] >= '1' && text[1] <= '9' && strlen(text) <= 4)
        *name = (uint32_t)atoi(text + 1);
    else
        return false;
    return true;
}

static bool find_thread(struct reader *r, const char *text, uint32_t *thread)
{
    uint32_t name;
    if (!parse_thread_name(text, &name))
        return fail(r, "'%.20s' is not a thread", text);
    *thread = serials_find_thread(r->s, name);
    if (*thread != SERIAL_NO_THREAD)
        return true;
    if (r->known)
        return fail(r, "the test has no thread %.20s: this is a file of another test", text);
    if (r->s->threads.len >= SERIAL_THREADS_MAX)
        return fail(r, "too many threads");
    *thread = serials_add_thread(r->s, name);
    return true;
}

static struct op *op_at(struct reader *r, uint32_t number)
{
    enum { OPS_MAX = 4096 };
    if (number < 1 || number > OPS_MAX)
        return NULL;
    while (r->ops.len < number)
        vec_push(&r->ops, ((struct op){.thread = SERIAL_NO_THREAD, .arg = PLUMB_OK, .result = PLUMB_OK}));
    return &r->ops.data[number - 1];
}

static bool read_call(struct reader *r, uint32_t thread)
{
    uint32_t number = 0;
    if (!read_number(r, &number))
        return false;
    struct op *op = op_at(r, number);
    if (!op || op->thread != SERIAL_NO_THREAD)
        return fail(r, "operation %u is called twice", number);
    op->thread = thread;
    r->at += r->at < r->end && *r->at == 'B';
    return true;
}

static bool read_thread(struct reader *r)
{
    OWNED struct text name = {0};
    uint32_t thread = 0;
    bool fine = read_attribute(r, "id", &name) && find_thread(r, name.data, &thread) && expect(r, ">");
    while (fine && !pass(r, "</thread>"))
        fine = read_call(r, thread);
    return fine;
}

/* id="..." name="..." of an operation that a thread calls, or null. */
static struct op *read_op_name(struct reader *r)
{
    OWNED struct text text = {0};
    uint32_t number = 0;
    bool fine =
        expect(r, "id=\"") && read_number(r, &number) && expect(r, "\"") && read_attribute(r, "name", &text);
    struct op *op = fine ? op_at(r, number) : NULL;
    if (op && op->thread == SERIAL_NO_THREAD)
        op = NULL;
    if (op)
        op->name = text_keep(&text, r->names);
    else if (fine)
        fail(r, "no thread calls operation %u", number);
    return op;
}

static bool read_op(struct reader *r)
{
    struct op *op = read_op_name(r);
    if (!op)
        return false;
    if (pass(r, "/>"))
        return true;
    if (!expect(r, ">"))
        return false;
    while (!pass(r, "</op>")) {
        skip_space(r);
        bool is_value = r->at < r->end && *r->at == 'v';
        if (!read_value(r, is_value ? "value" : "result", is_value ? &op->arg : &op->result))
            return false;
    }
    return true;
}

/* Operation number `index` of its thread is this one. */
static bool fits_test(struct reader *r, const struct op *op, size_t index)
{
    struct serial_thread *t = &r->s->threads.data[op->thread];
    if (index == t->ops.len && !r->known)
        serials_add_op(r->s, op->thread, op->name, op->arg);
    if (index < t->ops.len && strcmp(t->ops.data[index].name, op->name) == 0 &&
        t->ops.data[index].arg == op->arg)
        return true;
    return fail(r, "operation '%.40s' is not the test's: this is a file of another test", op->name);
}

static bool check_ops(struct reader *r)
{
    size_t done[SERIAL_THREADS_MAX] = {0};
    for (size_t i = 0; i < r->ops.len; i++) {
        const struct op *op = &r->ops.data[i];
        if (op->thread == SERIAL_NO_THREAD || !op->name)
            return fail(r, "operation %zu is missing", i + 1);
        if (!fits_test(r, op, done[op->thread]++))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ histories */

static bool read_history(struct reader *r)
{
    uint32_t number, returned, waiting = SERIAL_NO_THREAD;
    vec_clear(&r->steps);
    while (!pass(r, "</history>")) {
        if (waiting != SERIAL_NO_THREAD)
            return fail(r, "a history ends with its first operation that waits");
        if (!read_number(r, &number) || !expect(r, "["))
            return false;
        if (number < 1 || number > r->ops.len)
            return fail(r, "there is no operation %u", number);
        const struct op *op = &r->ops.data[number - 1];
        if (pass(r, "#")) {
            waiting = op->thread;
            continue;
        }
        if (!expect(r, "]") || !read_number(r, &returned))
            return false;
        if (returned != number)
            return fail(r, "the history is not serial");
        vec_push(&r->steps, ((struct serial_step){op->thread, op->result}));
    }
    serials_add(r->s, r->steps.data, r->steps.len, waiting);
    return true;
}

static bool read_observation(struct reader *r)
{
    bool checked = false;
    vec_clear(&r->ops);
    while (!pass(r, "</observation>")) {
        if (pass(r, "<thread ")) {
            if (!read_thread(r))
                return false;
        } else if (pass(r, "<op ")) {
            if (!read_op(r))
                return false;
        } else if (pass(r, "<history>")) {
            if ((!checked && !check_ops(r)) || !read_history(r))
                return false;
            checked = true;
        } else {
            return fail(r, "expected <thread>, <op>, <history> or </observation>");
        }
    }
    return true;
}

/* What is in it is for people: it says nothing about serial histories. */
static bool pass_violation(struct reader *r)
{
    static const char end[] = "</violation>";
    const char *found = memmem(r->at, (size_t)(r->end - r->at), end, strlen(end));
    if (!found)
        return fail(r, "<violation> does not end");
    r->at = found + strlen(end);
    return true;
}

bool observations_read(struct serials *s, bool known, struct arena *names, const char *bytes, size_t length,
                       struct diagnostic *d)
{
    struct reader r = {
        .s = s, .known = known, .names = names, .start = bytes, .at = bytes, .end = bytes + length, .d = d};
    bool fine = expect(&r, "<observationset>");
    while (fine && !pass(&r, "</observationset>"))
        fine = pass(&r, "<violation>") ? pass_violation(&r)
                                       : expect(&r, "<observation>") && read_observation(&r);
    skip_space(&r);
    if (fine && r.at != r.end)
        fine = fail(&r, "something follows the end");
    vec_free(&r.ops);
    vec_free(&r.steps);
    return fine;
}

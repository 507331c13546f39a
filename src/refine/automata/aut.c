/* SPDX-License-Identifier: Apache-2.0 */
/* Reading: a state is its number, four bytes. */
#include "refine/automata/aut.h"

#include "base/large_file.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct edge {
    uint32_t from, to;
    struct refine_step step;
};

struct aut {
    struct refine_system system;
    VEC(char *) ops;
    VEC(struct edge) edges; /* sorted by `from` */
    uint32_t *first;        /* of each state, in edges; one more at the end */
    uint32_t states, start;
    char *name;
};

/* --- as a system ------------------------------------------------------------------------------------- */

static void initial(const struct refine_system *s, uint8_t *state)
{
    const struct aut *a = (const struct aut *)s;
    memcpy(state, &a->start, sizeof a->start);
}

static void steps(const struct refine_system *s, const uint8_t *state, struct refine_steps *out)
{
    const struct aut *a = (const struct aut *)s;
    uint32_t number;
    memcpy(&number, state, sizeof number);
    for (uint32_t i = a->first[number]; i < a->first[number + 1]; i++) {
        vec_push(&out->steps, a->edges.data[i].step);
        vec_reserve(&out->states, out->states.len + sizeof number);
        memcpy(out->states.data + out->states.len, &a->edges.data[i].to, sizeof number);
        out->states.len += sizeof number;
    }
}

static struct refine_place describe(const struct refine_system *s, uint32_t place)
{
    return (struct refine_place){.file = s->name, .line = place, .text = NULL};
}

static size_t print_state(const struct refine_system *s, const uint8_t *state, char *buffer, size_t size)
{
    (void)s;
    uint32_t number;
    memcpy(&number, state, sizeof number);
    return (size_t)snprintf(buffer, size, "state %" PRIu32, number);
}

static void destroy(struct refine_system *s)
{
    struct aut *a = (struct aut *)s;
    for (size_t i = 0; i < a->ops.len; i++)
        free(a->ops.data[i]);
    vec_free(&a->ops);
    vec_free(&a->edges);
    free(a->first);
    free(a->name);
    free(a);
}

/* --- labels ------------------------------------------------------------------------------------------- */

/* Only words count, whatever stands between them: `T0 call enq(1)`, `call(0,enq,1)` and `CALL !0 !enq !1` are one label.
 * The words of `T0 return deq = none` are T0, return, deq, none. */
enum { WORDS_MAX = 3 + REFINE_ARGS_MAX, WORD_SIZE = 64 };

struct words {
    char text[WORDS_MAX + 1][WORD_SIZE];
    unsigned count;
    bool too_many;
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static struct words split_label(const char *label, size_t length)
{
    struct words w = {0};
    for (size_t i = 0; i < length;) {
        size_t from = i;
        while (i < length && in_word(label[i]))
            i++;
        if (i == from) {
            i++;
            continue;
        }
        if (w.count > WORDS_MAX || i - from >= WORD_SIZE) {
            w.too_many = true;
            return w;
        }
        memcpy(w.text[w.count++], label + from, i - from);
    }
    return w;
}

static bool is_thread(const char *word, uint32_t *number)
{
    char *end;
    const char *digits = word + (*word == 'T' || *word == 't');
    if (!isdigit((unsigned char)*digits))
        return false;
    unsigned long n = strtoul(digits, &end, 10);
    *number = n < REFINE_THREADS_MAX ? (uint32_t)n : REFINE_THREADS_MAX;
    return !*end;
}

static enum refine_step_kind kind_of(const char *word)
{
    if (!strcasecmp(word, "call"))
        return REFINE_CALL;
    if (!strcasecmp(word, "return") || !strcasecmp(word, "ret"))
        return REFINE_RETURN;
    return REFINE_INTERNAL;
}

static bool read_value(const char *word, int32_t *value)
{
    static const struct {
        const char *word;
        int32_t value;
    } named[] = {{"ok", REFINE_OK},      {"full", REFINE_FULL}, {"none", REFINE_NONE}, {"null", REFINE_NONE},
                 {"empty", REFINE_NONE}, {"true", 1},           {"false", 0}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (!strcasecmp(word, named[i].word)) {
            *value = named[i].value;
            return true;
        }
    }
    char *end;
    errno = 0;
    long n = strtol(word, &end, 10);
    *value = (int32_t)n;
    return !errno && !*end && end != word && n >= INT32_MIN && n <= INT32_MAX;
}

static uint8_t op_number(struct aut *a, const char *name)
{
    size_t i = 0;
    while (i < a->ops.len && strcmp(a->ops.data[i], name) != 0)
        i++;
    if (i == a->ops.len && i < UINT8_MAX)
        vec_push(&a->ops, base_strndup(name, strlen(name)));
    return (uint8_t)i;
}

static const char *read_visible(struct aut *a, const struct words *w, unsigned op_at,
                                struct refine_step *step)
{
    if (w->too_many || w->count <= op_at)
        return "a call or return names a thread, an operation, and at most two values";
    step->op = op_number(a, w->text[op_at]);
    if (step->op == UINT8_MAX)
        return "more than 255 operations";
    unsigned values = w->count - op_at - 1;
    if (step->kind == REFINE_RETURN && values > 1)
        return "a return has one value at most";
    if (values > sizeof step->args / sizeof *step->args)
        return "a call has two values at most";
    step->value = REFINE_OK;
    if (step->kind == REFINE_RETURN && values == 1)
        return read_value(w->text[op_at + 1], &step->value) ? NULL : "this is not a value";
    step->arg_count = (uint8_t)values;
    for (unsigned i = 0; i < values; i++) {
        step->args[i] = REFINE_NOWHERE;
        if (!read_value(w->text[op_at + 1 + i], &step->constants[i]))
            return "this is not a value";
    }
    return NULL;
}

/* Null: the step is read. */
static const char *read_label(struct aut *a, const char *label, size_t length, struct refine_step *step)
{
    struct words w = split_label(label, length);
    uint32_t thread = 0;
    *step = (struct refine_step){.kind = REFINE_INTERNAL, .thread = REFINE_NO_THREAD};
    if (w.count == 1 && !strcmp(w.text[0], "fault"))
        step->kind = REFINE_FAULT;
    if (w.count < 2)
        return kind_of(w.text[0]) == REFINE_INTERNAL ? NULL : "which thread, and which operation?";
    bool thread_first = is_thread(w.text[0], &thread) && kind_of(w.text[1]);
    bool kind_first = kind_of(w.text[0]) && is_thread(w.text[1], &thread);
    if (!thread_first && !kind_first)
        return kind_of(w.text[0]) == REFINE_INTERNAL ? NULL
                                                     : "after call or return comes the thread's number";
    if (thread >= REFINE_THREADS_MAX)
        return "threads are numbered 0 to 7";
    step->kind = (uint8_t)kind_of(w.text[thread_first]);
    step->thread = (uint8_t)thread;
    if (thread >= a->system.threads)
        a->system.threads = thread + 1;
    return read_visible(a, &w, 2, step);
}

/* --- lines -------------------------------------------------------------------------------------------- */

struct reader {
    struct aut *a;
    const char *at, *line_start;
    uint32_t line;
    struct diagnostic *d;
};

static bool fail(struct reader *r, const char *what)
{
    return diagnostic_set(r->d, PL_AUT_SYNTAX, r->line, (uint64_t)(r->at - r->line_start) + 1, "%s", what);
}

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

static bool take(struct reader *r, char c)
{
    char what[] = "expected ' '";
    skip_blanks(r);
    what[10] = c;
    if (*r->at != c)
        return fail(r, what);
    r->at++;
    return true;
}

static bool take_number(struct reader *r, uint64_t most, uint32_t *number)
{
    skip_blanks(r);
    if (!isdigit((unsigned char)*r->at))
        return fail(r, "expected a number");
    char *end;
    errno = 0;
    unsigned long long n = strtoull(r->at, &end, 10);
    if (errno || n > most)
        return fail(r, "this number is too large");
    r->at = end;
    *number = (uint32_t)n;
    return true;
}

static bool take_label(struct reader *r, struct refine_step *step)
{
    skip_blanks(r);
    bool quoted = *r->at == '"';
    const char *from = r->at += quoted;
    size_t length = quoted ? strcspn(from, "\"\n") : strcspn(from, ",\n");
    if (quoted && from[length] != '"')
        return fail(r, "this label does not end");
    const char *wrong = read_label(r->a, from, length, step);
    if (wrong)
        return fail(r, wrong);
    r->at += length + quoted;
    return true;
}

static bool read_header(struct reader *r, uint32_t *transitions)
{
    uint32_t count;
    skip_blanks(r);
    if (strncmp(r->at, "des", 3) != 0)
        return fail(r, "the first line is `des (first state, number of transitions, number of states)`");
    r->at += 3;
    if (!take(r, '(') || !take_number(r, UINT32_MAX - 1, &r->a->start) || !take(r, ',') ||
        !take_number(r, UINT32_MAX - 1, transitions) || !take(r, ',') ||
        !take_number(r, UINT32_MAX - 1, &count) || !take(r, ')'))
        return false;
    r->a->states = count;
    return r->a->start < count ? true : fail(r, "the first state is not one of the states");
}

static bool read_edge(struct reader *r)
{
    struct edge e;
    uint64_t last = (uint64_t)r->a->states - 1;
    if (!take(r, '(') || !take_number(r, last, &e.from) || !take(r, ',') || !take_label(r, &e.step) ||
        !take(r, ',') || !take_number(r, last, &e.to) || !take(r, ')'))
        return false;
    e.step.place = r->line;
    vec_push(&r->a->edges, e);
    return true;
}

/* To the next line that has something. False at the end. */
static bool next_line(struct reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (*r->at != '\n')
            return *r->at != 0;
        r->line_start = ++r->at;
        r->line++;
    }
}

static bool read_lines(struct reader *r)
{
    uint32_t transitions;
    if (!next_line(r))
        return fail(r, "the file is empty");
    if (!read_header(r, &transitions))
        return false;
    while (next_line(r)) {
        if (!read_edge(r))
            return false;
        skip_blanks(r);
        if (*r->at && *r->at != '\n')
            return fail(r, "expected the end of the line");
    }
    if (r->a->edges.len == transitions)
        return true;
    return diagnostic_set(r->d, PL_AUT_SYNTAX, 1, 1,
                          "%" PRIu32 " transitions are announced, but there are %zu", transitions,
                          r->a->edges.len);
}

/* --- the whole file ------------------------------------------------------------------------------------ */

/* By counting: the file's order stays among the steps of a state. */
static void sort_edges(struct aut *a)
{
    a->first = NEW_ZEROED(uint32_t, (size_t)a->states + 2);
    for (size_t i = 0; i < a->edges.len; i++)
        a->first[a->edges.data[i].from + 2]++;
    for (size_t i = 2; i <= (size_t)a->states + 1; i++)
        a->first[i] += a->first[i - 1];
    struct edge *sorted = NEW_ARRAY(struct edge, a->edges.len ? a->edges.len : 1);
    for (size_t i = 0; i < a->edges.len; i++)
        sorted[a->first[a->edges.data[i].from + 1]++] = a->edges.data[i];
    free(a->edges.data);
    a->edges.data = sorted;
    a->edges.cap = a->edges.len;
}

static void finish(struct aut *a, const char *path)
{
    a->name = base_strndup(path, strlen(path));
    struct refine_system *s = &a->system;
    s->name = a->name;
    s->state_size = sizeof(uint32_t);
    s->ops = (const char *const *)a->ops.data;
    s->op_count = (uint32_t)a->ops.len;
    s->initial = initial;
    s->steps = steps;
    s->describe = describe;
    s->print = print_state;
    s->destroy = destroy;
}

struct refine_system *aut_load(const char *path, struct diagnostic *d)
{
    struct text content = {0};
    if (!text_add_large_file(&content, path)) {
        diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot read: %s", large_file_error(errno));
        return NULL;
    }
    text_add(&content, "", 0);
    struct aut *a = NEW(struct aut);
    const char *text = content.data ? content.data : "";
    struct reader r = {.a = a, .at = text, .line_start = text, .line = 1, .d = d};
    a->system.destroy = destroy;
    bool fine = read_lines(&r);
    text_free(&content);
    if (!fine) {
        destroy(&a->system);
        return NULL;
    }
    sort_edges(a);
    finish(a, path);
    return &a->system;
}

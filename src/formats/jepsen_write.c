/* SPDX-License-Identifier: Apache-2.0 */
/* Histories as Jepsen's events. An operation is put into the words a Jepsen test would use; then these are
 * understood as the reader does, and what comes out wrong is said by members of our own, :plumb/result and so
 * on. Log and kv lines have no room for them: there it is an error. */
#include "formats/jepsen.h"

#include "formats/edn.h"
#include "formats/event_list.h"

#include <inttypes.h>
#include <string.h>

enum naming { OBJECTS_UNNAMED, OBJECTS_AS_TUPLES, OBJECTS_AS_KEYS, OBJECTS_SAID };

struct writer {
    const struct history *h;
    enum format format;
    struct format_options options; /* settled */
    const char *read_name;
    bool sets; /* read as a whole */
    enum naming naming;
    bool stamped;
    struct diagnostic *d;
    struct text text; /* of the event being written */
};

/* The words for one operation. */
struct words {
    struct jepsen_function f;
    struct jepsen_call call;
    plumb_value key;    /* :key, or JEPSEN_ABSENT */
    plumb_value object; /* :plumb/object, or JEPSEN_ABSENT */
    bool say_op, say_arg, say_result;
};

static bool cannot_say(struct writer *w, size_t op, const char *what)
{
    return diagnostic_set(w->d, PL_CANNOT_SAY, history_line(w->h, op), 1, "format %s cannot say %s",
                          format_name(w->format), what);
}

/* ---- choosing words ---- */

static plumb_value pair_of(const struct history *h, plumb_value first, plumb_value second)
{
    plumb_value items[2] = {first, second};
    return plumb_array(h->values, items, 2);
}

static void choose_name(const struct writer *w, const char *op, struct words *out)
{
    out->f = jepsen_function_of_op(op);
    if (!edn_is_keyword(out->f.f, strlen(out->f.f)))
        out->f.f = "op";
    out->f = jepsen_function_of_name(out->f.f);
    out->say_op = strcmp(out->f.kind == KIND_READ ? w->read_name : out->f.op, op) != 0;
}

static void choose_values(const struct history_op *op, struct words *out)
{
    struct jepsen_call *c = &out->call;
    c->invoked = op->arg == PLUMB_OK ? PLUMB_NONE : op->arg;
    c->key = JEPSEN_ABSENT;
    c->end = op->pending ? JEPSEN_INVOKE : JEPSEN_OK;
    if (out->f.kind == KIND_CAS) {
        c->ended = c->invoked;
        if (op->result == PLUMB_FALSE)
            c->end = JEPSEN_FAIL;
    } else if (op->result == PLUMB_ANY) {
        c->ended = PLUMB_NONE;
    } else if (op->result == PLUMB_OK) {
        c->ended = out->f.kind == KIND_PLAIN ? c->invoked : JEPSEN_ABSENT;
    } else {
        c->ended = op->result;
    }
}

/* The first argument of an operation with keys becomes its :key. */
static void take_key(const struct writer *w, const struct history_op *op, struct words *out)
{
    bool pair = plumb_is_array(op->arg) && plumb_array_count(w->h->values, op->arg) == 2;
    if (!out->f.keyed || op->arg == PLUMB_OK)
        return;
    bool repeated = out->call.ended == out->call.invoked;
    out->key = out->call.key = pair ? plumb_array_item(w->h->values, op->arg, 0) : op->arg;
    out->call.invoked = pair ? plumb_array_item(w->h->values, op->arg, 1) : PLUMB_NONE;
    if (repeated)
        out->call.ended = out->call.invoked;
}

static plumb_value object_of(const struct writer *w, size_t i)
{
    return w->h->object_names.data[history_object_of(w->h, i)];
}

/* What the reader would make of the words. */
static void compare_meaning(const struct writer *w, const struct history_op *op, struct words *out)
{
    struct jepsen_call understood = out->call;
    (w->sets ? jepsen_understand_set : jepsen_understand)(w->h->values, &out->f, &understood, &w->options);
    out->say_arg = understood.arg != op->arg;
    out->say_result = !op->pending && (understood.dropped || understood.result != op->result);
}

static struct words choose_words(const struct writer *w, size_t i)
{
    const struct history_op *op = history_at(w->h, i);
    struct words out = {.key = JEPSEN_ABSENT, .object = JEPSEN_ABSENT};
    choose_name(w, w->h->op_names.data[op->op], &out);
    choose_values(op, &out);
    if (w->format == FORMAT_KV)
        take_key(w, op, &out);
    if ((w->naming == OBJECTS_AS_TUPLES || w->format == FORMAT_LOG) && out.call.ended == JEPSEN_ABSENT)
        out.call.ended = PLUMB_NONE;
    compare_meaning(w, op, &out);
    plumb_value object = object_of(w, i);
    if (w->naming == OBJECTS_AS_TUPLES) {
        out.call.invoked = pair_of(w->h, object, out.call.invoked);
        out.call.ended = pair_of(w->h, object, out.call.ended);
    } else if (w->naming == OBJECTS_AS_KEYS && object != PLUMB_NONE) {
        out.key = out.key == JEPSEN_ABSENT && !out.f.keyed ? object : PLUMB_ANY;
    } else if (w->naming == OBJECTS_SAID) {
        out.object = object;
    }
    return out;
}

/* ---- events ---- */

static bool add_member(struct writer *w, const char *name, plumb_value v)
{
    text_puts(&w->text, name);
    return edn_print(&w->text, w->h->values, v);
}

/* [] none, [v] v, :unknown. */
static bool add_wrapped(struct writer *w, const char *name, plumb_value v)
{
    text_puts(&w->text, name);
    if (v == PLUMB_ANY) {
        text_puts(&w->text, ":unknown");
        return true;
    }
    text_puts(&w->text, "[");
    bool fine = v == PLUMB_OK || edn_print(&w->text, w->h->values, v);
    text_puts(&w->text, "]");
    return fine;
}

static bool add_own_members(struct writer *w, const struct words *words, const struct history_op *op,
                            bool ends)
{
    bool fine = true;
    const char *name = w->h->op_names.data[op->op];
    if (words->say_op && !ends) {
        text_puts(&w->text, ", :plumb/op ");
        edn_print(&w->text, w->h->values, plumb_string(w->h->values, name, strlen(name)));
    }
    if (words->object != JEPSEN_ABSENT && !ends)
        fine &= add_member(w, ", :plumb/object ", words->object);
    if (words->say_arg && !ends)
        fine &= add_wrapped(w, ", :plumb/arg ", op->arg);
    if (words->say_result && ends)
        fine &= add_wrapped(w, ", :plumb/result ", op->result);
    if (w->stamped)
        text_printf(&w->text, ", :plumb/stamp %" PRId64, ends ? op->ret : op->call);
    return fine;
}

static const char *type_of(const struct words *words, bool ends)
{
    return jepsen_type_names[ends ? words->call.end : JEPSEN_INVOKE];
}

static bool add_map(struct writer *w, const struct words *words, const struct history_op *op, bool ends)
{
    plumb_value value = ends ? words->call.ended : words->call.invoked;
    bool fine = add_member(w, "{:process ", w->h->thread_names.data[op->thread]);
    text_printf(&w->text, ", :type :%s, :f :%s", type_of(words, ends), words->f.f);
    if (words->key != JEPSEN_ABSENT)
        fine &= add_member(w, ", :key ", words->key);
    if (value != JEPSEN_ABSENT)
        fine &= add_member(w, ", :value ", value);
    fine &= add_own_members(w, words, op, ends);
    text_puts(&w->text, "}\n");
    return fine;
}

static bool add_log_line(struct writer *w, const struct words *words, const struct history_op *op, bool ends)
{
    bool fine = add_member(w, "INFO  jepsen.util - ", w->h->thread_names.data[op->thread]);
    text_printf(&w->text, "\t:%s\t:%s", type_of(words, ends), words->f.f);
    fine &= add_member(w, "\t", ends ? words->call.ended : words->call.invoked);
    text_puts(&w->text, "\n");
    return fine;
}

static bool check_words(struct writer *w, const struct words *words, size_t op)
{
    size_t length;
    plumb_value thread = w->h->thread_names.data[history_get(w->h, op).thread];
    if (plumb_tag_of(thread) == PLUMB_TAG_STRING) {
        const char *name = plumb_string_of(w->h->values, thread, &length);
        if (edn_is_special(name, length) || (w->format == FORMAT_LOG && strcspn(name, " \t\n") != length))
            return cannot_say(w, op, "the name of this thread");
    }
    if (w->format == FORMAT_EDN)
        return true;
    if (words->say_op)
        return cannot_say(w, op, "the name of this operation");
    if (words->say_arg)
        return cannot_say(w, op, "the argument of this operation");
    if (words->say_result)
        return cannot_say(w, op, "the answer of this operation");
    if (w->format == FORMAT_KV && (words->key == JEPSEN_ABSENT || words->key == PLUMB_ANY))
        return cannot_say(w, op, "an operation without a key, or on a key of an object");
    return true;
}

/* The event as text, in w->text. */
static bool put_event(struct writer *w, uint32_t event)
{
    size_t i = event >> 1;
    const struct history_op *op = history_at(w->h, i);
    struct words words = choose_words(w, i);
    text_clear(&w->text);
    if (!check_words(w, &words, i))
        return false;
    bool fine =
        w->format == FORMAT_LOG ? add_log_line(w, &words, op, event & 1) : add_map(w, &words, op, event & 1);
    return fine || cannot_say(w, i, "a value of this operation");
}

static bool put_mark(struct writer *w, const struct history_mark *m)
{
    bool log = w->format == FORMAT_LOG;
    text_clear(&w->text);
    bool fine = add_member(w, log ? "INFO  jepsen.util - " : "{:process ", m->who);
    fine &= add_member(w, log ? "\t:info\t" : ", :type :info, :f ", m->what);
    fine &= add_member(w, log ? "\t" : ", :value ", m->value);
    if (w->stamped)
        text_printf(&w->text, ", :plumb/stamp %" PRId64, m->stamp);
    text_puts(&w->text, log ? "\n" : "}\n");
    return fine || diagnostic_set(w->d, PL_CANNOT_SAY, 0, 0, "format %s cannot express what a mark says",
                                  format_name(w->format));
}

/* `out` null: only looks whether everything can be said. */
static bool put_all(struct writer *w, const struct event_list *l, FILE *out)
{
    size_t mark = 0;
    const struct history *h = w->h;
    for (size_t i = 0; i <= l->count; i++) {
        for (;
             mark < h->marks.len && (i == l->count || h->marks.data[mark].stamp <= event_list_stamp(l, h, i));
             mark++) {
            if (!put_mark(w, &h->marks.data[mark]))
                return false;
            if (out)
                fwrite(w->text.data, 1, w->text.len, out);
        }
        if (i == l->count)
            break;
        if (!put_event(w, l->event[i]))
            return false;
        if (out)
            fwrite(w->text.data, 1, w->text.len, out);
    }
    return true;
}

/* ---- the whole ---- */

static bool looks_like_tuples(const struct writer *w)
{
    struct jepsen_tuples seen = jepsen_tuples_start();
    for (size_t i = 0; i < w->h->ops.len && seen.possible; i++) {
        struct words words = choose_words(w, i);
        jepsen_tuples_see(&seen, w->h->values, &words.f, &words.call);
    }
    return seen.possible && seen.likely;
}

static void choose_naming(struct writer *w)
{
    size_t named = 0;
    for (size_t i = 0; i < w->h->ops.len; i++)
        named += object_of(w, i) != PLUMB_NONE;
    if (w->format == FORMAT_KV) {
        w->naming = OBJECTS_AS_KEYS;
        return;
    }
    w->naming = named == w->h->ops.len ? OBJECTS_AS_TUPLES : named ? OBJECTS_SAID : OBJECTS_UNNAMED;
    if (w->naming != OBJECTS_SAID && looks_like_tuples(w) != (w->naming == OBJECTS_AS_TUPLES))
        w->naming = OBJECTS_SAID;
}

/* As the reader will find it. */
static struct jepsen_vocabulary vocabulary_of(const struct history *h)
{
    struct jepsen_vocabulary v = {0};
    for (size_t i = 0; i < h->op_names.len; i++)
        jepsen_vocabulary_see(&v, h->op_names.data[i]);
    for (size_t i = 0; i < h->ops.len && !v.lists; i++) {
        const struct history_op *op = history_at(h, i);
        v.lists = !op->pending && plumb_is_array(op->result) && !strcmp(h->op_names.data[op->op], "read");
    }
    return v;
}

static bool list_events(struct writer *w, struct event_list *l, struct text *notes)
{
    struct diagnostic ignored = {0};
    if (event_list_by_rank(w->h, l, w->format == FORMAT_EDN ? &ignored : w->d)) {
        bool ranked = event_list_is_ranked(l, w->h);
        if (!ranked && w->format != FORMAT_EDN)
            text_puts(notes, "stamps are replaced by the order of the events\n");
        if (ranked || w->format != FORMAT_EDN)
            return true;
        event_list_free(l);
    } else if (w->format != FORMAT_EDN) {
        return false;
    }
    w->stamped = true;
    return event_list_by_stamp(w->h, l, w->d);
}

bool jepsen_write(FILE *out, const struct history *h, enum format format, struct text *notes,
                  struct diagnostic *d)
{
    struct jepsen_vocabulary v = vocabulary_of(h);
    struct writer w = {
        .h = h, .format = format, .d = d, .read_name = jepsen_read_name(&v), .sets = jepsen_is_set(&v)};
    struct format_options usual = {0};
    struct event_list l = {0};
    w.options = jepsen_settle(&usual, format);
    choose_naming(&w);
    bool fine =
        format == FORMAT_LOG && w.naming == OBJECTS_SAID
            ? diagnostic_set(d, PL_CANNOT_SAY, 0, 0, "format log cannot say which objects operations are on")
            : list_events(&w, &l, notes) && put_all(&w, &l, out);
    event_list_free(&l);
    text_free(&w.text);
    return fine;
}
